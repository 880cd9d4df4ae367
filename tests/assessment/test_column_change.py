"""Distances of distributions, against scipy and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp, wasserstein_distance

from shoal.assessment.utility.column_change import column_change
from shoal.assessment.utility.spread import Spread, spread_distances
from shoal.schema import Column

NUMBER = Column("x", "quasi_identifier", "numeric")
WORD = Column("x", "quasi_identifier", "nominal")
GRADE = Column("x", "quasi_identifier", "ordinal", order=("a", "b", "c", "d"))


def cells(values: Any) -> Any:
    return pa.chunked_array([pa.array(values)])


def change(column: Column, before: Any, after: Any, *, by_extents: bool = False) -> Any:
    return column_change(column, cells(before), cells(after), by_extents=by_extents)


numbers = st.lists(st.integers(-5, 5) | st.floats(-100, 100, width=16), min_size=4, max_size=30)


@settings(max_examples=30)
@given(numbers, numbers)
def test_of_numbers_as_scipy_has_them(before, after):
    found = change(NUMBER, np.array(before, dtype=float), np.array(after, dtype=float))
    width = max(before) - min(before)
    moved = wasserstein_distance(before, after)
    assert found.kolmogorov_smirnov == pytest.approx(100 * ks_2samp(before, after, method="asymp").statistic, abs=1e-9)
    assert found.earth_mover == pytest.approx(100 * (moved / width if width else moved > 0), rel=1e-9, abs=1e-9)


intervals = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 6)).map(lambda each: (each[0], each[0] + each[1])),
    min_size=1,
    max_size=8,
)


def mixture(found: list[tuple[int, int]]) -> Spread:
    ends = np.array(found, dtype=float)
    return Spread(ends[:, 0], ends[:, 1], np.full(len(ends), 1 / len(ends)))


def below(found: list[tuple[int, int]], place: float, *, included: bool) -> float:
    """Share of the numbers up to a place, interval by interval."""
    shares = [
        (place - low) / (high - low) if low < high and low <= place <= high
        else float(low <= place if included else low < place) if low == high
        else float(place > high)
        for low, high in found
    ]  # fmt: skip
    return sum(shares) / len(shares)


@settings(max_examples=20)
@given(intervals, intervals)
def test_of_intervals_as_a_fine_grid_has_them(one, other):
    """Ends are whole numbers, so that the difference is linear between two places of the grid, up to a crossing."""
    largest, moved = spread_distances(mixture(one), mixture(other))
    places = range(27)
    pairs = [(below(one, at, included=inc), below(other, at, included=inc)) for at in places for inc in (False, True)]
    assert largest == pytest.approx(max(abs(a - b) for a, b in pairs), abs=1e-9)
    middles = (np.arange(26 * 40) + 0.5) / 40
    area = sum(abs(below(one, at, included=True) - below(other, at, included=True)) for at in middles) / 40
    assert moved == pytest.approx(area, abs=0.06)


@pytest.mark.parametrize("values", [[30, 31, 32, 33, 34], [30, 34, 30, 34, 30, 34]])
def test_whole_numbers_fill_the_interval_up_to_the_next_one(values):
    found = change(NUMBER, values, ["[30, 35)"] * len(values), by_extents=True)
    expected = {5: 0.0, 6: 100 * (0.5 - 0.2)}[len(values)]  # half of the records are 30, of the interval a fifth
    assert found.kolmogorov_smirnov == pytest.approx(expected, abs=1e-9)
    assert (found.earth_mover == pytest.approx(0, abs=1e-9)) == (expected == 0)


def test_single_values_among_extents_are_themselves():
    found = change(NUMBER, [1, 5, 9, 9], ["1", "5", "9", "9"], by_extents=True)
    assert (found.kolmogorov_smirnov, found.earth_mover) == (pytest.approx(0, abs=1e-9), pytest.approx(0, abs=1e-9))


def test_nominal_values_are_counted_where_they_changed():
    found = change(WORD, ["a", "a", "b", "c"], ["a", "b", "b", "new"])
    assert found.kolmogorov_smirnov is None
    assert found.earth_mover == pytest.approx(50)
    shares = np.array([[0.5, 0.25, 0.25, 0], [0.25, 0.5, 0, 0.25]])
    assert found.hellinger == pytest.approx(100 * np.sqrt(((np.sqrt(shares[0]) - np.sqrt(shares[1])) ** 2).sum() / 2))


grades = st.lists(st.sampled_from("abcd"), min_size=4, max_size=12)


@settings(max_examples=30)
@given(grades, grades)
def test_ordinal_values_are_one_step_apart(before, after):
    found = change(GRADE, before, after)
    places = {value: at for at, value in enumerate("abcd")}
    first, second = ([places[value] for value in each] for each in (before, after))
    assert found.earth_mover == pytest.approx(100 * wasserstein_distance(first, second) / 3, abs=1e-9)
    assert found.kolmogorov_smirnov == pytest.approx(100 * ks_2samp(first, second, method="asymp").statistic, abs=1e-9)


def test_a_set_has_its_values_in_equal_parts():
    found = change(WORD, ["a", "b", "a", "c"], ["{a, b}", "{a, b}", "a", "c"], by_extents=True)
    assert found.earth_mover == pytest.approx(0)
    found = change(WORD, ["a", "a", "a", "b"], ["{a, b}", "{a, b}", "a", "b"], by_extents=True)
    assert found.earth_mover == pytest.approx(25)


def test_missing_values_are_told_and_count_for_hellinger_alone():
    found = change(NUMBER, [1.0, 2.0, None, 4.0], [1.0, 2.0, 4.0, None])
    assert (found.missing_before, found.missing_after, found.kolmogorov_smirnov) == (25, 25, 0)
    found = change(NUMBER, [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, None, None])
    assert found.missing_after == 50
    assert found.hellinger > 0


def test_a_column_without_a_known_value_has_no_distance():
    found = change(NUMBER, [1.0, 2.0], pa.array([None, None], pa.float64()))
    assert (found.kolmogorov_smirnov, found.earth_mover, found.missing_after) == (None, None, 100)
    assert found.hellinger == pytest.approx(100)


@pytest.mark.parametrize("column", [NUMBER, WORD, GRADE])
def test_nothing_that_changed_is_zero(column):
    values = [3.5, 7.0, 7.0, None] if column is NUMBER else ["a", "c", "c", None]
    found = change(column, values, values)
    assert {found.kolmogorov_smirnov or 0, found.hellinger, found.earth_mover} == {0}
