"""Statistics of all records that are needed before any can be encoded: sums that add up piece by piece.

The sums are exact, so pieces of any size and in any order give the same statistics, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from shoal import kernels
from shoal.encode.number_column import to_numbers
from shoal.kernels import Vector


@dataclass(frozen=True)
class Moments:
    """Moments of the known values of a numeric or date column."""

    n_known: int
    n_missing: int
    low: float
    high: float
    mean: float
    deviation: float  # divisor n; 0 for a constant column

    @property
    def constant(self) -> bool:
        return self.low >= self.high


@dataclass(frozen=True)
class Sums:
    """First pass: counts, minimum, maximum and sum of a column."""

    n_known: int
    n_missing: int
    low: float
    high: float
    total: kernels.ExactSums

    @classmethod
    def of(cls, name: str, piece: pa.Table) -> Sums:
        numbers = to_numbers(name, piece[name])
        known: Vector = numbers.values[~numbers.missing]
        total = kernels.ExactSums(1)
        total.add(np.ascontiguousarray(known[:, None]))
        low, high = float(known.min(initial=np.inf)), float(known.max(initial=-np.inf))
        return cls(len(known), len(numbers.values) - len(known), low, high, total)

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.n_known + other.n_known,
            self.n_missing + other.n_missing,
            min(self.low, other.low),
            max(self.high, other.high),
            self.total + other.total,
        )

    @property
    def mean(self) -> float:
        return float(self.total.values()[0]) / self.n_known if self.n_known else 0.0

    def moments(self, squares: kernels.ExactSums) -> Moments:
        """``squares``: the differences from the mean, squared and summed in a second pass."""
        variance = float(squares.values()[0]) / max(self.n_known, 1)
        deviation = float(np.sqrt(variance)) if self.low < self.high else 0.0
        return Moments(self.n_known, self.n_missing, self.low, self.high, self.mean, deviation)


def squares_of(name: str, mean: float, piece: pa.Table) -> kernels.ExactSums:
    """Second pass: squared differences from the mean."""
    numbers, squares = to_numbers(name, piece[name]), kernels.ExactSums(1)
    squares.add_squares(np.ascontiguousarray(numbers.values[~numbers.missing][:, None]), np.array([mean]))
    return squares


@dataclass(frozen=True)
class WinsorizedMoments:
    """Mean and standard deviation of a column whose values are clamped to two ends, so that a few extreme values do not
    dominate them. In one pass, by squared differences from the midpoint of the ends."""

    low: float
    high: float
    n_known: int
    total: kernels.ExactSums
    squares: kernels.ExactSums

    @classmethod
    def of(cls, name: str, low: float, high: float, piece: pa.Table) -> WinsorizedMoments:
        numbers, total, squares = to_numbers(name, piece[name]), kernels.ExactSums(1), kernels.ExactSums(1)
        known = np.clip(numbers.values[~numbers.missing], low, high) - _middle(low, high)
        column = np.ascontiguousarray(known[:, None])
        total.add(column)
        squares.add_squares(column, np.zeros(1))
        return cls(low, high, len(known), total, squares)

    def __add__(self, other: WinsorizedMoments) -> WinsorizedMoments:
        return WinsorizedMoments(
            self.low,
            self.high,
            self.n_known + other.n_known,
            self.total + other.total,
            self.squares + other.squares,
        )

    @property
    def mean(self) -> float:
        return _middle(self.low, self.high) + self._from_middle

    @property
    def deviation(self) -> float:
        """Standard deviation with divisor n."""
        squares = float(self.squares.values()[0]) / max(self.n_known, 1)
        return float(np.sqrt(max(squares - self._from_middle**2, 0.0))) if self.low < self.high else 0.0

    @property
    def _from_middle(self) -> float:
        return float(self.total.values()[0]) / max(self.n_known, 1)


def _middle(low: float, high: float) -> float:
    return low + (high - low) / 2
