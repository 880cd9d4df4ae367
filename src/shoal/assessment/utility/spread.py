"""Distributions of numbers that are spread over intervals, and how far two of them are from each other.

Every number or interval stands for a share of the records, which is uniform in the interval. The distribution function
is then linear between the ends of intervals, so that the largest difference of two (Kolmogorov-Smirnov) and the area
between them (earth mover's distance) are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Vector

NARROWEST = 1e-9  # of the range: a shorter interval counts as one number


@dataclass(frozen=True, eq=False)
class Spread:
    """Shares of the records between ``low`` and ``high``; a number has both ends alike. The shares add up to 1."""

    low: Vector  # (n,)
    high: Vector  # (n,)
    shares: Vector  # (n,)

    @classmethod
    def of_numbers(cls, numbers: Vector, unit: float = 0.0) -> Spread:
        """Every number of the same share. ``unit``: the length of the interval that begins with a number."""
        values, n = np.unique(numbers, return_counts=True)
        return cls(values, values + unit, n / n.sum())

    @property
    def ends(self) -> Vector:
        return np.concatenate([self.low, self.high])

    def limits(self, at: Vector) -> tuple[Vector, Vector]:
        """Shares below each place, and up to and including it."""
        is_number = self.high - self.low <= NARROWEST * (self.high.max() - self.low.min())
        below, up_to = _steps(self.low[is_number], self.shares[is_number], at)
        if is_number.all():
            return below, up_to
        low, high = self.low[~is_number], self.high[~is_number]
        origin, width = low.min(), high.max() - low.min()  # on a unit of its own, so that little is rounded
        ramps = _ramps((low - origin) / width, (high - origin) / width, self.shares[~is_number], (at - origin) / width)
        return below + ramps, up_to + ramps


def _steps(values: Vector, shares: Vector, at: Vector) -> tuple[Vector, Vector]:
    order = np.argsort(values, kind="stable")
    ascending, sums = values[order], np.concatenate([[0.0], np.cumsum(shares[order])])
    return sums[np.searchsorted(ascending, at, side="left")], sums[np.searchsorted(ascending, at, side="right")]


def _ramps(low: Vector, high: Vector, shares: Vector, at: Vector) -> Vector:
    """Shares of the intervals that lie below each place."""
    rates = shares / (high - low)

    def rise(ends: Vector) -> Vector:
        """The sum of rate * (place - end) over all ends below the place."""
        order = np.argsort(ends, kind="stable")
        ascending = ends[order]
        n_below = np.searchsorted(ascending, at, side="right")
        slopes = np.concatenate([[0.0], np.cumsum(rates[order])])[n_below]
        offsets = np.concatenate([[0.0], np.cumsum(rates[order] * ascending)])[n_below]
        risen: Vector = at * slopes - offsets
        return risen

    return np.clip(rise(low) - rise(high), 0.0, 1.0)


def spread_distances(one: Spread, other: Spread) -> tuple[float, float]:
    """The Kolmogorov-Smirnov distance, and the earth mover's distance in the unit of the numbers."""
    places = np.unique(np.concatenate([one.ends, other.ends]))
    (below, up_to), (other_below, other_up_to) = one.limits(places), other.limits(places)
    left, right = below - other_below, up_to - other_up_to
    largest = float(max(np.abs(left).max(), np.abs(right).max()))
    return min(largest, 1.0), float((np.diff(places) * _mean_size(right[:-1], left[1:])).sum())


def _mean_size(start: Vector, stop: Vector) -> Vector:
    """Mean absolute value of functions that are linear from ``start`` to ``stop``."""
    sizes: NDArray[np.float64] = np.abs(start) + np.abs(stop)
    crossing = (start * start + stop * stop) / (2 * np.where(sizes > 0, sizes, 1.0))
    means: Vector = np.where(start * stop >= 0, sizes / 2, crossing)
    return means
