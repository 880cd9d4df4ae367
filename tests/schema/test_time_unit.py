"""Days and microseconds: exact for whole days, and to the next microsecond for times."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.schema.time_unit import (
    MICROSECONDS_OF_A_DAY,
    SECONDS_OF_A_DAY,
    days_to_microseconds,
    microseconds_to_days,
    units_of_a_day,
)

moments = st.datetimes(datetime(1700, 1, 1), datetime(2240, 1, 1))  # their microseconds are exact in float64


def test_a_day_is_what_the_calendar_says() -> None:
    assert timedelta(days=1) == timedelta(seconds=SECONDS_OF_A_DAY) == timedelta(microseconds=MICROSECONDS_OF_A_DAY)


@given(moments)
def test_microseconds_come_back_from_days(moment: datetime) -> None:
    since = (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    assert abs(days_to_microseconds(microseconds_to_days(since)) - since) <= 1


@given(st.integers(-700_000, 2_900_000))
def test_whole_days_are_exact(n_days: int) -> None:
    assert microseconds_to_days(days_to_microseconds(n_days)) == n_days


def test_arrays_are_converted_value_by_value() -> None:
    times = np.array([0, 1, -1, 10**15, MICROSECONDS_OF_A_DAY], dtype=np.int64)
    assert microseconds_to_days(times).tolist() == [microseconds_to_days(int(time)) for time in times]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_only_times_count_microseconds(unit: str) -> None:
    assert units_of_a_day(pa.timestamp(unit)) == MICROSECONDS_OF_A_DAY
    assert units_of_a_day(pa.date32()) == units_of_a_day(pa.float64()) == 1
