"""The common step of a column: the largest number that all of its values are multiples of; 0 where there is none.

Whole years have 1, cents 0.01, sums of money in full hundreds 100. It is folded over pieces of any size and order.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.numbers import LARGEST_INTEGER, to_numbers
from shoal.kernels import Vector

MOST_PLACES = 6  # after the point; more are no decimals, but whatever a computer made


class CommonStep:
    """Of the known values of a column that counts as numbers: dates in days, times in microseconds."""

    def __init__(self) -> None:
        self._places: int | None = 0  # after the point; None: more than decimals have
        self._largest = 0.0
        self._step = Fraction(0)  # that of zeros alone

    def add_cells(self, name: str, cells: pa.ChunkedArray[Any]) -> None:
        numbers = to_numbers(name, cells)
        self.add(numbers.values[~numbers.missing])

    def add(self, known: Vector) -> None:
        if self.is_finer:
            return
        places = _places(known)
        self._places = None if places is None else max(places, self._places or 0)
        self._largest = max(self._largest, float(np.abs(known).max(initial=0.0)))
        if not self.is_finer and places is not None:
            self._step = _common(self._step, _step(known, places))

    @property
    def is_finer(self) -> bool:
        """Than any step that can be counted."""
        return self._places is None or self._largest * 10.0**self._places >= LARGEST_INTEGER

    @property
    def exact(self) -> Fraction:
        return Fraction(0) if self.is_finer else self._step

    @property
    def value(self) -> float:
        return float(self.exact)


def _places(values: Vector) -> int | None:
    """The fewest digits after the point that write all of them."""
    return next((n for n in range(MOST_PLACES + 1) if (np.round(values, n) == values).all()), None)


def _step(values: Vector, places: int) -> Fraction:
    scaled = np.rint(values * 10.0**places).astype(np.int64)
    return Fraction(int(np.gcd.reduce(scaled, initial=0)), 10**places)


def _common(a: Fraction, b: Fraction) -> Fraction:
    denominator = a.denominator * b.denominator
    return Fraction(gcd(a.numerator * b.denominator, b.numerator * a.denominator), denominator)
