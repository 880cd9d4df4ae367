"""Numbers and dates released as nodes of a taxonomy, whose labels are only names: they hold the values below them."""

from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.utility.extent_values import ExtentColumn, certainty_penalty
from shoal.plan import AnyExtent, Interval
from shoal.schema import Column, Taxonomy

AGES = tuple(range(100))
NAMES = Taxonomy(tuple((str(age), f"[{age // 10 * 10}, {age // 10 * 10 + 10}[", "*") for age in AGES))
DAYS = tuple(date(2024, 1, 1) + timedelta(days=at) for at in range(60))
MONTHS = Taxonomy(tuple((str(day), f"{day:%B}", "*") for day in DAYS))


def test_a_node_contains_the_values_below_it():
    age = Column("age", role="quasi_identifier", kind="numeric", taxonomy=NAMES)
    read = ExtentColumn.of(age, pa.chunked_array([["[20, 30[", "7", "*", "[90, 100["]]))
    found = [read.extents[at] for at in read.of_record]
    assert found == [Interval(20, 29, True), Interval(7, 7, True), AnyExtent(), Interval(90, 99, True)]
    day = Column("day", role="quasi_identifier", kind="date", taxonomy=MONTHS)
    (january,) = ExtentColumn.of(day, pa.chunked_array([["January"]])).extents
    first = (DAYS[0] - date(1970, 1, 1)).days
    assert january == Interval(first, first + 30, True)


def test_the_loss_is_the_share_of_the_range_below_the_node():
    age = Column("age", role="quasi_identifier", kind="numeric", taxonomy=NAMES)
    labels = pa.chunked_array([[NAMES.paths[at][1] for at in AGES]])
    assert certainty_penalty(age, pa.chunked_array([AGES]), labels) == pytest.approx(100 * 9 / 99)


def test_a_person_is_one_of_the_records_below_the_node():
    """Released by names of decades, everybody is found with a chance of one in the persons of the same decade."""
    ages = np.random.default_rng(4).integers(0, 100, 300)
    original = pa.table({"age": ages, "ill": ["flu", "cold", "none"] * 100})
    released = original.set_column(0, "age", pa.array([NAMES.paths[at][1] for at in ages]))
    schema = shoal.Schema(
        [Column("age", role="quasi_identifier", kind="numeric", taxonomy=NAMES), Column("ill", role="sensitive")]
    )
    found = shoal.assess(original, released, schema, truth="position")
    assert found.linkages["extents"].risk == pytest.approx(len(np.unique(ages // 10)) / 300)
