"""Columns that an intruder may know: who is alone on them, which few of them are enough, and classes of one value."""

from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from shoal.assessment.mend.homogeneous_classes import homogeneous_classes
from shoal.assessment.mend.known_columns import KnownColumns

NAMES = ("a", "b", "c", "d")


def drawn(seed, n=40):
    """A table with gaps, and the unit of every record."""
    rng = np.random.default_rng(seed)
    cells = {name: rng.integers(0, 2 + at * 2, n) for at, name in enumerate(NAMES)}
    table = pa.table({name: pa.array(values, mask=rng.random(n) < 0.15) for name, values in cells.items()})
    return table, pa.chunked_array([pa.array(rng.integers(0, n // 6, n), mask=rng.random(n) < 0.2)])


def rows_of(table):
    return list(zip(*table.to_pydict().values(), strict=True))


def others(units, at):
    """Whether each record is of another unit; one without a unit is of its own."""
    return [other != at and (unit is None or unit != units[at]) for other, unit in enumerate(units)]


def is_alone(rows, units, at, places):
    own = [rows[at][place] for place in places]
    return not any(is_other and [row[place] for place in places] == own
                   for row, is_other in zip(rows, others(units, at), strict=True))  # fmt: skip


def minimal_sets(rows, units, at):
    found = [set(places) for size in (1, 2, 3, 4) for places in combinations(range(len(NAMES)), size)
             if is_alone(rows, units, at, places)]  # fmt: skip
    return {frozenset(each) for each in found if not any(other < each for other in found)}


@pytest.mark.parametrize("has_units", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_records_that_are_alone_as_a_slow_count_finds_them(seed, has_units):
    table, units = drawn(seed)
    known = KnownColumns.of(table, NAMES, units if has_units else None)
    rows, of = rows_of(table), units.to_pylist() if has_units else [None] * len(table)
    alone = [is_alone(rows, of, at, range(len(NAMES))) for at in range(len(table))]
    assert known.n_singled_out == sum(alone)
    assert known.share == 100 * sum(alone) / len(table)
    special = [at for at in range(len(table)) if minimal_sets(rows, of, at)]
    assert known.special.n_records == len(special)


@pytest.mark.parametrize("has_units", [False, True])
def test_the_riskiest_records_are_named_with_their_smallest_sets(has_units):
    table, units = drawn(7)
    known = KnownColumns.of(table, NAMES, units if has_units else None)
    rows, of = rows_of(table), units.to_pylist() if has_units else [None] * len(table)
    numbers = np.arange(len(table)) + 100
    found = known.riskiest(8, numbers)
    assert len(found) == 8
    for record in found:
        sets = {frozenset(NAMES.index(name) for name in keys) for keys in record.sets}
        assert sets == minimal_sets(rows, of, record.number - 101)
    assert len({record.number for record in found}) == 8


def test_the_worst_set_and_the_column_that_contributes_most():
    table = pa.table({"same": ["x"] * 6, "own": list(range(6)), "half": [0, 0, 0, 1, 1, 1]})
    known = KnownColumns.of(table, ("same", "own", "half"))
    (worst,) = known.worst_sets(5)
    assert (worst.keys, worst.n_minimal, worst.n_records) == (("own",), 6, 6)
    assert next(iter(known.contributions.items())) == ("own", 100.0)


@pytest.mark.parametrize("seed", range(3))
def test_where_a_missing_cell_may_be_any_value_fewer_are_alone(seed):
    table, _ = drawn(seed)
    rows = rows_of(table)

    def match(one, other):
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    alone = sum(sum(match(row, other) for other in rows) == 1 for row in rows)
    known = KnownColumns.of(table, NAMES)
    assert known.share_by_wildcards == 100 * alone / len(rows)
    assert known.share_by_wildcards < known.share


def test_nothing_to_compare_is_no_figure():
    assert KnownColumns.of(pa.table({"a": pa.array([[1], [2]])}), ("a",)) is None
    assert KnownColumns.of(pa.table({"a": pa.array([], pa.int64())}), ("a",)) is None


@pytest.mark.parametrize("seed", range(3))
def test_classes_of_one_value_as_a_slow_count_finds_them(seed):
    table, _ = drawn(seed, 60)

    def homogeneous(names):
        classes = {}
        for *key, value in rows_of(table.select([*names, "d"])):
            classes.setdefault(tuple(key), []).append(value)
        found = [values for values in classes.values() if len({*values} - {None}) == 1]
        return len(found), sum(map(len, found))

    keys = ("a", "b", "c")
    found = homogeneous_classes(table, keys, "d")
    assert (found.n_classes, found.n_records) == homogeneous(keys)
    mixed = {name: found.n_records - homogeneous([key for key in keys if key != name])[1] for name in keys}
    assert Counter(found.mixed) == Counter(mixed)
    assert list(found.mixed.values()) == sorted(mixed.values(), reverse=True)
    assert homogeneous_classes(table, ("a",), "d").mixed["a"] == homogeneous(("a",))[1] - homogeneous(())[1]
