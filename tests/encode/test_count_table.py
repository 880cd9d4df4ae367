"""A table of counts: sums keep all records, and rows are of one class where they are equal."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode.combination_counts import COUNT, count_combinations
from shoal.encode.count_table import CountTable
from shoal.encode.units import count_units

NAMES = ("x", "y", "z")
rows = st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from([1, 2, None]), st.sampled_from([True, False, None]))
counted = st.lists(st.tuples(rows, st.integers(0, 5)), min_size=1, max_size=30)
some_names = st.lists(st.sampled_from(NAMES), unique=True, min_size=1)
Row = tuple[Any, ...]


def table_of(drawn: list[tuple[Row, int]]) -> CountTable:
    types = (pa.string(), pa.int64(), pa.bool_())
    columns = [pa.array([row[at] for row, _ in drawn], kind) for at, kind in enumerate(types)]
    return CountTable(pa.table(columns, names=list(NAMES)), np.array([n for _, n in drawn], dtype=np.int64))


def slowly_summed(drawn: list[tuple[Row, int]], names: list[str]) -> Counter[Row]:
    """The slow twin; a combination stays, also where nobody has it."""
    found = Counter[Row]()
    for row, n in drawn:
        found[tuple(row[NAMES.index(name)] for name in names)] += n
    return found


def rows_of(counts: CountTable) -> list[Row]:
    return list(zip(*(counts[name].to_pylist() for name in counts.names), strict=True))


@given(counted, some_names)
def test_sums_over_the_other_columns_are_those_of_the_slow_twin(drawn: list[tuple[Row, int]], names: list[str]) -> None:
    summed = table_of(drawn).by(names)
    assert summed.names == tuple(names)
    assert len(rows_of(summed)) == len(set(rows_of(summed)))
    assert dict(zip(rows_of(summed), summed.n.tolist(), strict=True)) == dict(slowly_summed(drawn, names))
    assert summed.n_records == sum(n for _, n in drawn)


@given(counted, some_names)
def test_classes_are_equal_where_rows_are_and_nowhere_else(drawn: list[tuple[Row, int]], names: list[str]) -> None:
    counts = table_of(drawn)
    numbers = counts.class_numbers(names).tolist()
    alike = list(zip(*(counts[name].to_pylist() for name in names), strict=True))
    assert len(set(zip(numbers, alike, strict=True))) == len(set(numbers)) == len(set(alike))
    assert set(numbers) == set(range(len(set(alike))))


@given(counted)
def test_summing_twice_is_summing_once(drawn: list[tuple[Row, int]]) -> None:
    counts = table_of(drawn)
    once, twice = counts.by(["x"]), counts.by(["y", "x"]).by(["x"])
    assert Counter(dict(zip(rows_of(once), once.n.tolist(), strict=True))) == Counter(
        dict(zip(rows_of(twice), twice.n.tolist(), strict=True))
    )


@given(counted)
def test_parts_put_together_are_the_whole(drawn: list[tuple[Row, int]]) -> None:
    counts = table_of(drawn)
    first = np.arange(len(counts)) % 2 == 0
    whole = CountTable.concat([counts.only(first), counts.only(~first)])
    assert sorted(zip(map(repr, rows_of(whole)), whole.n.tolist(), strict=True)) == sorted(
        zip(map(repr, rows_of(counts)), counts.n.tolist(), strict=True)
    )
    assert counts.known.n_records == sum(n for (x, *_), n in drawn if x is not None)


@given(counted)
def test_what_engines_return_comes_back(drawn: list[tuple[Row, int]]) -> None:
    counts = table_of(drawn)
    table = counts.to_table()
    assert table.column_names == [*NAMES, COUNT]
    assert table.schema.field(COUNT).type == pa.int64()
    assert CountTable.of(table).to_table().equals(table)


def test_the_last_column_counts_whatever_the_others_are_called() -> None:
    """Arrow calls counts count_all, and so may a column of the data."""
    counts = CountTable.of(pa.table([["u", "v"], [2, 3]], names=["count_all", "count_all"]))
    assert (counts.names, counts["count_all"].to_pylist(), counts.n.tolist()) == (("count_all",), ["u", "v"], [2, 3])


def test_without_columns_there_is_one_combination() -> None:
    counts = CountTable.of(pa.table({COUNT: pa.array([7], pa.int64())}))
    assert (counts.names, len(counts), counts.n_records) == ((), 1, 7)
    assert counts.to_table().to_pydict() == {COUNT: [7]}


@pytest.mark.parametrize("kind", [pa.string(), pa.dictionary(pa.int32(), pa.string())])
def test_records_are_counted_as_a_dictionary_counts_them(kind: pa.DataType) -> None:
    values = ["a", "b", "a", None, "a", None]
    counts = count_combinations(pa.table({"x": pa.array(values).cast(kind), "y": [1] * 6}), ["x", "y"])
    assert dict(zip(rows_of(counts), counts.n.tolist(), strict=True)) == {("a", 1): 3, ("b", 1): 1, (None, 1): 2}


@given(counted)
def test_units_are_counted_once_for_every_combination(drawn: list[tuple[Row, int]]) -> None:
    """y is the unit here: a combination has as many as it has different ones, and all records that are of none."""
    drawn = [(row, max(n, 1)) for row, n in drawn]
    found = count_units(table_of(drawn), "y")
    units: dict[Row, set[Any]] = {}
    alone = Counter[Row]()
    for (x, y, z), n in drawn:
        units.setdefault((x, z), set()).update([] if y is None else [y])
        alone[(x, z)] += n if y is None else 0
    expected = {key: len(units[key]) + alone[key] for key in units}
    assert dict(zip(rows_of(found), found.n.tolist(), strict=True)) == expected
