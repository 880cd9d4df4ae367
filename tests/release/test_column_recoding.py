"""Global recoding by hand of one column: against its slow twin, in pieces of any size, and what it leaves alone."""

from datetime import date, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import recoding as twin
from shoal.errors import TableError
from shoal.release.column_recoding import (
    BoundRecoding,
    CategoryRecoding,
    DatePartRecoding,
    IntervalRecoding,
    PrefixRecoding,
    WholeDomain,
    WidthRecoding,
)

tenths = st.integers(-2000, 2000).map(lambda n: n / 10)
days = st.dates(date(1, 1, 1), date(9999, 12, 31))
MISSING = pa.nulls(1)


def recoded(recoding, values, type_=None):
    return recoding.recode("x", pa.chunked_array([pa.array(values, type_)])).to_pylist()


@given(st.lists(st.none() | tenths, min_size=1), st.sets(tenths, min_size=1, max_size=6))
def test_intervals_are_those_of_the_twin(values, bounds):
    bounds = sorted(bounds)
    expected = [None if value is None else twin.interval(value, bounds) for value in values]
    assert recoded(IntervalRecoding(tuple(bounds)), values, pa.float64()) == expected


@given(st.lists(st.none() | tenths, min_size=1), st.sampled_from([0.1, 0.3, 1.0, 2.5, 5.0, 18.0]))
def test_intervals_of_one_width_are_those_of_the_twin(values, width):
    expected = [None if value is None else twin.of_width(value, width) for value in values]
    assert recoded(WidthRecoding(width), values, pa.float64()) == expected


@given(st.lists(st.none() | days, min_size=1), st.sampled_from(["year", "quarter", "month", "decade"]))
def test_parts_of_dates_are_those_of_the_twin(values, name):
    expected = [None if value is None else twin.part(value, name) for value in values]
    assert recoded(DatePartRecoding(name), values, pa.date32()) == expected


@given(st.lists(st.none() | st.text("0123IJ.", max_size=6), min_size=1), st.integers(1, 4))
def test_prefixes_are_those_of_the_twin(values, length):
    expected = [None if value is None else twin.prefix(value, length) for value in values]
    assert recoded(PrefixRecoding(length), values, pa.string()) == expected


@given(st.lists(days, min_size=1), st.sampled_from(["year", "quarter", "month", "decade"]))
def test_the_interval_of_a_part_contains_its_dates(values, name):
    recoding = DatePartRecoding(name)
    for day, value in zip(values, recoded(recoding, values, pa.date32()), strict=True):
        interval = recoding.interval_of(value)
        assert interval.low <= (day - date(1970, 1, 1)).days < interval.high


@given(st.lists(st.none() | days, min_size=1), st.integers(1850, 1950), st.integers(1951, 2050))
def test_years_beyond_a_bound_become_the_bound(values, bottom, top):
    years = recoded(DatePartRecoding("year", bottom, top), values, pa.date32())
    assert years == [None if day is None else min(max(day.year, bottom), top) for day in values]
    assert all(year is None or isinstance(year, int) for year in years)


def test_a_bound_of_years_stands_for_all_years_beyond():
    recoding = DatePartRecoding("year", 1937, 2020)
    assert (recoding.interval_of(1937).low, recoding.interval_of(2020).high) == (None, None)
    assert recoding.interval_of(1937).high == (date(1938, 1, 1) - date(1970, 1, 1)).days


@given(
    st.lists(tenths, min_size=1, unique=True),
    st.sampled_from([IntervalRecoding((-50.0, 0.0, 7.5)), WidthRecoding(2.5)]),
)
def test_labels_are_in_the_order_of_their_numbers(values, recoding):
    labels = list(dict.fromkeys(recoded(recoding, sorted(values), pa.float64())))
    assert list(recoding.in_order(sorted(labels))) == labels


def test_parts_are_in_the_order_of_the_calendar():
    values = [date(1999, 12, 31), date(2024, 2, 1), date(2024, 10, 1)]
    labels = recoded(DatePartRecoding("month"), values)
    assert DatePartRecoding("month").in_order(labels[::-1]) == ("1999-12", "2024-02", "2024-10")


def test_codes_of_different_length_with_one_prefix_become_one():
    assert set(recoded(PrefixRecoding(3), ["I21", "I21.4", "I21.40"])) == {"I21*"}


def test_categories_merge_and_others_stay():
    recoding = CategoryRecoding({"a": "other", "b": "other"})
    assert recoded(recoding, ["a", None, "b", "c"]) == ["other", None, "other", "c"]
    assert recoded(CategoryRecoding({"1": "few"}), [1, 2, None]) == ["few", "2", None]


def test_the_whole_domain_is_a_star():
    assert recoded(WholeDomain(), [3, None, 5]) == ["*", None, "*"]


def test_bounds_keep_whole_numbers_whole():
    cells = pa.chunked_array([pa.array([1, 95, None], pa.int32())])
    coded = BoundRecoding(16, 90).recode("x", cells)
    assert coded.to_pylist() == [16, 90, None]
    assert pa.types.is_integer(coded.type)


def test_the_type_of_a_piece_does_not_depend_on_its_values():
    half = BoundRecoding(None, 90.5)
    pieces = [half.recode("x", pa.chunked_array([pa.array(values, pa.int64())])) for values in ([1, 2], [95, None])]
    assert pieces[0].type == pieces[1].type == pa.float64()


def test_times_are_recoded_in_their_own_zone():
    zoned = pa.array([datetime(2024, 1, 1, 3)], pa.timestamp("us", tz="America/New_York"))  # stored as UTC
    assert recoded(DatePartRecoding("year"), zoned) == [2023]


def test_texts_have_no_date_part():
    with pytest.raises(TableError, match="x"):
        recoded(DatePartRecoding("year"), ["2024-01-01"])
