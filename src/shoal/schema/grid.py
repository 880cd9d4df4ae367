"""A grid: where intervals of a column may begin and end, so that no end is the value of a person.

Points are the multiples of a step, in the units of the column, for dates in days; or where a week (Monday), a month, a
quarter, a year or a decade begins. What lies below ``low`` or from ``high`` on is told as an interval without that end:
the least and the greatest values of a table belong to few. Where ``low`` is above ``high`` no end is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from shoal.kernels import Vector

Unit = Literal["hour", "day", "week", "month", "quarter", "year", "decade"]
Step = float | Unit

MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
DAYS: dict[Unit, Fraction] = {"hour": Fraction(1, 24), "day": Fraction(1), "week": Fraction(7)}
MONDAY = -3  # days from 1970-01-01, a Thursday


@dataclass(frozen=True)
class Grid:
    step: Step
    low: float | None = None  # a point; None: ends are told however low they are
    high: float | None = None

    def below(self, values: Vector) -> Vector:
        """(n,) the last point that is not above each of them."""
        return self._points(self._cells(values))

    def above(self, values: Vector) -> Vector:
        """(n,) the first point above each of them."""
        return self._points(self._cells(values) + 1)

    def outward(self, least: Vector, greatest: Vector) -> tuple[Vector, Vector]:
        """(n,) each: intervals [low, high) that hold all from ``least`` to ``greatest``; infinite where open."""
        bottom, top = self._reach
        lows, highs = np.minimum(self.below(least), top), np.maximum(self.above(greatest), bottom)
        return np.where(lows < bottom, -np.inf, lows), np.where(highs > top, np.inf, highs)

    def between(self, places: Vector) -> Vector:
        """Points that divide ``places``, ascending and different, where ends are told."""
        points = self.below(places[1:])
        return self.told(np.unique(points[points > places[:-1]]))

    def told(self, points: Vector) -> Vector:
        """Those where an interval may end."""
        bottom, top = self._reach
        return points[(points >= bottom) & (points <= top)]

    def described(self) -> dict[str, Any]:
        """As a manifest says it."""
        return {"step": self.step, "low": self.low, "high": self.high}

    @property
    def _reach(self) -> tuple[float, float]:
        return -np.inf if self.low is None else self.low, np.inf if self.high is None else self.high

    def _cells(self, values: Vector) -> Vector:
        """(n,) whole numbers."""
        if self._months:
            days = np.floor(values).astype(np.int64).astype("datetime64[D]")
            return (days.astype("datetime64[M]").astype(np.int64) // self._months).astype(np.float64)
        cells: Vector = np.floor((values - self._origin) / float(self._length))
        cells = cells - (self._points(cells) > values)  # divisions round: 0.3 / 0.1 is below 3
        return cells + (self._points(cells + 1) <= values)

    def _points(self, cells: Vector) -> Vector:
        if self._months:
            months = (cells * self._months).astype(np.int64).astype("datetime64[M]")
            return months.astype("datetime64[D]").astype(np.int64).astype(np.float64)
        numerator, denominator = self._length.as_integer_ratio()
        points: Vector = cells * float(numerator) / float(denominator) + self._origin + 0.0  # no -0.0
        return points

    @property
    def _months(self) -> int | None:
        """Of a part of the calendar."""
        return MONTHS.get(self.step) if isinstance(self.step, str) else None

    @property
    def _length(self) -> Fraction:
        """As it is written: 0.1 is a tenth."""
        return DAYS[self.step] if isinstance(self.step, str) else Fraction(repr(float(self.step)))

    @property
    def _origin(self) -> int:
        return MONDAY if self.step == "week" else 0
