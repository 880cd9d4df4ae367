"""Comparison of policies: risk and loss of the release of each, for one table, which of them are not dominated, and
which one loses least within the risk limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from shoal import notebook
from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import Exposure
from shoal.assessment.pair_comparison import PairComparison
from shoal.assessment.risk.risk_difference import risk_difference
from shoal.assessment.risk_limits import LimitCheck, Limits, check_limits
from shoal.assessment.score import Score
from shoal.assessment.setting_labels import setting_labels
from shoal.assessment.utility.moments import BOUNDED
from shoal.errors import ComparisonError, plural, visible
from shoal.linkage.linkage_risk import Linkage


@dataclass(frozen=True)
class PolicyOutcome:
    """The figures of the release of a policy, in percent except for k and seconds."""

    k_reached: int
    proven: bool  # False: the policy has no requirement, so there was nothing to prove
    suppressed: float
    information_loss: float  # of all quasi-identifiers, as in the findings
    linked_persons: float | None  # persons found by the strongest of the linkages tried; None: none could be tried
    score: Score | None  # as in the literature: its loss has no upper bound
    bounded_loss: float | None  # IL1s, every cell 100 % at most; None without a score
    seconds: float  # taken by protection
    notes: tuple[str, ...] = ()
    exposures: tuple[Exposure, ...] = ()  # more records are exposed than the policy accepts without a warning
    linkage: Linkage | None = field(default=None, repr=False, compare=False)  # the most successful one
    limit_checks: tuple[LimitCheck, ...] = ()  # of every limit that the comparison has
    form: str = ""  # centroids, extents or anatomy
    numeric_only: bool = True  # all quasi-identifiers are numbers or dates, so that the bounded loss covers all
    linked_bound: float | None = None  # highest upper end of the intervals of all linkages; None: none could be tried
    leaves_out_pairs: bool = False  # some linkage compared only pairs within blocks, and these lack true pairs

    @classmethod
    def of(
        cls,
        assessment: Assessment,
        k_reached: int,
        *,
        proven: bool,
        seconds: float,
        limits: Limits | None = None,
        form: str = "",
        numeric_only: bool = True,
    ) -> PolicyOutcome:
        found, strongest = assessment.findings, assessment.strongest_linkage
        linkage = strongest[1] if strongest else None
        return cls(
            k_reached,
            proven,
            found["suppressed records"].estimate,
            found["information loss"].estimate,
            100 * linkage.risk if linkage else None,
            assessment.score,
            found[BOUNDED].estimate if assessment.score else None,
            seconds,
            assessment.notes,
            assessment.exposures,
            linkage,
            check_limits(limits or {}, assessment),
            form,
            numeric_only,
            max((100 * each.highest_risk for each in assessment.linkages.values()), default=None),
            any(each.lost_pairs for each in assessment.linkages.values()),
        )

    @property
    def bounded_score(self) -> float | None:
        """Half the bounded loss, half the disclosure risk by the strongest linkage."""
        if self.score is None or self.bounded_loss is None:
            return None
        return self.score.bounded(self.bounded_loss)

    @property
    def linked_interval(self) -> tuple[float, float] | None:
        """95 % interval of the persons found, in percent; None where everybody was searched for, or nobody."""
        interval = self.linkage.reported_interval if self.linkage else None
        return (100 * interval[0], 100 * interval[1]) if interval else None

    @property
    def risk(self) -> float | None:
        """The persons found, as releases are compared by: a blocking that leaves out pairs lowers it for none."""
        return self.linked_bound if self.leaves_out_pairs else self.linked_persons

    @property
    def meets_limits(self) -> bool:
        return all(check.is_met for check in self.limit_checks)

    def to_dict(self) -> dict[str, Any]:
        return {
            "k_reached": self.k_reached,
            "proven": self.proven,
            "suppressed": self.suppressed,
            "information_loss": self.information_loss,
            "linked": self.linked_persons,
            "linked_interval": self.linked_interval,
            "score": self.score.to_dict() if self.score else None,
            "bounded_loss": self.bounded_loss,
            "bounded_score": self.bounded_score,
            "limits": [check.to_dict() for check in self.limit_checks],
            "seconds": self.seconds,
            "notes": list(self.notes),
            "warnings": [exposure.to_dict() for exposure in self.exposures],
        }


@dataclass(frozen=True)
class ComparedPolicy:
    """One policy: the figures of its release, or the reason why there is none."""

    name: str
    settings: Mapping[str, Any]
    outcome: PolicyOutcome | None
    reason: str = ""

    @property
    def settings_text(self) -> str:
        """The settings in one line, such as: k = 3, method = mdav"""
        labels = setting_labels(tuple(self.settings))
        return ", ".join(f"{labels[key]} = {value}" for key, value in self.settings.items())


@dataclass(frozen=True)
class RiskUtilityPoint:
    """Risk and loss of a release, both in percent."""

    index: int  # index of its policy
    loss: float
    risk: float

    def dominates(self, other: RiskUtilityPoint) -> bool:
        """Whether it dominates ``other``: no worse in both, and better in one."""
        no_worse = self.loss <= other.loss and self.risk <= other.risk
        return no_worse and (self.loss, self.risk) != (other.loss, other.risk)


@dataclass(frozen=True)
class Comparison:
    policies: tuple[ComparedPolicy, ...]
    limits: Limits = field(default_factory=dict)  # shares by name, the strictest of all policies

    def __repr__(self) -> str:
        n = len(self.policies)
        lines = [f"Comparison: {n} {plural(n, 'policy', 'policies')}, {self.n_releases} with a release"]
        lines.append(f"  not dominated: {len(self.frontier)}")
        named = visible(self.name_of(self.recommended)) if self.recommended is not None else "none"
        return "\n".join([*lines, f"  recommended: {named}"])

    def _repr_html_(self) -> str | None:
        return notebook.fragment(self)

    @cached_property
    def by_bounded_loss(self) -> bool:
        """Whether losses are compared by IL1s, which is measured alike for means and intervals but of numbers only: if
        all quasi-identifiers are numbers, or if some releases have means and others intervals. Otherwise by the
        information loss of all quasi-identifiers.
        """
        made = [policy.outcome for policy in self.policies if policy.outcome]
        are_scored = all(outcome.score for outcome in made)
        return are_scored and (
            all(outcome.numeric_only for outcome in made) or len({outcome.form for outcome in made}) > 1
        )

    @cached_property
    def points(self) -> tuple[RiskUtilityPoint, ...]:
        """One for every release on which a linkage could be tried: its loss, and the persons found by the best one,
        with all whose pairs a blocking left out. Of the others the risk is not known, so that they are on no frontier
        and never recommended."""
        return tuple(
            RiskUtilityPoint(at, self._loss(policy.outcome), policy.outcome.risk)
            for at, policy in enumerate(self.policies)
            if policy.outcome and policy.outcome.risk is not None
        )

    @property
    def n_releases(self) -> int:
        return sum(policy.outcome is not None for policy in self.policies)

    def _loss(self, outcome: PolicyOutcome) -> float:
        is_bounded = self.by_bounded_loss and outcome.bounded_loss is not None
        return outcome.bounded_loss if is_bounded and outcome.bounded_loss is not None else outcome.information_loss

    @property
    def frontier(self) -> tuple[RiskUtilityPoint, ...]:
        """The points that no other dominates, by increasing loss."""
        undominated = [point for point in self.points if not any(other.dominates(point) for other in self.points)]
        return tuple(sorted(undominated, key=lambda point: (point.loss, -point.risk, point.index)))

    @property
    def recommended(self) -> int | None:
        """Index of the policy whose release loses least among those that meet all limits, on a tie the one of lower
        risk; None without limits, and where no release meets them."""
        if not self.limits:
            return None
        meeting = [point for point in self.points if self._outcome(point.index).meets_limits]
        return min(meeting, key=lambda point: (point.loss, point.risk, point.index)).index if meeting else None

    def settings_of(self, index: int) -> str:
        """What tells a policy from the others: its settings, and its name where there are several or no settings."""
        policy = self.policies[index]
        is_named = len({each.name for each in self.policies}) > 1 or not policy.settings
        return ", ".join(text for text in (policy.name if is_named else "", policy.settings_text) if text)

    def name_of(self, index: int) -> str:
        """The number of a policy, from 1, with what tells it from the others: 2 (k = 3)"""
        return f"{index + 1} ({self.settings_of(index)})"

    def pair(self, one: int, other: int) -> PairComparison:
        """Which of two releases is better; the policies are numbered from 1, as in the report."""
        points = {point.index + 1: point for point in self.points}
        for number in (one, other):
            if number not in points or one == other:
                raise ComparisonError.no_pair(one, other, tuple(points))
        first, second = (self._outcome(number - 1).linkage for number in (one, other))
        return PairComparison(
            (one, other),
            points[one].loss - points[other].loss,
            risk_difference(first, second) if first and second else None,
        )

    def _outcome(self, index: int) -> PolicyOutcome:
        outcome = self.policies[index].outcome
        assert outcome is not None, "a point has a release"
        return outcome

    def to_list(self) -> list[dict[str, Any]]:
        on_frontier = {point.index for point in self.frontier}
        return [
            {
                "policy": policy.name,
                "settings": dict(policy.settings),
                "reason": policy.reason or None,
                "on_frontier": at in on_frontier,
                "recommended": at == self.recommended,
                "release": policy.outcome.to_dict() if policy.outcome else None,
            }
            for at, policy in enumerate(self.policies)
        ]
