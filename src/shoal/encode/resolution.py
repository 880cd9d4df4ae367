"""The resolution of a column: the largest number that all of its values are multiples of; 0 where there is none.

Whole years have 1, cents 0.01, sums of money in full hundreds 100. It is folded over pieces of any size and order.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np
import pyarrow as pa

from shoal.encode.numbers import LARGEST_INTEGER, to_numbers
from shoal.kernels import Vector

MOST_PLACES = 6  # after the point; more are no decimals, but whatever a computer made


class Resolution:
    """Of the known values of a column that counts as numbers: dates in days, times in microseconds."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_finer = False  # than any decimal
        self._step = Fraction(0)  # that of zeros alone

    def add(self, table: pa.Table) -> None:
        if self.is_finer:
            return
        numbers = to_numbers(self.name, table[self.name])
        step = _step(numbers.values[~numbers.missing])
        self.is_finer = step is None
        self._step = _common(self._step, step or Fraction(0))

    @property
    def value(self) -> float:
        return 0.0 if self.is_finer else float(self._step)


def _step(values: Vector) -> Fraction | None:
    for places in range(MOST_PLACES + 1):
        if (np.round(values, places) == values).all():
            scaled = np.rint(values * 10.0**places)
            if np.abs(scaled).max(initial=0.0) >= LARGEST_INTEGER:
                return None
            return Fraction(int(np.gcd.reduce(scaled.astype(np.int64), initial=0)), 10**places)
    return None


def _common(a: Fraction, b: Fraction) -> Fraction:
    denominator = a.denominator * b.denominator
    return Fraction(gcd(a.numerator * b.denominator, b.numerator * a.denominator), denominator)
