"""An attack on a release: who tries it, what they hold, and how often they are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from shoal.findings import Finding, UnmeasuredFigure

AttackSubject = Literal[
    "identity",
    "linkage",
    "attribute",
    "interval",
    "membership",
    "outside columns",
    "partial knowledge",
    "earlier releases",
]


@dataclass(frozen=True)
class Attack:
    """One attack.

    subject   what it discloses
    intruder  who tries it, in a few words, such as "an acquaintance"
    holds     what they hold or know, in a few words
    figure    how often they are right, with the baseline of somebody without the release, and a 95 % interval where it
              is an estimate; or why it is not measured
    is_over_all   whether the figure is a share of all records, which the external edition may show in rounded steps; a
              figure of the worst record, class or combination is not
    """

    subject: AttackSubject
    intruder: str
    holds: str
    figure: Finding | UnmeasuredFigure
    is_over_all: bool = False

    def to_dict(self) -> dict[str, Any]:
        figure = self.figure.to_dict()
        return {"subject": self.subject, "intruder": self.intruder, "holds": self.holds, "figure": figure}
