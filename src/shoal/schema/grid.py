"""The grid of a column: the points where its intervals may begin and end, so that no end is the value of a person.

The points are the multiples of a step, in units of the column (days for dates), or the beginnings of weeks (Mondays),
months, quarters, years or decades. An interval that reaches below ``low`` is released without a lower end, one that
reaches ``high`` or beyond without an upper end: few records have the smallest and the largest values of a table. Where
``low`` is above ``high`` no end is released.
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
    low: float | None = None  # lowest point that may be released as an end; None: no limit
    high: float | None = None  # highest point that may be released as an end; None: no limit

    def below(self, values: Vector) -> Vector:
        """(n,) the last grid point at or below each value."""
        return self._points(self._cells(values))

    def above(self, values: Vector) -> Vector:
        """(n,) the first grid point above each value."""
        return self._points(self._cells(values) + 1)

    def cover(self, least: Vector, greatest: Vector) -> tuple[Vector, Vector]:
        """(n,) lower and upper ends of intervals [low, high) that cover ``least`` to ``greatest``; infinite: no end."""
        bottom, top = self._limits
        lows, highs = np.minimum(self.below(least), top), np.maximum(self.above(greatest), bottom)
        return np.where(lows < bottom, -np.inf, lows), np.where(highs > top, np.inf, highs)

    def between(self, places: Vector) -> Vector:
        """Grid points that separate neighboring ``places`` (ascending and distinct) and may be released as ends."""
        points = self.below(places[1:])
        return self.allowed_ends(np.unique(points[points > places[:-1]]))

    def allowed_ends(self, points: Vector) -> Vector:
        """The ``points`` that may be released as ends: those between ``low`` and ``high``."""
        bottom, top = self._limits
        return points[(points >= bottom) & (points <= top)]

    def to_dict(self) -> dict[str, Any]:
        """The grid as an entry of a manifest."""
        return {"step": self.step, "low": self.low, "high": self.high}

    @property
    def _limits(self) -> tuple[float, float]:
        return -np.inf if self.low is None else self.low, np.inf if self.high is None else self.high

    def _cells(self, values: Vector) -> Vector:
        """(n,) the index of the grid cell of each value, a whole number."""
        if self._months:
            days = np.floor(values).astype(np.int64).astype("datetime64[D]")
            return (days.astype("datetime64[M]").astype(np.int64) // self._months).astype(np.float64)
        cells: Vector = np.floor((values - self._origin) / float(self._length))
        cells = cells - (self._points(cells) > values)  # corrects rounding of the division: 0.3 / 0.1 is below 3
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
        """Months per step; None where the step is not a calendar unit of whole months."""
        return MONTHS.get(self.step) if isinstance(self.step, str) else None

    @property
    def _length(self) -> Fraction:
        """The step as the exact decimal that is written: 0.1 is a tenth."""
        return DAYS[self.step] if isinstance(self.step, str) else Fraction(repr(float(self.step)))

    @property
    def _origin(self) -> int:
        return MONDAY if self.step == "week" else 0
