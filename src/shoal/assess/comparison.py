"""Policies compared: what each release of one table risks and costs, and which of them no other beats on both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shoal.assess.assessment import Assessment
from shoal.assess.score import Score


@dataclass(frozen=True)
class Made:
    """A release of a policy, in figures. Percent, but k and seconds."""

    k_reached: int
    proven: bool  # False: the policy asks for nothing, so nothing was promised
    suppressed: float
    information_loss: float  # of all quasi-identifiers, as in the findings
    linked: float  # persons found by the best of the linkages that were tried
    score: Score | None
    seconds: float  # that protecting took
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, assessment: Assessment, k_reached: int, *, proven: bool, seconds: float) -> Made:
        found = assessment.findings
        return cls(
            k_reached,
            proven,
            found["suppressed records"].estimate,
            found["information loss"].estimate,
            100 * max((linkage.risk for linkage in assessment.linkages.values()), default=0.0),
            assessment.score,
            seconds,
            assessment.notes,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "k_reached": self.k_reached,
            "proven": self.proven,
            "suppressed": self.suppressed,
            "information_loss": self.information_loss,
            "linked": self.linked,
            "score": self.score.to_dict() if self.score else None,
            "seconds": self.seconds,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Tried:
    """One policy: what became of it, or the reason why nothing did."""

    name: str
    settings: Mapping[str, Any]
    made: Made | None
    reason: str = ""

    @property
    def words(self) -> str:
        """Its settings, as they were given."""
        return ", ".join(f"{key} = {value}" for key, value in self.settings.items())


@dataclass(frozen=True)
class Point:
    """A release on the map of risk and loss, both in percent."""

    place: int  # of its policy
    loss: float
    risk: float

    def beats(self, other: Point) -> bool:
        """No worse in both, and better in one."""
        no_worse = self.loss <= other.loss and self.risk <= other.risk
        return no_worse and (self.loss, self.risk) != (other.loss, other.risk)


@dataclass(frozen=True)
class Comparison:
    policies: tuple[Tried, ...]

    @cached_property
    def by_score(self) -> bool:
        """Whether all releases have a score, so that risk and loss are its halves; else the best linkage, and loss."""
        return all(tried.made.score for tried in self.policies if tried.made)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Of all policies that could be met."""
        return tuple(self._point(at, tried.made) for at, tried in enumerate(self.policies) if tried.made)

    def _point(self, place: int, made: Made) -> Point:
        if self.by_score and made.score:
            return Point(place, made.score.information_loss, made.score.disclosure_risk)
        return Point(place, made.information_loss, made.linked)

    @property
    def frontier(self) -> tuple[Point, ...]:
        """Those that no other beats, by rising loss."""
        unbeaten = [point for point in self.points if not any(other.beats(point) for other in self.points)]
        return tuple(sorted(unbeaten, key=lambda point: (point.loss, -point.risk, point.place)))

    @property
    def best(self) -> Tried | None:
        """The lowest score; None where releases have none."""
        scores = {
            at: tried.made.score.value for at, tried in enumerate(self.policies) if tried.made and tried.made.score
        }
        return self.policies[min(scores, key=lambda at: scores[at])] if scores else None

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
