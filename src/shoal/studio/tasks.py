"""The tasks of jobs: each a few lines over the pipeline, run in a process of its own.

A task is a frozen value that can be pickled. It hands over what it finds by ``answer``, a part at a time, so that what
is done stays when the rest is canceled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from shoal import progress
from shoal.assessment.comparison import ComparedPolicy
from shoal.errors import EngineError, PageError, ShoalError, SourceError
from shoal.studio.messages import Measured, NotExternal, Profiled, Proposed, Released
from shoal.studio.policy_document import PolicyDocument

Answer = Callable[[Any], None]
JobKind = Literal["propose", "profile", "forecast", "protect", "grid"]
REPORT, EXTERNAL_REPORT = "report.html", "report.external.html"
IN_PIECES = (
    "It is proved against the whole original, for which this table is too large: it was protected in pieces. The other "
    "files are complete."
)


@dataclass(frozen=True)
class Task(ABC):
    data: Path
    kind: ClassVar[JobKind]

    @property
    @abstractmethod
    def title(self) -> str: ...

    @abstractmethod
    def run(self, answer: Answer) -> None: ...


@dataclass(frozen=True)
class ProposeTask(Task):
    """A draft policy, meant for ``file``."""

    file: Path
    kind: ClassVar[JobKind] = "propose"

    @property
    def title(self) -> str:
        return f"Propose a policy for {self.data.name}"

    def run(self, answer: Answer) -> None:
        from shoal.policy.propose import propose

        with progress.stage("reading the table and guessing roles", 0):
            found = propose(self.data, policy=self.file)
        answer(Proposed(found.text, found.suggestions, found.questions, found.hints))


@dataclass(frozen=True)
class ProfileTask(Task):
    """Who is at risk in the original, and which columns cause it."""

    document: PolicyDocument
    kind: ClassVar[JobKind] = "profile"

    @property
    def title(self) -> str:
        return f"Look at {self.data.name}"

    def run(self, answer: Answer) -> None:
        from shoal.pipeline.profile import profile
        from shoal.report.profile_outline import profile_outline

        found = profile(self.data, self.document.policy)
        answer(Profiled(profile_outline(found, self.data.name), found.columns, found.n_records))


@dataclass(frozen=True)
class ForecastTask(Task):
    """Engine, time, memory and disk of a run."""

    document: PolicyDocument
    kind: ClassVar[JobKind] = "forecast"

    @property
    def title(self) -> str:
        return f"Forecast of {self.data.name}"

    def run(self, answer: Answer) -> None:
        from shoal.pipeline.protect.forecast import forecast

        with progress.stage("trying the policy on samples", 0):
            answer(forecast(self.data, self.document.policy))


@dataclass(frozen=True)
class ProtectTask(Task):
    """The release, written to ``release`` and proved, with its reports; then its risk, for comparisons."""

    document: PolicyDocument
    secret: bytes = field(repr=False)
    release: Path
    name: str  # in comparisons
    kind: ClassVar[JobKind] = "protect"

    @property
    def title(self) -> str:
        return f"Protect {self.data.name}"

    def run(self, answer: Answer) -> None:
        from shoal.linkage.intruder import Intruder
        from shoal.pipeline.compare import outcome_of
        from shoal.pipeline.protect.protect import protect
        from shoal.report.outline import outline

        policy, report = self.document.policy, self.release.with_name(REPORT)
        found = protect(self.data, policy, output=self.release, report=report, key=self.secret)
        manifest, counts = found.manifest, found.manifest.counts
        answer(
            Released(
                outline(manifest, found.assessment),
                policy.digest(),
                manifest.k_reached,
                counts["n_released"],
                counts["n_suppressed"],
                found.findings["information loss"].estimate,
                manifest.cost.seconds,
            )
        )
        if found.records is None:
            answer(NotExternal(IN_PIECES))
        else:
            with progress.stage("proving the external report", 0):
                self._write_external(found, answer)
        with progress.stage("comparing the release with its original", 0):
            outcome = outcome_of(found, self.data, Intruder(), policy.limits.by_name)
        answer(Measured(0, ComparedPolicy(self.name, {}, outcome)))

    def _write_external(self, found: Any, answer: Answer) -> None:
        """The report that may leave the house, where it is proved to show nothing about fewer than k records."""
        from shoal.pipeline.page_check import page_proof, raise_faults
        from shoal.sources import whole_file

        page = found.report("html", "external")
        try:
            raise_faults(page_proof(page, "html", self.data, self.release, found.policy))
        except PageError as reason:
            answer(NotExternal(str(reason)))
            return
        with whole_file(self.release.with_name(EXTERNAL_REPORT)) as draft:
            draft.write_text(page, encoding="utf-8")


@dataclass(frozen=True)
class Variant:
    """A policy of a grid."""

    name: str
    settings: Mapping[str, Any]
    document: PolicyDocument


@dataclass(frozen=True)
class GridTask(Task):
    """The figures of the release of every policy, by the key that a run of it would have; nothing is written."""

    variants: tuple[Variant, ...]
    secret: bytes = field(repr=False)
    kind: ClassVar[JobKind] = "grid"

    @property
    def title(self) -> str:
        return f"Compare {len(self.variants)} policies on {self.data.name}"

    def run(self, answer: Answer) -> None:
        with progress.stage("comparing policies", len(self.variants)) as done:
            for at, variant in enumerate(self.variants):
                answer(Measured(at, self._compared(variant)))
                done(at + 1)

    def _compared(self, variant: Variant) -> ComparedPolicy:
        from shoal.linkage.intruder import Intruder
        from shoal.pipeline.compare import outcome_of
        from shoal.pipeline.protect.protect import protect

        policy = variant.document.policy
        try:
            found = protect(self.data, policy, key=self.secret)
            outcome = outcome_of(found, self.data, Intruder(), policy.limits.by_name)
        except (SourceError, EngineError):  # not caused by the policy
            raise
        except ShoalError as reason:
            return ComparedPolicy(variant.name, variant.settings, None, str(reason))
        return ComparedPolicy(variant.name, variant.settings, outcome)
