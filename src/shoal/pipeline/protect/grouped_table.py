"""Records after a method was applied, and the figures of its plans."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from shoal.assessment.utility.cut_plan import CutPlan
from shoal.engines.protocol import F
from shoal.findings import Findings
from shoal.pipeline.files.certificates import PlanCertificate


@dataclass(frozen=True)
class PlanReport:
    """Figures, findings and certificates of the cut trees of one key set, or of all."""

    plans: tuple[CutPlan, ...] = ()
    findings: Findings = field(default_factory=Findings)
    certificates: tuple[PlanCertificate, ...] = ()

    def __add__(self, more: PlanReport) -> PlanReport:
        return PlanReport(self.plans + more.plans, self.findings + more.findings, self.certificates + more.certificates)


@dataclass(frozen=True)
class GroupedTable(Generic[F]):
    frame: F  # all records, with a group for each released record
    told: PlanReport = field(default_factory=PlanReport)

    def further(self, frame: F, more: PlanReport) -> GroupedTable[F]:
        """The state after the next key set."""
        return GroupedTable(frame, self.told + more)
