"""Count queries on releases of any kind, by hand and record by record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from shoal.assessment.utility.queries import CountQuery
from shoal.assessment.utility.release_queries import _counts, _extent_reading, _queries, _reading, release_queries
from shoal.schema import Column, Schema

AGE, JOB = Column("age", "quasi_identifier", "numeric"), Column("job", "quasi_identifier")
SCHEMA = Schema([AGE, JOB, Column("sex", "other")])


def cells(values: Any) -> Any:
    return pa.chunked_array([pa.array(values)])


def table(n: int = 400, seed: int = 0) -> pa.Table:
    draw = np.random.default_rng(seed)
    return pa.table(
        {"age": draw.integers(0, 100, n), "job": draw.choice(list("abcd"), n), "sex": draw.choice(["f", "m"], n)}
    )


def count(column: Column, original: Any, released: Any, query: CountQuery, *, margins: bool) -> float:
    reading = _extent_reading(column, cells(original), cells(released), margins=margins)
    return float(_counts({column.name: reading}, [query], len(released))[0])


def test_what_did_not_change_is_counted_rightly():
    found = release_queries(table(), table(), SCHEMA, ())
    assert found is not None
    assert set(found.uniform) == {0}
    assert found.by_margins is None
    written = pa.table({**{n: table()[n] for n in ("job", "sex")}, "age": table()["age"].cast(pa.string())})
    found = release_queries(table(), written, SCHEMA, ("age",))
    assert found is not None
    assert max(found.uniform) < 1e-9
    assert max(found.by_margins or ()) < 1e-9


def test_counts_of_the_original_are_those_of_a_loop():
    original, queries = table(), _queries(table(), SCHEMA.columns)
    fast = _counts({c.name: _reading(c, original[c.name]) for c in SCHEMA.columns}, queries, len(original))
    rows = original.to_pylist()
    for query, found in zip(queries[:50], fast, strict=False):
        slow = sum(
            all(low <= row[name] < high for name, (low, high) in query.ranges.items())
            and all(row[name] in chosen for name, chosen in query.values.items())
            for row in rows
        )
        assert found == slow


def test_an_interval_counts_by_its_part():
    query = CountQuery({"age": (10, 15)})
    original = list(range(40))
    assert count(AGE, original, ["[10, 20)"] * 4, query, margins=False) == pytest.approx(2)
    assert count(AGE, original, ["12", "15", "9"], query, margins=False) == pytest.approx(1)
    assert count(AGE, original, ["*", None], query, margins=False) == pytest.approx(5 / 40)


def test_by_margins_an_interval_is_filled_as_the_release_is():
    """Two records are in [0, 20), six in [0, 10) by themselves: these say that most of the former are below 10."""
    query, released = CountQuery({"age": (0, 10)}), ["[0, 20)"] * 2 + ["[0, 10)"] * 6
    assert count(AGE, list(range(20)), released, query, margins=False) == pytest.approx(1 + 6)
    assert count(AGE, list(range(20)), released, query, margins=True) == pytest.approx(2 * 7 / 8 + 6)


def test_by_margins_a_set_is_filled_as_the_release_is():
    query, released = CountQuery(values={"job": frozenset("a")}), ["{a, b}"] * 2 + ["a"] * 6
    assert count(JOB, ["a", "b", "c"], released, query, margins=False) == pytest.approx(1 + 6)
    assert count(JOB, ["a", "b", "c"], released, query, margins=True) == pytest.approx(2 * 7 / 8 + 6)


def test_wider_intervals_have_larger_errors():
    errors = []
    for width in (2, 10, 50):
        ages = [f"[{age // width * width}, {age // width * width + width})" for age in table()["age"].to_pylist()]
        found = release_queries(table(), table().set_column(0, "age", pa.array(ages)), SCHEMA, ("age",))
        assert found is not None
        errors.append(np.mean(found.uniform))
    assert errors[0] < errors[1] < errors[2]


def test_suppressed_records_are_missed_and_samples_stand_for_all():
    found = release_queries(table(), table().slice(0, 200), SCHEMA, ())
    assert found is not None
    assert np.mean(found.uniform) == pytest.approx(50, abs=10)
    scaled = release_queries(table(), table().slice(0, 200), SCHEMA, (), 2.0)
    assert scaled is not None
    assert np.mean(scaled.uniform) < 25


def test_without_records_or_columns_there_is_nothing_to_ask():
    assert release_queries(table(), table().slice(0, 0), SCHEMA, ()) is None
    assert release_queries(table(5), table(5), SCHEMA, ()) is None
    keys = Schema([Column("age", "other")])
    many = pa.table({"age": [f"v{at}" for at in range(400)]})
    assert release_queries(many, many, keys, ()) is None
