"""Intervals and sets as other tools write them, one by one."""

from math import inf, nextafter

import pytest

from shoal.assessment.interval_notation import read_interval
from shoal.assessment.set_notation import read_set
from shoal.plan import Interval
from shoal.schema import Column

AGE, DAY = Column("age", "quasi_identifier", "numeric"), Column("day", "quasi_identifier", "date")
VALUES = dict.fromkeys(["13053", "13068", "14850", "1305", "a b", "x"])


def contains(text, number):
    found = read_interval(text, AGE, whole=True)
    low, high = (-inf if found.low is None else found.low), (inf if found.high is None else found.high)
    return low <= number and (number < high or (found.closed and number == high))


@pytest.mark.parametrize(
    ("text", "at_low", "at_high"),
    [("[20, 30)", True, False), ("[20, 30[", True, False), ("]20, 30]", False, True), ("(20,30]", False, True),
     ("(20;30)", False, False), ("[20,30]", True, True), ("20-30", True, True), ("20 to 30", True, True),
     ("20~30", True, True), ("20..30", True, True), ("20 \u2013 30", True, True)],
)  # fmt: skip
def test_ends_are_included_as_written(text, at_low, at_high):
    assert (contains(text, 20), contains(text, 30)) == (at_low, at_high)
    assert contains(text, 25)
    assert not contains(text, 19.5)
    assert not contains(text, 30.5)


def test_open_sides_negative_numbers_and_digits():
    assert read_interval(">=65", AGE, whole=True) == Interval(65, None)
    assert read_interval("65+", AGE, whole=True) == Interval(65, None)
    assert read_interval("> 65", AGE, whole=True) == Interval(nextafter(65, inf), None)
    assert read_interval("<18", AGE, whole=True) == Interval(None, 18)
    assert read_interval("<=17", AGE, whole=True) == Interval(None, 17, closed=True)
    assert read_interval("(64,Inf]", AGE, whole=True) == Interval(nextafter(64, inf), None)
    assert read_interval("-5--1", AGE, whole=True) == Interval(-5, -1, closed=True)
    assert read_interval("-5-3", AGE, whole=True) == Interval(-5, 3, closed=True)
    assert read_interval("13***", AGE, whole=True) == Interval(13000, 14000)
    assert read_interval("13***", AGE, whole=False) is None


@pytest.mark.parametrize(
    "text", ["", "20,29", "29-20", "[30, 20]", "[20, 20)", "(20, 20]", "a-b", "20-", "-", "[20]", "0*"]
)
def test_what_is_no_interval_is_none(text):
    assert read_interval(text, AGE, whole=True) is None


def test_dates_are_no_numbers():
    assert read_interval("2020-01-01", AGE, whole=True) is None
    assert read_interval("1970-01-02", DAY, whole=False) == Interval(1, 1, closed=True)
    assert read_interval("1970", DAY, whole=False) == Interval(0, 365)
    assert read_interval("1970-02", DAY, whole=False) == Interval(31, 59)
    assert read_interval("]1970-01-01, 1970-01-03]", DAY, whole=False) == Interval(1, 2, closed=True)
    assert read_interval("20-29", DAY, whole=False) is None
    assert read_interval("1970-13", DAY, whole=False) is None


def test_stars_are_characters_and_a_last_one_any_number_of_them_where_none_has_that_length():
    assert read_set("130**", VALUES) == ("13053", "13068")
    assert read_set("1305*", VALUES) == ("13053",)  # not 1305
    assert read_set("14*", VALUES) == ("14850",)
    assert read_set("*4850", VALUES) == ("14850",)
    assert read_set("99*", VALUES) is None
    assert read_set("**", VALUES) == tuple(VALUES)


def test_sets_are_of_values_of_the_original():
    for text in ("{13053, x}", "13053,x", "x;13053", "[x, 13053]", "('13053', 'x')", "13053~x", "13053|x"):
        assert read_set(text, VALUES) == ("13053", "x")
    assert read_set("a b,x", VALUES) == ("a b", "x")
    assert read_set("13053,y", VALUES) is None
    assert read_set("x,x", VALUES) is None
    assert read_set("20-29", {"21": None, "35": None}) == ("21",)
    assert read_set("20-29", VALUES) is None  # not all values are numbers
