"""Runs: the releases of a sitting, and policies that were only compared. Frozen values, which the pages show."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.assessment.comparison import ComparedPolicy
from shoal.policy.policy import Policy
from shoal.studio.messages import Released
from shoal.studio.opened_file import OpenedFile
from shoal.studio.policy_document import PolicyDocument


@dataclass(frozen=True)
class Run:
    """One policy on the table ``data``.

    secret    the key of its random numbers
    release   the file of its release, in the private folder of the sitting; None: it is only compared
    released  what its job told; None: not yet, or it could not be met
    compared  its figures beside those of other runs; None: not measured
    reason    why there is no release
    """

    id: int
    data: OpenedFile
    document: PolicyDocument
    title: str
    secret: bytes = field(repr=False)
    release: Path | None = None
    released: Released | None = None
    compared: ComparedPolicy | None = None
    reason: str = ""
    no_external: str = ""  # why there is no report that may leave the house

    @property
    def has_release(self) -> bool:
        return self.release is not None and self.released is not None

    @property
    def name(self) -> str:
        """In comparisons."""
        return name_of_run(self.id, self.title)

    @property
    def is_shown(self) -> bool:
        return self.released is not None or self.compared is not None or bool(self.reason)

    def to_dict(self) -> dict[str, Any]:
        found = self.released
        headline = found.outline.verdict if found else None
        outcome = self.compared.outcome if self.compared else None
        return {
            "id": self.id,
            "title": self.title,
            "policy": self.document.text,
            "outcome": headline.outcome if headline else "fails" if self.reason else "open",
            "mark": headline.mark if headline else "",
            "sentence": headline.sentence if headline else self.reason,
            "loss": found.loss if found else outcome.information_loss if outcome else None,
            "risk": outcome.risk if outcome else None,
            "k_reached": found.k_reached if found else outcome.k_reached if outcome else None,
            "n_released": found.n_released if found else None,
            "n_suppressed": found.n_suppressed if found else None,
            "seconds": found.seconds if found else outcome.seconds if outcome else None,
            "reason": self.reason,
            "settings": dict(self.compared.settings) if self.compared else {},
            "has_release": self.has_release,
        }


def name_of_run(number: int, title: str) -> str:
    return f"run {number}: {title}"


def title_of(policy: Policy) -> str:
    """The method and what is required, in a few words: mdav, k = 5"""
    asked = (f"{each.measure} = {each.asked:g}" for each in policy.required)
    own = [] if policy.required or policy.k is None else [f"k = {policy.k}"]
    return ", ".join([policy.method.name, *asked, *own])
