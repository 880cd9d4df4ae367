"""Totals: how far the (weighted) sums of numbers over a release are from those over the original.

sums by stratum, before and after -> findings

A bound is reported, in percent of the sum of the release, rounded up to one digit and never less than one rounding step
of 2k records contributes: for a stratum of few groups the exact figure would reveal the sum that a rounded mean hides.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np

from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Matrix, Vector


@dataclass(frozen=True)
class Totals:
    """Sums by stratum; suppressed records are in the sums before, but not in those after."""

    names: tuple[str, ...]  # of the columns
    before: Matrix  # (n_strata, n_columns)
    after: Matrix  # (n_strata, n_columns)
    weights: Vector  # (n_strata,) total weight of the released records
    n_records: Labels  # (n_strata,) released records
    steps: Vector  # (n_columns,) of rounding; 0 where nothing was rounded
    k: int
    weighted: bool

    def findings(self) -> Findings:
        return Findings(tuple(self._finding(at) for at in range(len(self.names))))

    def _finding(self, at: int) -> Finding:
        parts = self.before[:, at], self.after[:, at], self.weights, self.n_records.astype(np.float64)
        total_bound = self._bound(at, *(part.sum(keepdims=True) for part in parts))
        stratum_bound = self._bound(at, *parts)
        of_strata = f", that of no stratum by more than {stratum_bound:g} %" if len(self.before) > 1 else ""
        total = "weighted total" if self.weighted else "total"
        meaning = (
            f"The {total} of the release is off by at most so much{of_strata}; rounded up, to hide sums of groups."
        )
        return Finding(f"{total} of {self.names[at]}", total_bound, meaning, unit="%")

    def bounds(self, at: int) -> list[float]:
        """Bound in percent of the sum of a column, for every stratum."""
        parts = self.before[:, at], self.after[:, at], self.weights, self.n_records.astype(np.float64)
        return [_one_digit_up(100 * share) for share in self._shares(at, *parts).tolist()]

    def _bound(self, at: int, *parts: Vector) -> float:
        """Bound in percent for the worst of these strata."""
        return _one_digit_up(100 * float(self._shares(at, *parts).max()))

    def _shares(self, at: int, *parts: Vector) -> Vector:
        """(n_strata,) change in relation to the release; 1 where its sum is 0 and was not before."""
        before, after, weights, n_records = parts
        rounding_error = 2 * self.k * self.steps[at] * weights / np.maximum(n_records, 1)
        change = np.maximum(np.abs(after - before), rounding_error)
        shares: Vector = np.where(after != 0, change / np.where(after != 0, np.abs(after), 1.0), before != 0)
        return shares


def _one_digit_up(percent: float) -> float:
    if percent < 1e-9:  # zero up to rounding errors
        return 0.0
    places = -floor(log10(percent))
    return float(round(ceil(round(percent * 10.0**places, 6)) * 10.0**-places, max(places, 0)))
