"""Calendar pattern of a column of dates: one day of the month, or of the week, on which far too many of them lie.

days, number of units with each -> CalendarPattern | None

Whoever knows that dates lie on the first of a month sees by how many days each has been shifted. If a share p of all
dates lies on one of m days of a calendar, the shift is guessed from one date p m times as often as without a pattern.
Months are also counted from their end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.kernels import Ints

DAYS_OF_A_WEEK = 7
DAYS_OF_A_MONTH = 365.2425 / 12
TOO_OFTEN = 2.0  # times its share of the days, from which on a day is a pattern
BY_CHANCE = 1e-6  # largest probability with which dates without a pattern show one


@dataclass(frozen=True)
class CalendarPattern:
    calendar: str  # "week" or "month"
    share: float  # of the dates on its most frequent day
    n_days: float  # of the calendar

    @classmethod
    def of(cls, days: Ints, n: Ints) -> Self | None:
        """``days``: (n_dates,) since 1970; ``n``: (n_dates,) how often each occurs. None where there is no pattern."""
        if not n.sum():
            return None
        found = (
            cls(calendar, float(counts.max() / n.sum()), n_days)
            for calendar, n_days, counts in _counts(days, n)
            if _is_frequent(int(counts.max()), int(n.sum()), n_days)
        )
        return max(found, key=lambda each: each.share * each.n_days, default=None)

    @property
    def keeps_weeks(self) -> bool:
        """Whether a shift by whole weeks preserves the pattern."""
        return self.calendar == "week"


def _counts(days: Ints, n: Ints) -> Iterator[tuple[str, float, Ints]]:
    """How many dates lie on each day of a calendar."""
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    since_start = (dates - months.astype("datetime64[D]")).astype(np.int64)
    until_end = ((months + np.timedelta64(1, "M")).astype("datetime64[D]") - dates).astype(np.int64)
    yield "month", DAYS_OF_A_MONTH, _sums(since_start, n)
    yield "month", DAYS_OF_A_MONTH, _sums(until_end, n)
    yield "week", DAYS_OF_A_WEEK, _sums(days % DAYS_OF_A_WEEK, n)


def _sums(places: Ints, n: Ints) -> Ints:
    return np.bincount(places, weights=n).astype(np.int64)


def _is_frequent(n_most: int, n: int, n_days: float) -> bool:
    """Whether the most frequent day has far more than its share, and more than by chance."""
    from scipy.special import bdtrc

    by_chance = n_days * float(bdtrc(n_most - 1, n, 1 / n_days))
    return n_most * n_days >= TOO_OFTEN * n and by_chance < BY_CHANCE
