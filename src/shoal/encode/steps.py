"""Steps: the precision of the numbers, dates or times of a column. No other module determines it.

cells, piece by piece -> digits after the point, lowest and highest value, and the step between all but a few values

A cell stands for the shortest decimal that gives this number in the type of the column, so that 0.2 in 32 bits is two
tenths. The step is the greatest common divisor of all differences: 1 for ages, 50 for rents in multiples of fifty, 10
for 1 and 11. A few odd cells (`residues.py`) do not make a column finer: otherwise a single 34.333333 among whole ages
would release every mean with six digits. Numbers that need more than six digits after the point, or fifteen in all,
are taken as computed, not recorded by a person: they have no step, and keep four digits of their range. The result does
not depend on the order of the records or on the pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import ceil, gcd
from operator import or_
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.number_column import LARGEST_EXACT, LARGEST_INTEGER, as_arrow_numbers, is_time
from shoal.encode.residues import CLOCK, DECIMAL, Residues
from shoal.kernels import Ints, Vector
from shoal.schema.column import MOST_DECIMALS

MOST_PLACES = 6  # after the point, of numbers that count as decimals
MOST_DIGITS = 15  # digits in all
OF_THE_RANGE = 4  # digits of their range that other numbers keep

Claims = NDArray[np.bool_]


def to_last_digit(values: Vector, decimals: int) -> Vector:
    """Numbers in units of the last digit that is released."""
    return values * float(10**decimals) if decimals >= 0 else values / float(10**-decimals)


def from_last_digit(steps: Vector, decimals: int) -> Vector:
    """The inverse of `to_last_digit`: for whole numbers of up to fifteen digits, the float64 nearest to the decimal,
    which prints no further digit."""
    return steps / float(10**decimals) if decimals >= 0 else steps * float(10**-decimals)


def exact_last_digit(values: NDArray[Any], decimals: int) -> Vector:
    """As `to_last_digit`, but exactly whole where a value has no further digit in its own type, however the product is
    rounded."""
    whole, are_whole = nearest_last_digit(values, decimals)
    return np.where(are_whole, whole, to_last_digit(values.astype(np.float64), decimals))


def nearest_last_digit(values: NDArray[Any], decimals: int) -> tuple[Vector, Claims]:
    """The nearest whole number of steps, and whether the value is that decimal in its own type."""
    steps = np.rint(to_last_digit(values.astype(np.float64), decimals))
    return steps, from_last_digit(steps, decimals).astype(values.dtype) == values


@dataclass(frozen=True)
class DifferenceGcd:
    """The greatest common divisor of all differences of some values, and one of the values."""

    anchor: Fraction
    step: Fraction  # 0 where they are all equal

    @classmethod
    def of(cls, whole: Ints, scale: int) -> DifferenceGcd:
        least = whole.min()
        return cls(Fraction(int(least), scale), Fraction(int(np.gcd.reduce(whole - least)), scale))

    def __or__(self, other: DifferenceGcd) -> DifferenceGcd:
        """The same for the values of both."""
        between = abs(self.anchor - other.anchor)
        return DifferenceGcd(self.anchor, _gcd(_gcd(self.step, other.step), between))


@dataclass
class Steps:
    """What has been observed of one column: numbers, days, or microseconds."""

    low: Fraction | None = None
    high: Fraction | None = None
    n_by_places: list[int] = field(default_factory=lambda: [0] * (MOST_PLACES + 2))  # last: values that need more
    apart_by_places: dict[int, DifferenceGcd] = field(default_factory=dict)  # of the values that can be counted
    residues: Residues = field(default_factory=Residues)

    @classmethod
    def of(cls, cells: Any) -> Steps:
        steps = cls()
        steps.add(cells)
        return steps

    def __add__(self, other: Steps) -> Steps:
        both = Steps(
            self.low,
            self.high,
            [a + b for a, b in zip(self.n_by_places, other.n_by_places, strict=True)],
            dict(self.apart_by_places),
            self.residues + other.residues,
        )
        if other.low is not None and other.high is not None:
            both._widen(other.low, other.high)
        for places, apart in other.apart_by_places.items():
            both._merge(places, apart)
        return both

    def add(self, cells: Any) -> None:
        """Adds a piece; cells of other types are ignored."""
        kind = cells.type
        if not (is_time(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
            return
        known = cells.drop_null()
        if pa.types.is_decimal(kind):  # via text: Arrow's own cast is not to the nearest float64
            known = known.cast(pa.string()).cast(pa.float64())
        self.add_numbers(as_arrow_numbers("", known).to_numpy(), CLOCK if pa.types.is_timestamp(kind) else DECIMAL)

    def add_numbers(self, values: NDArray[Any], ladder: tuple[int, ...] = DECIMAL) -> None:
        """Adds known numbers in their own type; each is counted by the fewest digits that write it."""
        values = values[np.isfinite(values)]
        for places in range(MOST_PLACES + 1):
            whole, are_whole = nearest_last_digit(values, places)
            self._add_whole(whole[are_whole], places, ladder)
            values = values[~are_whole]
        if values.size:
            self.n_by_places[-1] += values.size
            self.residues.n_beyond += values.size
            self._widen(Fraction(float(values.min())), Fraction(float(values.max())))

    def _add_whole(self, whole: Vector, places: int, ladder: tuple[int, ...]) -> None:
        """Adds whole multiples of 10^-``places``."""
        if not whole.size:
            return
        self.n_by_places[places] += whole.size
        self._widen(*(Fraction(int(end), 10**places) for end in (whole.min(), whole.max())))
        near = np.abs(whole) < LARGEST_INTEGER
        self.residues.n_beyond += int(np.count_nonzero(~near))
        if near.any():
            self._divide(whole[near].astype(np.int64), places, ladder)

    def _widen(self, low: Fraction, high: Fraction) -> None:
        self.low = low if self.low is None else min(self.low, low)
        self.high = high if self.high is None else max(self.high, high)

    def _divide(self, whole: Ints, places: int, ladder: tuple[int, ...]) -> None:
        self.residues.add(whole, Fraction(1, 10**places), ladder)
        self._merge(places, DifferenceGcd.of(whole, 10**places))

    def _merge(self, places: int, apart: DifferenceGcd) -> None:
        before = self.apart_by_places.get(places)
        self.apart_by_places[places] = apart if before is None else before | apart

    @property
    def places(self) -> int:
        """Digits after the point that all but a few cells need; MOST_PLACES + 1 where that is more than MOST_PLACES."""
        n_more = np.cumsum(self.n_by_places[::-1])[::-1][1:]  # values that need more than each
        return int(np.argmax([*(n_more <= self.residues.few), True]))

    @property
    def apart(self) -> Fraction:
        """The greatest common divisor of all differences that can be counted, those of the few odd values included."""
        found = self._apart(MOST_PLACES)
        return found.step if found else Fraction(0)

    @property
    def step(self) -> Fraction:
        """The step between values, except for a few; 0 where all are equal or too fine to have a step."""
        return self.lattice[0]

    @property
    def offset(self) -> Fraction:
        """How far above multiples of the step the values are."""
        return self.lattice[1]

    @property
    def resolution(self) -> Fraction:
        """The step as far as it may be published, else one unit of the last digit; 0 where values are too fine."""
        return (self._public[0] or Fraction(1, 10**self.places)) if self._are_counted else Fraction(0)

    @property
    def lattice(self) -> tuple[Fraction, Fraction]:
        """Step and offset: the greatest common divisor of the differences of all values that need no more digits than
        most do, or the step that all but a few values share, where that is larger."""
        found = self._apart(self.places) if self._are_counted else None
        if found is None or not found.step:
            return Fraction(0), Fraction(0)
        return max((found.step, found.anchor % found.step), self.residues.step() or (Fraction(0), Fraction(0)))

    @property
    def _public(self) -> tuple[Fraction, Fraction]:
        """Step and offset as far as they may be published, since manifests contain them: only those that five values
        show."""
        found = self.residues.public_step() if self._are_counted else None
        return found or (Fraction(0), Fraction(0))

    def _apart(self, places: int) -> DifferenceGcd | None:
        """For the values that need at most ``places`` digits."""
        parts = [part for own, part in sorted(self.apart_by_places.items()) if own <= places]
        return reduce(or_, parts) if parts else None

    def decimals(self, requested: int | None) -> int | None:
        """Digits after the point of released numbers: ``requested``, else those of the column.

        No more than a float64 can represent; None where that exceeds MOST_DECIMALS before or after the point. A single
        very large number leaves a column few digits instead of all of them.
        """
        if self.low is None:
            return requested
        wanted = self._own if requested is None else requested
        found = min(wanted, self._finest)
        if found < -MOST_DECIMALS and self._largest < Decimal(10) ** (2 * MOST_DECIMALS):
            return -MOST_DECIMALS
        return found if abs(found) <= MOST_DECIMALS else None

    def of_means(self, requested: int | None) -> tuple[Fraction, Fraction] | None:
        """Step and offset of released means; None where they are released with all digits.

        They are multiples of the step of the column as far as it may be published, or of the digit ``requested`` where
        that is coarser. Asking for more digits than the column has gives finer means.
        """
        decimals = self.decimals(requested)
        if decimals is None:
            return None
        digit = Fraction(10) ** -decimals
        step, offset = self._public
        if not step or (requested is not None and requested > self._own):
            return digit, Fraction(0)
        fits = (step / digit).denominator == 1 and (offset / digit).denominator == 1
        return (step, offset) if fits else (digit * ceil(step / digit), Fraction(0))

    @property
    def _are_counted(self) -> bool:
        """Whether all values but a few can be counted as whole numbers of some unit."""
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
        """The most decimals with which no number has more than fifteen digits; whole numbers up to 2^53 keep all
        theirs."""
        room = MOST_DIGITS - 1 - self._largest.adjusted() if self._largest else MOST_DECIMALS
        return max(room, 0) if self._largest <= LARGEST_EXACT else room

    @property
    def _largest(self) -> Decimal:
        return Decimal(float(max(abs(end or Fraction(0)) for end in (self.low, self.high))))


def _gcd(one: Fraction, other: Fraction) -> Fraction:
    """The greatest common divisor."""
    shared = one.denominator * other.denominator
    return Fraction(gcd(one.numerator * other.denominator, other.numerator * one.denominator), shared)
