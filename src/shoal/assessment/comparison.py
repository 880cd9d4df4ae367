"""Comparison of policies: risk and loss of the release of each, for one table, and which of them are not dominated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shoal.assessment.assessment import Assessment
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
    linked: float  # persons found by the most successful of the linkages tried
    score: Score | None  # as in the literature: its loss has no upper bound
    bounded_loss: float | None  # IL1s, every cell 100 % at most; None without a score
    seconds: float  # taken by protection
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, assessment: Assessment, k_reached: int, *, proven: bool, seconds: float) -> PolicyOutcome:
        found = assessment.findings
        return cls(
            k_reached,
            proven,
            found["suppressed records"].estimate,
            found["information loss"].estimate,
            100 * max((linkage.risk for linkage in assessment.linkages.values()), default=0.0),
            assessment.score,
            found[BOUNDED].estimate if assessment.score else None,
            seconds,
            assessment.notes,
        )

    @property
    def bounded_score(self) -> float | None:
        """Half the bounded loss, half the disclosure risk of the score."""
        if self.score is None or self.bounded_loss is None:
            return None
        return 0.5 * self.bounded_loss + 0.5 * self.score.disclosure_risk

    def to_dict(self) -> dict[str, Any]:
        return {
            "k_reached": self.k_reached,
            "proven": self.proven,
            "suppressed": self.suppressed,
            "information_loss": self.information_loss,
            "linked": self.linked,
            "score": self.score.to_dict() if self.score else None,
            "bounded_loss": self.bounded_loss,
            "bounded_score": self.bounded_score,
            "seconds": self.seconds,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class ComparedPolicy:
    """One policy: the figures of its release, or the reason why there is none."""

    name: str
    settings: Mapping[str, Any]
    made: PolicyOutcome | None
    reason: str = ""

    @property
    def words(self) -> str:
        """The settings as given, in one line."""
        return ", ".join(f"{key} = {value}" for key, value in self.settings.items())


@dataclass(frozen=True)
class RiskUtilityPoint:
    """Risk and loss of a release, both in percent."""

    place: int  # index of its policy
    loss: float
    risk: float

    def beats(self, other: RiskUtilityPoint) -> bool:
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
        """Whether all releases have a score. If so, its disclosure risk and the bounded loss are compared; else the
        risk of the best linkage and the information loss of all quasi-identifiers.
        """
        return all(tried.made.score for tried in self.policies if tried.made)

    @cached_property
    def points(self) -> tuple[RiskUtilityPoint, ...]:
        """One for every policy that has a release."""
        return tuple(self._point(at, tried.made) for at, tried in enumerate(self.policies) if tried.made)

    def _point(self, place: int, made: PolicyOutcome) -> RiskUtilityPoint:
        if self.by_score and made.score and made.bounded_loss is not None:
            return RiskUtilityPoint(place, made.bounded_loss, made.score.disclosure_risk)
        return RiskUtilityPoint(place, made.information_loss, made.linked)

    @property
    def frontier(self) -> tuple[RiskUtilityPoint, ...]:
        """The points that no other dominates, by increasing loss."""
        unbeaten = [point for point in self.points if not any(other.beats(point) for other in self.points)]
        return tuple(sorted(unbeaten, key=lambda point: (point.loss, -point.risk, point.place)))

    @property
    def best(self) -> ComparedPolicy | None:
        """The policy with the lowest bounded score; None where no release has one."""
        scores = [(t.made.bounded_score, at) for at, t in enumerate(self.policies) if t.made]
        known = [(score, at) for score, at in scores if score is not None]
        return self.policies[min(known)[1]] if known else None

    def to_list(self) -> list[dict[str, Any]]:
        on_it = {point.place for point in self.frontier}
        return [
            {
                "policy": tried.name,
                "settings": dict(tried.settings),
                "reason": tried.reason or None,
                "on_frontier": at in on_it,
                "release": tried.made.to_dict() if tried.made else None,
            }
            for at, tried in enumerate(self.policies)
        ]
