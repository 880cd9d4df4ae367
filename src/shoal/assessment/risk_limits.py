"""Risk limits: figures that a release must not exceed to be recommended, and whether it does.

limits by name, Assessment -> one LimitCheck of each

A limit is a share, 0 to 1. A counted figure meets it if it is no larger; an estimate meets it if the upper end of its
95 % interval is no larger. A figure that was not measured meets no limit. Limits change no release and refuse none.
Where a linkage compared only pairs within blocks, the upper end counts everybody whose own record is in none of them.
Figures are means of many chances: those that differ from a limit by rounding errors only are equal to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.findings import Finding, Findings
from shoal.requirements.shares import SLACK

Limits = Mapping[str, float]  # of the names of FIGURES

GAIN = "How much more often a sensitive value is guessed right than without the release, of the worst attack."


@dataclass(frozen=True)
class LimitCheck:
    """One limit and the figure that it bounds, both in percent; ``figure``: None where it was not measured."""

    name: str
    most: float
    figure: Finding | None

    @property
    def reached(self) -> float | None:
        """What is compared with the limit: the upper end of the interval, or the figure where it was counted."""
        if self.figure is None:
            return None
        return self.figure.interval[1] if self.figure.interval else self.figure.estimate

    @property
    def is_met(self) -> bool:
        return self.reached is not None and is_within(self.reached, self.most)

    @property
    def is_open(self) -> bool:
        """Whether the figure itself is within the limit and only its interval is not."""
        return self.figure is not None and not self.is_met and is_within(self.figure.estimate, self.most)

    def to_dict(self) -> dict[str, Any]:
        figure = self.figure.to_dict() if self.figure else None
        return {"limit": self.name, "most": self.most, "figure": figure, "met": self.is_met}


def is_within(share: float, most: float) -> bool:
    """Whether a share is no larger than a limit, up to rounding errors; both in percent."""
    return share <= most + SLACK


def check_limits(limits: Limits, assessment: Assessment) -> tuple[LimitCheck, ...]:
    return tuple(LimitCheck(name, 100 * most, FIGURES[name](assessment)) for name, most in limits.items())


def strictest(policies: Iterable[Limits]) -> Limits:
    """The lowest limit of each name that a policy sets, so that all releases are measured alike."""
    lowest: dict[str, float] = {}
    for limits in policies:
        for name, most in limits.items():
            lowest[name] = min(most, lowest.get(name, most))
    return {name: lowest[name] for name in FIGURES if name in lowest}


def _linked_persons(assessment: Assessment) -> Finding | None:
    """Of the attack that may find the most persons: the share of a small sample may be higher than its estimate."""
    figures = [linkage.findings["linked persons"] for linkage in assessment.linkages.values()]
    return max(figures, key=_upper_end, default=None)


def _attribute_disclosure(assessment: Assessment) -> Finding | None:
    """The largest gain over the baseline among the attacks on sensitive values."""
    figures = [attack.figure for attack in assessment.attacks if attack.subject == "attribute"]
    gains = [_gain(figure) for figure in figures if isinstance(figure, Finding)]
    if not gains or len(gains) < len(figures):
        return None
    return max(gains, key=_upper_end)


def _upper_end(figure: Finding) -> float:
    return figure.interval[1] if figure.interval else figure.estimate


def _gain(figure: Finding) -> Finding:
    base = figure.baseline or 0.0
    interval = (figure.interval[0] - base, figure.interval[1] - base) if figure.interval else None
    return replace(figure, estimate=figure.estimate - base, interval=interval, baseline=None, meaning=GAIN)


def _named(findings: Findings, name: str) -> Finding | None:
    return next((finding for finding in findings if finding.name == name), None)


FIGURES: dict[str, Callable[[Assessment], Finding | None]] = {
    "linked_persons": _linked_persons,
    "prosecutor_risk": lambda assessment: _named(assessment.findings, "highest prosecutor risk"),
    "attribute_disclosure": _attribute_disclosure,
    "suppressed": lambda assessment: _named(assessment.findings, "suppressed records"),
}
