"""What the gate of grids lets pass: points of the grid, from its first told end to its last, and nothing beside."""

from datetime import date, timedelta
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.gate.extent_reader import read_extents
from shoal.gate.interval_grid import ends_faults, grid_faults, read_grid
from shoal.schema import Column
from shoal.schema.grid import Grid

NUMBER, DATE = Column("x", "quasi_identifier", "numeric"), Column("x", "quasi_identifier", "date")
STEPS = [1, 2, 5, 250, 0.1, 0.01, 0.25, 3, 7.5, 1e-6, 2e6, 1 / 3]


def faults(text, grid, column=NUMBER):
    return grid_faults(pa.chunked_array([[text]]), column, grid)


@given(cell=st.integers(-(10**8), 10**8), step=st.sampled_from(STEPS))
def test_every_point_passes_and_what_lies_a_millionth_beside_does_not(cell, step):
    point = float(Grid(step).below(np.array([(cell + 0.5) * step]))[0])
    assert not faults(f"[{point!r}, inf)", Grid(step))
    beside = float(Fraction(repr(point)) + Fraction(step) / 10**6)
    assert faults(f"[{beside!r}, inf)", Grid(step))


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("[999999500, 1000001000)", Grid(500.0, 1e9, 2e9)),
        ("[1000000500, 2000000500)", Grid(500.0, 1e9, 2e9)),
        ("[1000000, 1000005)", Grid(1.0, 1000001.0, 2000000.0)),
    ],
)
def test_a_step_beyond_the_last_told_end_is_a_fault_however_large_the_numbers(text, grid):
    assert any("few records" in fault for fault in faults(text, grid))
    assert not faults("[1000000500, 1000001000)", Grid(500.0, 1e9, 2e9))


@pytest.mark.parametrize("unit", ["hour", "day", "week", "month", "quarter", "year", "decade"])
@given(at=st.integers(-20000, 60000))
def test_days_are_points_by_the_calendar(unit, at):
    day = date(1970, 1, 1) + timedelta(days=at)
    begins = {
        "week": day.isoweekday() == 1,
        "month": day.day == 1,
        "quarter": day.day == 1 and day.month in (1, 4, 7, 10),
        "year": (day.month, day.day) == (1, 1),
        "decade": (day.month, day.day) == (1, 1) and day.year % 10 == 0,
    }
    assert bool(faults(f"[{day}, inf)", Grid(unit), DATE)) != begins.get(unit, True)
    assert bool(faults(f"[{day} 07:00:00, inf)", Grid(unit), DATE)) == (unit != "hour")
    assert faults(f"[{day} 07:00:00.000001, inf)", Grid(unit), DATE)


@pytest.mark.parametrize("text", ["[1e308, inf)", "[-1e308, 1e308)"])
def test_numbers_beyond_all_points_are_a_fault(text):
    assert any("off the grid" in fault for fault in faults(text, Grid(0.1)))


@pytest.mark.parametrize("unit", ["week", "month", "decade"])
@pytest.mark.parametrize("years", ["[12000-01-01, 12010-01-01)", "[+12000-01-01, inf)"])
def test_years_beyond_the_calendar_are_a_fault(years, unit):
    assert any("off the grid" in fault for fault in faults(years, Grid(unit), DATE))


@pytest.mark.parametrize("year", ["290000", "300000", "999999999", "9" * 25, "-" + "9" * 25])
def test_a_year_that_no_moment_has_is_no_extent(year):
    assert read_extents(pa.array([f"{year}-01-01"]), DATE).faults
    ends_faults(pa.table({"x": [f"[{year}-01-01, inf)"], "x_min": [f"{year}-01-01"], "x_max": [""]}), DATE)


def test_a_manifest_may_say_numbers_of_any_size():
    assert read_grid({"step": 10**400, "low": None, "high": None}) is None
    assert read_grid({"step": 1, "low": 10**400, "high": None}) is None
    assert read_grid({"step": 1, "low": 0, "high": 5}) == Grid(1, 0, 5)
