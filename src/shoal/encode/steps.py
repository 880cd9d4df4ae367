"""Steps: how fine the numbers, dates or times of a column are. The one home of that question.

cells, piece by piece -> digits after the point, lowest and highest value, and the step that all lie apart by

A cell is the shortest decimal that is this number in the type of the column, so that 0.2 of 32 bits is two tenths. The
step is the greatest common divisor of all differences: 1 of ages, 50 of rents that go by fifties, 10 of 1 and 11.
Numbers that need more than six digits after the point, or fifteen in all, come from a computer and not from a person:
they have no step, and keep four digits of their range. All of it hangs on no order and no piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, gcd
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.numbers import LARGEST_EXACT, LARGEST_INTEGER, is_time, plain
from shoal.kernels import Labels, Vector
from shoal.schema.column import MOST_DECIMALS

MOST_PLACES = 6  # after the point, of numbers that count as decimals
MOST_DIGITS = 15  # in all
OF_THE_RANGE = 4  # digits that other numbers keep

Claims = NDArray[np.bool_]


def in_steps(values: Vector, decimals: int) -> Vector:
    """Numbers counted in units of the last digit that is told."""
    return values * float(10**decimals) if decimals >= 0 else values / float(10**-decimals)


def of_steps(steps: Vector, decimals: int) -> Vector:
    """And back: of whole numbers of fifteen digits, the float64 nearest to the decimal; it shows no further digit."""
    return steps / float(10**decimals) if decimals >= 0 else steps * float(10**-decimals)


def to_steps(values: NDArray[Any], decimals: int) -> Vector:
    """The same, and whole where a value has no further digit in its own type, whatever the product is rounded to."""
    whole, are_whole = whole_steps(values, decimals)
    return np.where(are_whole, whole, in_steps(values.astype(np.float64), decimals))


def whole_steps(values: NDArray[Any], decimals: int) -> tuple[Vector, Claims]:
    """The nearest whole number of steps, and whether the value is the number of its own type for that decimal."""
    steps = np.rint(in_steps(values.astype(np.float64), decimals))
    return steps, of_steps(steps, decimals).astype(values.dtype) == values


@dataclass
class Steps:
    """What was seen of one column: numbers, days, or microseconds."""

    places: int = 0  # digits after the point that its cells need; one more than the most: beyond
    low: Fraction | None = None
    high: Fraction | None = None
    apart: Fraction = Fraction(0)  # what divides all differences of what could be counted so far
    anchor: Fraction | None = None  # any of its values

    def add(self, cells: Any) -> None:
        """Cells of another kind are passed by."""
        kind = cells.type
        if not (is_time(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
            return
        known = cells.drop_null()
        if pa.types.is_decimal(kind):  # by their texts: the cast of Arrow is not to the nearest float64
            known = known.cast(pa.string()).cast(pa.float64())
        self.add_numbers(plain("", known).to_numpy())

    def add_numbers(self, values: NDArray[Any]) -> None:
        """Known ones, in their own type; each is counted by the fewest digits that write it."""
        values = values[np.isfinite(values)]
        for places in range(MOST_PLACES + 1):
            whole, are_whole = whole_steps(values, places)
            self._add_whole(whole[are_whole], places)
            values = values[~are_whole]
        if values.size:
            self.places = MOST_PLACES + 1
            self._widen(Fraction(float(values.min())), Fraction(float(values.max())))

    def _add_whole(self, whole: Vector, places: int) -> None:
        """Numbers of 10^-``places``."""
        if not whole.size:
            return
        self.places = max(self.places, places)
        self._widen(*(Fraction(int(end), 10**places) for end in (whole.min(), whole.max())))
        if np.abs(whole).max() < LARGEST_INTEGER:
            self._divide(whole.astype(np.int64), 10**places)

    def _widen(self, low: Fraction, high: Fraction) -> None:
        self.low = low if self.low is None else min(self.low, low)
        self.high = high if self.high is None else max(self.high, high)

    def _divide(self, whole: Labels, scale: int) -> None:
        least = whole.min()
        first, inside = Fraction(int(least), scale), Fraction(int(np.gcd.reduce(whole - least)), scale)
        self.anchor = first if self.anchor is None else self.anchor
        self.apart = _common(_common(self.apart, inside), abs(first - self.anchor))

    @property
    def step(self) -> Fraction:
        """Between two values at least; 0 where they are all one, or too fine to have a step."""
        return self.apart if self._are_counted else Fraction(0)

    @property
    def resolution(self) -> Fraction:
        """The same, and one unit of the last digit where all values are one; 0 where they are too fine."""
        return (self.apart or Fraction(1, 10**self.places)) if self._are_counted else Fraction(0)

    def decimals(self, asked: int | None) -> int | None:
        """Digits after the point of released numbers: what is ``asked``, else those of the column.

        No more than a float64 tells apart; None where that is out of all bounds.
        """
        if self.low is None:
            return asked
        wanted = self._own if asked is None else asked
        found = min(wanted, self._finest)
        return found if abs(found) <= MOST_DECIMALS else None

    def of_means(self, asked: int | None) -> tuple[Fraction, Fraction] | None:
        """How far apart released means lie, and how far above the multiples of that; None where they tell all digits.

        They go by the step of the column, from a value of it; or by the digit that is ``asked``, where that is coarser.
        More digits than the column has are asked for by who wants finer means.
        """
        decimals = self.decimals(asked)
        if decimals is None:
            return None
        digit = Fraction(10) ** -decimals
        if not self.step or self.anchor is None or (asked is not None and asked > self._own):
            return digit, Fraction(0)
        offset = self.anchor % self.step
        fits = (self.step / digit).denominator == 1 and (offset / digit).denominator == 1
        return (self.step, offset) if fits else (digit * ceil(self.step / digit), Fraction(0))

    @property
    def _are_counted(self) -> bool:
        """Whether all values can be told as whole numbers of some unit."""
        largest = self._largest
        if self.places == 0:
            return largest < LARGEST_INTEGER
        return self.places <= MOST_PLACES and largest.scaleb(self.places) <= Decimal(10) ** MOST_DIGITS

    @property
    def _own(self) -> int:
        if self.places == 0 or self._are_counted:
            return self.places
        across = Decimal(float((self.high or Fraction(0)) - (self.low or Fraction(0)))) or self._largest
        return OF_THE_RANGE - 1 - across.adjusted()

    @property
    def _finest(self) -> int:
        """The most decimals with which no number has more than fifteen digits; whole numbers keep theirs, to 2^53."""
        room = MOST_DIGITS - 1 - self._largest.adjusted() if self._largest else MOST_DECIMALS
        return max(room, 0) if self._largest <= LARGEST_EXACT else room

    @property
    def _largest(self) -> Decimal:
        return Decimal(float(max(abs(end or Fraction(0)) for end in (self.low, self.high))))


def _common(one: Fraction, other: Fraction) -> Fraction:
    """The greatest common divisor."""
    shared = one.denominator * other.denominator
    return Fraction(gcd(one.numerator * other.denominator, other.numerator * one.denominator), shared)
