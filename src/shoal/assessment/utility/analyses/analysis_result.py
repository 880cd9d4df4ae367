"""The result of an analysis on original and release, side by side.

The overlap of two confidence intervals is that of Karr, Kohnen, Oganian, Reiter & Sanil (2006), A framework for
evaluating the utility of data altered to protect confidentiality, doi:10.1198/000313006X124640: the length that both
share, in relation to each of them, averaged; 0 where they share nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Literal

from shoal.assessment.utility.analyses.held_out_score import HeldOutScore
from shoal.confidence import QUANTILE
from shoal.findings import Finding, Findings, four_digits

Model = Literal["linear regression", "logistic regression", "classifier", "regressor"]
Interval = tuple[float, float]

SAME, SIMILAR = 80.0, 50.0  # percent of overlap from which words say so


def interval_overlap(original: Interval, released: Interval) -> float:
    """Overlap of two confidence intervals, from 0 to 1. Intervals without a length overlap if they are alike."""
    shared = min(original[1], released[1]) - max(original[0], released[0])
    lengths = original[1] - original[0], released[1] - released[0]
    if min(lengths) <= 0:
        return float(tuple(original) == tuple(released))
    return max(0.0, (shared / lengths[0] + shared / lengths[1]) / 2)


@dataclass(frozen=True)
class CoefficientPair:
    """A coefficient with its standard error, before and after; None where it cannot be estimated."""

    name: str
    before: float
    error_before: float
    after: float | None
    error_after: float | None

    @property
    def interval_before(self) -> Interval:
        """95 % confidence interval."""
        return self.before - QUANTILE * self.error_before, self.before + QUANTILE * self.error_before

    @property
    def interval_after(self) -> Interval | None:
        if self.after is None or self.error_after is None:
            return None
        return self.after - QUANTILE * self.error_after, self.after + QUANTILE * self.error_after

    @property
    def overlap(self) -> float:
        """Percent; 0 where the release does not have the coefficient."""
        after = self.interval_after
        return 0.0 if after is None else 100 * interval_overlap(self.interval_before, after)

    def to_dict(self) -> dict[str, Any]:
        figures = {name: _finite(value) for name, value in asdict(self).items() if name != "name"}
        return {"name": self.name, **figures, "overlap": self.overlap}


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


@dataclass(frozen=True)
class AnalysisResult:
    name: str
    model: Model
    target: str
    event: str | None  # of a logistic regression: the value whose odds are explained
    coefficients: tuple[CoefficientPair, ...]  # none of a classifier or regressor
    score: HeldOutScore
    n_before: int  # records that the model was fitted on
    n_after: int
    n_held_out: int
    notes: tuple[str, ...]

    @property
    def overlap(self) -> float | None:
        """Mean overlap of the confidence intervals of all coefficients, in percent."""
        overlaps = [coefficient.overlap for coefficient in self.coefficients]
        return sum(overlaps) / len(overlaps) if overlaps else None

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        score, overlap = self.score, self.overlap
        what = "of the held-out records are predicted rightly" if score.measure == "accuracy" else (
            "of the variance of held-out records is explained"
        )  # fmt: skip
        held_out = (
            f"{four_digits(score.after)} % {what} when fitted on the release, {four_digits(score.before)} % when "
            f"fitted on the original, {four_digits(score.baseline)} % without any column"
        )
        if overlap is None:
            return f"{self.name}: {held_out}."
        answer = (
            "the same answer" if overlap >= SAME else "a similar answer" if overlap >= SIMILAR else "another answer"
        )
        return f"{self.name} gives {answer}: overlap {overlap:.0f} %; {held_out}."

    def findings(self) -> Findings:
        score = self.score
        first = Finding(
            f"{self.name}, {score.measure}",
            score.after,
            f"{self.model.capitalize()} of '{self.target}', fitted on the release and scored on {self.n_held_out:,} "
            f"original records held out of it; fitted on the original: {four_digits(score.before)} %.",
            interval=score.interval,
            baseline=score.baseline,
            unit="%",
        )
        if self.overlap is None:
            return Findings((first,))
        meaning = f"Mean over {len(self.coefficients)} coefficients, of the fits on original and release; 100 %: alike."
        overlap = Finding(f"{self.name}, overlap of confidence intervals", self.overlap, meaning, unit="%")
        return Findings((first, overlap))

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "model": self.model,
            "target": self.target,
            "event": self.event,
            "overlap": self.overlap,
            "coefficients": [coefficient.to_dict() for coefficient in self.coefficients],
            "score": {**asdict(self.score), "interval": list(self.score.interval)},
            "n_before": self.n_before,
            "n_after": self.n_after,
            "n_held_out": self.n_held_out,
            "notes": list(self.notes),
        }


def coefficient_pairs(
    names: Sequence[str], before: Sequence[tuple[float, float]], after: Sequence[tuple[float, float]]
) -> tuple[CoefficientPair, ...]:
    """Coefficients and standard errors by name, of both fits; one that the original cannot estimate is left out."""
    return tuple(
        CoefficientPair(name, *first, *(second if all(map(isfinite, second)) else (None, None)))
        for name, first, second in zip(names, before, after, strict=True)
        if all(map(isfinite, first))
    )
