"""Bin edges of dates at boundaries of the calendar: days, weeks, months, quarters, years.

days since 1970 -> candidate edges in days, and how they are written
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from shoal.kernels import Vector

Unit = Literal["D", "M", "Y"]  # as numpy has them, written 2022-05-31, 2022-05, 2022
FIRST_MONDAY = 4  # 1970-01-05, in days since 1970
WEEK = 7


@dataclass(frozen=True)
class DateStep:
    """The distance of two edges: ``n`` calendar units."""

    n: int
    unit: Unit
    days: float  # about

    def edges(self, low: float, high: float) -> Vector:
        """All edges from ``low`` to ``high``, in days since 1970."""
        first, last = (int(self._units_since_1970(day)) for day in (low, high))
        origin = FIRST_MONDAY if self.n == WEEK and self.unit == "D" else -1970 if self.unit == "Y" else 0
        start = origin + (first - origin) // self.n * self.n
        calendar_units = np.arange(start, last + 1, self.n).astype(f"datetime64[{self.unit}]")
        days: Vector = calendar_units.astype("datetime64[D]").astype(np.float64)
        return days[(days >= low) & (days <= high)]

    def name(self, edge: float) -> str:
        """2022-05-31, 2022-05 or 2022."""
        return str(np.datetime64(int(edge), "D").astype(f"datetime64[{self.unit}]"))

    def _units_since_1970(self, day: float) -> Any:
        """Units since 1970."""
        return np.datetime64(int(np.floor(day)), "D").astype(f"datetime64[{self.unit}]").astype(np.int64)


YEAR, MONTH = 365.2425, 365.2425 / 12
STEPS = (
    DateStep(1, "D", 1),
    DateStep(WEEK, "D", WEEK),
    DateStep(1, "M", MONTH),
    DateStep(3, "M", 3 * MONTH),
    *(DateStep(n * 10**power, "Y", n * 10**power * YEAR) for power in range(5) for n in (1, 2, 5)),
)


def calendar_step(width: float) -> DateStep:
    """The finest step of at least about ``width`` days."""
    return next((step for step in STEPS if step.days >= width), STEPS[-1])
