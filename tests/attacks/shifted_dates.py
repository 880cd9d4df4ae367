"""Shifted dates: which shifts of a unit fit what everybody knows about its dates.

The intruder has the release, and knows on which days the dates of a column can lie: on the first of a month, on working
days, in the calendar year of the register. Every shift that moves a date of a unit to another day is excluded; of those
that are left they take one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from attacks.rates import Rate

Days = NDArray[Any]  # (n_records,) datetime64[D]
Fits = Callable[[Days], NDArray[np.bool_]]


def days_of(records: pa.Table, name: str) -> Days:
    return np.array(records[name].to_pylist(), dtype="datetime64[D]")


def on_first_of_month(days: Days) -> NDArray[np.bool_]:
    return days == days.astype("datetime64[M]")


def on_last_of_month(days: Days) -> NDArray[np.bool_]:
    return on_first_of_month(days + np.timedelta64(1, "D"))


def on_working_days(days: Days) -> NDArray[np.bool_]:
    return np.is_busday(days)


def possible_shifts(released: Days, fits: Fits, most: int) -> NDArray[np.bool_]:
    """(n_records, 2 most + 1) whether a shift from -``most`` to ``most`` days fits."""
    return fits(released[:, None] - np.arange(-most, most + 1)[None, :])


def rate(possible: NDArray[np.bool_], shifts: NDArray[np.int64]) -> tuple[float, Rate]:
    """The share of shifts that a guess among the possible ones finds, and how many are certain."""
    n_possible, most = possible.sum(axis=1), possible.shape[1] // 2
    are_right = possible[np.arange(len(shifts)), shifts + most]
    chances = np.where(are_right, 1 / np.maximum(n_possible, 1), 0)
    return float(chances.mean()), Rate(int((are_right & (n_possible == 1)).sum()), len(shifts))
