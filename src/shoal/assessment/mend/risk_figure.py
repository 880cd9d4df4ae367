"""The risks of a release that a mend must remove, each with the limit that the policy accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import HOMOGENEOUS, UNIQUE
from shoal.assessment.risk_limits import LimitCheck, is_within

SINGLED_OUT = "singled out by known columns"
COUNTED = ("unique", "homogeneous")  # exposures whose figure is a finding, whether or not it is above its limit


@dataclass(frozen=True)
class RiskFigure:
    """A share of records, in percent, and the largest that the policy accepts."""

    name: str
    share: float
    limit: float

    @property
    def is_above(self) -> bool:
        return not is_within(self.share, self.limit)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def risk_figures(assessment: Assessment, singled_out: float | None, limit: float) -> tuple[RiskFigure, ...]:
    """The risks of a release: records that the columns an intruder may know single out (``singled_out`` percent, of
    which ``limit`` is accepted; None: not measured), and what the policy warns of."""
    own = () if singled_out is None else (RiskFigure(SINGLED_OUT, singled_out, limit),)
    counted = (
        RiskFigure(finding.name, finding.estimate, finding.goal)
        for finding in assessment.findings
        if finding.name.startswith((UNIQUE, HOMOGENEOUS)) and finding.goal is not None
    )
    warned = (
        RiskFigure(f"{each.kind}: {each.columns[0] if each.columns else 'the release'}", each.share, each.limit)
        for each in assessment.exposures
        if each.kind not in COUNTED
    )
    return (*own, *counted, *_worst_by_name(warned))


def limit_figures(checks: Iterable[LimitCheck]) -> tuple[RiskFigure, ...]:
    """The figures of the limits that the policy sets; one that was not measured counts as 100 %, so that no change that
    leaves it unmeasured is called a mend."""
    return tuple(
        RiskFigure(limit_name(each.name), 100.0 if each.reached is None else each.reached, each.most) for each in checks
    )


def limit_name(name: str) -> str:
    return f"limit {name}"


def _worst_by_name(figures: Iterable[RiskFigure]) -> Sequence[RiskFigure]:
    worst: dict[str, RiskFigure] = {}
    for each in figures:
        if each.name not in worst or each.share > worst[each.name].share:
            worst[each.name] = each
    return tuple(worst.values())
