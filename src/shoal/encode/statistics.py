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


class Sums:
    """First pass: counts, minimum, maximum and sum."""

    def __init__(self, name: str) -> None:
        self.name, self.n_known, self.n_missing = name, 0, 0
        self.low, self.high, self.total = np.inf, -np.inf, kernels.ExactSums(1)

    def add(self, table: pa.Table) -> None:
        numbers = to_numbers(self.name, table[self.name])
        known: Vector = numbers.values[~numbers.missing]
        self.n_known += len(known)
        self.n_missing += len(numbers.values) - len(known)
        self.low = min(self.low, float(known.min(initial=np.inf)))
        self.high = max(self.high, float(known.max(initial=-np.inf)))
        self.total.add(np.ascontiguousarray(known[:, None]))

    @property
    def mean(self) -> float:
        return float(self.total.values()[0]) / self.n_known if self.n_known else 0.0


class Squares:
    """Second pass: squared differences from the mean."""

    def __init__(self, sums: Sums) -> None:
        self.sums, self.total = sums, kernels.ExactSums(1)

    def add(self, table: pa.Table) -> None:
        numbers = to_numbers(self.sums.name, table[self.sums.name])
        known = np.ascontiguousarray(numbers.values[~numbers.missing][:, None])
        self.total.add_squares(known, np.array([self.sums.mean]))

    def moments(self) -> Moments:
        sums = self.sums
        squares = float(self.total.values()[0]) / max(sums.n_known, 1)
        deviation = float(np.sqrt(squares)) if sums.low < sums.high else 0.0
        return Moments(sums.n_known, sums.n_missing, sums.low, sums.high, sums.mean, deviation)


class WinsorizedMoments:
    """Mean and standard deviation of a column whose values are clamped to two ends, so that a few extreme values do not
    dominate them. In one pass, by squared differences from the midpoint of the ends."""

    def __init__(self, name: str, low: float, high: float) -> None:
        self.name, self.low, self.high, self.n_known = name, low, high, 0
        self.total, self.squares = kernels.ExactSums(1), kernels.ExactSums(1)

    def add(self, table: pa.Table) -> None:
        numbers = to_numbers(self.name, table[self.name])
        known = np.clip(numbers.values[~numbers.missing], self.low, self.high) - self._middle
        self.n_known += len(known)
        column = np.ascontiguousarray(known[:, None])
        self.total.add(column)
        self.squares.add_squares(column, np.zeros(1))

    @property
    def _middle(self) -> float:
        return self.low + (self.high - self.low) / 2

    @property
    def mean(self) -> float:
        return self._middle + self._from_middle

    @property
    def deviation(self) -> float:
        """Standard deviation with divisor n."""
        squares = float(self.squares.values()[0]) / max(self.n_known, 1)
        return float(np.sqrt(max(squares - self._from_middle**2, 0.0))) if self.low < self.high else 0.0

    @property
    def _from_middle(self) -> float:
        return float(self.total.values()[0]) / max(self.n_known, 1)
