"""Resolution: how fine the numbers of a column are, as digits after the point.

cells, piece by piece -> decimals

It is the most digits that any cell needs: 0 for whole numbers, 2 for cents. Numbers that need more than six, or fifteen
in all, come from a computer and not from a person: for them it is what leaves four digits of their range. It hangs on
no order and no piece, for a column of 16 or 32 bits is held against the decimals of its own type.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.common_step import CommonStep
from shoal.encode.numbers import LARGEST_EXACT
from shoal.kernels import Vector
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
class Resolution:
    """What was seen of one column."""

    places: int = 0  # digits after the point that its cells need; one more than the most: beyond
    low: float = inf
    high: float = -inf
    step: CommonStep = field(default_factory=CommonStep)  # that all values are multiples of

    def add(self, cells: Any) -> None:
        kind = cells.type
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
            return
        known = cells.drop_null()
        if pa.types.is_decimal(kind):  # by their texts: the cast of Arrow is not to the nearest float64
            known = known.cast(pa.string()).cast(pa.float64())
        values: NDArray[Any] = known.to_numpy()
        values = values[np.isfinite(values)]
        if not values.size:
            return
        self.low, self.high = min(self.low, float(values.min())), max(self.high, float(values.max()))
        if values.dtype.kind == "f":
            self.places = _places(values, self.places)
        self.step.add(values.astype(np.float64))

    def decimals(self, asked: int | None) -> int | None:
        """Digits after the point of released numbers: what is ``asked``, else those of the column.

        No more than a float64 tells apart; None where that is out of all bounds.
        """
        if self.low > self.high:
            return asked
        wanted = self._own if asked is None else asked
        found = min(wanted, self._finest)
        return found if abs(found) <= MOST_DECIMALS else None

    def multiple(self, asked: int | None) -> int:
        """How many units of the last digit lie between two values at least: 50 where rents go by fifties."""
        units = self.step.exact * Fraction(10) ** self._own if self.low <= self.high else Fraction(0)
        is_own = asked is None and self.decimals(None) == self._own
        return int(units) if is_own and units and units.denominator == 1 else 1

    @property
    def _own(self) -> int:
        are_decimals = self.places <= MOST_PLACES and self._largest.scaleb(self.places) <= Decimal(10) ** MOST_DIGITS
        if self.places == 0 or are_decimals:
            return self.places
        across = Decimal(self.high) - Decimal(self.low) or self._largest
        return OF_THE_RANGE - 1 - across.adjusted()

    @property
    def _finest(self) -> int:
        """The most decimals with which no number has more than fifteen digits; whole numbers keep theirs, to 2^53."""
        room = MOST_DIGITS - 1 - self._largest.adjusted() if self._largest else MOST_DECIMALS
        return max(room, 0) if self._largest <= LARGEST_EXACT else room

    @property
    def _largest(self) -> Decimal:
        return Decimal(max(abs(self.low), abs(self.high)))


def _places(values: NDArray[Any], fewest: int) -> int:
    """Digits after the point that these values need, at least ``fewest``."""
    for places in range(fewest, MOST_PLACES + 1):
        values = values[~whole_steps(values, places)[1]]
        if not values.size:
            return places
    return MOST_PLACES + 1
