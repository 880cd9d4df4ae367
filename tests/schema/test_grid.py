"""Grids: what lies between two points is told by them, and by nothing finer."""

from datetime import date, datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import PolicyError
from shoal.schema.grid import Grid

STEPS = st.sampled_from([1, 2, 5, 10, 250, 1000, 0.1, 0.01, 0.25, 3, 7.5, 1e-6, 2e6])


def day(number):
    return date(1970, 1, 1) + timedelta(days=int(number))


def begin(moment: date, unit: str) -> date:
    """By the calendar."""
    if unit == "week":
        return moment - timedelta(days=moment.isoweekday() - 1)
    month = {"month": moment.month, "quarter": moment.month - (moment.month - 1) % 3}.get(unit, 1)
    return date(moment.year - moment.year % 10 if unit == "decade" else moment.year, month, 1)


@given(value=st.floats(-1e6, 1e6), step=STEPS)
def test_a_value_lies_between_two_points_one_step_apart(value, step):
    grid = Grid(step)
    low, high = float(grid.below(np.array([value]))[0]), float(grid.above(np.array([value]))[0])
    assert low <= value < high
    assert Fraction(repr(low)) / Fraction(repr(step)) == round(low / step)
    assert round(high / step) - round(low / step) == 1


@given(cell=st.integers(-(10**6), 10**6), step=STEPS)
def test_a_point_begins_its_own_interval(cell, step):
    point = float(cell * Fraction(repr(step)))
    assert Grid(step).below(np.array([point])).tolist() == [point]


@pytest.mark.parametrize("unit", ["week", "month", "quarter", "year", "decade"])
@given(number=st.integers(-200_000, 200_000))
def test_dates_lie_between_points_of_the_calendar(unit, number):
    grid = Grid(unit)
    assert day(grid.below(np.array([float(number)]))[0]) == begin(day(number), unit)
    after = day(grid.above(np.array([float(number)]))[0])
    assert begin(after, unit) == after > day(number)
    assert begin(after - timedelta(1), unit) <= day(number)


def test_times_fall_into_days_and_hours():
    noon = (datetime(2024, 5, 17, 12, 30) - datetime(1970, 1, 1)) / timedelta(days=1)
    assert day(Grid("month").below(np.array([noon]))[0]) == date(2024, 5, 1)
    assert Grid("hour").below(np.array([noon]))[0] == pytest.approx(noon - 0.5 / 24, abs=1e-9)


@given(
    ends=st.tuples(st.integers(-99, 99), st.integers(0, 60)),
    step=st.sampled_from([1, 5, 10]),
    reach=st.tuples(st.integers(-9, 9), st.integers(0, 9)),
)
def test_an_interval_holds_its_values_and_has_no_end_outside_of_the_reach(ends, step, reach):
    least, greatest = float(ends[0]), float(sum(ends))
    grid = Grid(step, float(reach[0] * step), float(sum(reach) * step))
    (low,), (high,) = grid.cover(np.array([least]), np.array([greatest]))
    assert low <= least <= greatest < high
    for end in (low, high):
        assert np.isinf(end) or (grid.low <= end <= grid.high and end % step == 0)
    if grid.low <= least and greatest < grid.high:
        assert (low, high) == (grid.below(np.array([least]))[0], grid.above(np.array([greatest]))[0])


@given(values=st.sets(st.integers(-50, 50), min_size=1), step=st.sampled_from([1, 2, 5, 10]))
def test_cuts_divide_all_values_that_a_point_lies_between(values, step):
    places = np.array(sorted(values), dtype=float)
    cuts = Grid(step).between(places)
    assert set(np.digitize(places, cuts)) == set(range(len(cuts) + 1))  # no part without a value
    assert len(cuts) + 1 == len({value // step for value in values})


@pytest.mark.parametrize(
    ("kind", "step", "words"),
    [
        ("nominal", 5, "columns.x.grid is only allowed with kind = 'numeric' or 'date'"),
        ("numeric", "week", "columns.x.grid = 'week' is only allowed with kind = 'date'"),
        ("numeric", -1.0, "columns.x.grid must be a number above 0"),
        ("date", float("inf"), "columns.x.grid must be a number above 0"),
    ],
)
def test_a_grid_that_cannot_be_is_complained_of(kind, step, words):
    with pytest.raises(PolicyError, match=words):
        shoal.Column("x", "quasi_identifier", kind, grid=Grid(step))
