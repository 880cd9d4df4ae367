"""Comparison of policies: risk and loss of the release of each, for one table, and which of them are not dominated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import Exposure
from shoal.assessment.score import Score
from shoal.assessment.utility.moments import BOUNDED
from shoal.errors import plural, visible


@dataclass(frozen=True)
class PolicyOutcome:
    """The figures of the release of a policy, in percent except for k and seconds."""

    k_reached: int
    proven: bool  # False: the policy has no requirement, so there was nothing to prove
    suppressed: float
    information_loss: float  # of all quasi-identifiers, as in the findings
    linked_persons: float  # persons found by the strongest of the linkages tried
    score: Score | None  # as in the literature: its loss has no upper bound
    bounded_loss: float | None  # IL1s, every cell 100 % at most; None without a score
    seconds: float  # taken by protection
    notes: tuple[str, ...] = ()
    exposures: tuple[Exposure, ...] = ()  # more records are exposed than the policy accepts without a warning

    @classmethod
    def of(cls, assessment: Assessment, k_reached: int, *, proven: bool, seconds: float) -> PolicyOutcome:
        found, strongest = assessment.findings, assessment.strongest_linkage
        return cls(
            k_reached,
            proven,
            found["suppressed records"].estimate,
            found["information loss"].estimate,
            100 * strongest[1].risk if strongest else 0.0,
            assessment.score,
            found[BOUNDED].estimate if assessment.score else None,
            seconds,
            assessment.notes,
            assessment.exposures,
        )

    @property
    def bounded_score(self) -> float | None:
        """Half the bounded loss, half the disclosure risk by the strongest linkage."""
        if self.score is None or self.bounded_loss is None:
            return None
        return self.score.bounded(self.bounded_loss)

    def to_dict(self) -> dict[str, Any]:
        return {
            "k_reached": self.k_reached,
            "proven": self.proven,
            "suppressed": self.suppressed,
            "information_loss": self.information_loss,
            "linked": self.linked_persons,
            "score": self.score.to_dict() if self.score else None,
            "bounded_loss": self.bounded_loss,
            "bounded_score": self.bounded_score,
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
        """The settings as given, in one line."""
        return ", ".join(f"{key} = {value}" for key, value in self.settings.items())


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

    def __repr__(self) -> str:
        n = len(self.policies)
        lines = [f"Comparison: {n} {plural(n, 'policy', 'policies')}, {len(self.points)} with a release"]
        lines.append(f"  not dominated: {len(self.frontier)}")
        return "\n".join([*lines, f"  lowest bounded score: {visible(self.best.name)}"] if self.best else lines)

    @cached_property
    def by_score(self) -> bool:
        """Whether all releases have a score. If so, its bounded risk and the bounded loss are compared; else the risk
        of the strongest linkage and the information loss of all quasi-identifiers.
        """
        return all(policy.outcome.score for policy in self.policies if policy.outcome)

    @cached_property
    def points(self) -> tuple[RiskUtilityPoint, ...]:
        """One for every policy that has a release."""
        return tuple(self._point(at, policy.outcome) for at, policy in enumerate(self.policies) if policy.outcome)

    def _point(self, index: int, outcome: PolicyOutcome) -> RiskUtilityPoint:
        if self.by_score and outcome.score and outcome.bounded_loss is not None:
            return RiskUtilityPoint(index, outcome.bounded_loss, outcome.score.bounded_risk)
        return RiskUtilityPoint(index, outcome.information_loss, outcome.linked_persons)

    @property
    def frontier(self) -> tuple[RiskUtilityPoint, ...]:
        """The points that no other dominates, by increasing loss."""
        undominated = [point for point in self.points if not any(other.dominates(point) for other in self.points)]
        return tuple(sorted(undominated, key=lambda point: (point.loss, -point.risk, point.index)))

    @property
    def best(self) -> ComparedPolicy | None:
        """The policy with the lowest bounded score; None where no release has one."""
        scores = [(policy.outcome.bounded_score, at) for at, policy in enumerate(self.policies) if policy.outcome]
        known = [(score, at) for score, at in scores if score is not None]
        return self.policies[min(known)[1]] if known else None

    def to_list(self) -> list[dict[str, Any]]:
        on_frontier = {point.index for point in self.frontier}
        return [
            {
                "policy": policy.name,
                "settings": dict(policy.settings),
                "reason": policy.reason or None,
                "on_frontier": at in on_frontier,
                "release": policy.outcome.to_dict() if policy.outcome else None,
            }
            for at, policy in enumerate(self.policies)
        ]
