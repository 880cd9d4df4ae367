"""What everybody is taken to know of a column of numbers or dates: from where to where it reaches, and in which steps.

cells, piece by piece -> PublicRange

The step is the greatest common divisor of all differences: 1 of ages, 0.01 of prices, 500 of incomes that are told
in thousands and a half. Numbers with more than six digits after the point have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.numbers import to_numbers
from shoal.kernels import Labels, Vector

MOST_PLACES = 6
MICROSECONDS_OF_A_DAY = 86_400_000_000


@dataclass(frozen=True)
class PublicRange:
    """Numbers, days, or microseconds: of these, ``per_day`` make a day."""

    low: Fraction
    high: Fraction
    step: Fraction
    per_day: int = 1

    @property
    def most(self) -> int:
        """Steps from the lowest to the highest value."""
        return int((self.high - self.low) / self.step)

    @property
    def largest(self) -> Fraction:
        return max(abs(self.low), abs(self.high))


@dataclass
class Steps:
    """What was seen of one column. Adds up over pieces in any order."""

    low: Fraction | None = None
    high: Fraction | None = None
    step: Fraction = Fraction(0)  # 0: all values are one
    are_fine: bool = False  # no step fits
    per_day: int = 1

    def add_cells(self, name: str, cells: pa.ChunkedArray[Any]) -> None:
        if pa.types.is_timestamp(cells.type):
            self.per_day = MICROSECONDS_OF_A_DAY
        numbers = to_numbers(name, cells)
        self.add(numbers.values[~numbers.missing])

    def add(self, values: Vector) -> None:
        """``values``: known ones."""
        if not values.size or self.are_fine:
            return
        scaled = _whole(values)
        if scaled is None:
            self.are_fine = True
            return
        whole, scale = scaled
        least, greatest = (Fraction(int(end), scale) for end in (whole.min(), whole.max()))
        inside = Fraction(int(np.gcd.reduce(whole - whole.min())), scale)
        between = Fraction(0) if self.low is None else abs(least - self.low)
        self.step = _common(_common(self.step, inside), between)
        self.low = least if self.low is None else min(self.low, least)
        self.high = greatest if self.high is None else max(self.high, greatest)

    def found(self) -> PublicRange | None:
        """None where there is nothing to solve: no value, a single one, or too fine ones."""
        if self.are_fine or not self.step or self.low is None or self.high is None:
            return None
        return PublicRange(self.low, self.high, self.step, self.per_day)


def _whole(values: Vector) -> tuple[Labels, int] | None:
    """Whole numbers of a unit 1 / scale, and the scale."""
    for places in range(MOST_PLACES + 1):
        scale = 10**places
        whole = np.rint(values * scale)
        if float(np.abs(whole).max()) > 2**53:
            return None
        if (whole / scale == values).all():
            return whole.astype(np.int64), scale
    return None


def _common(one: Fraction, other: Fraction) -> Fraction:
    """The greatest common divisor."""
    shared = one.denominator * other.denominator
    return Fraction(gcd(one.numerator * other.denominator, other.numerator * one.denominator), shared)
