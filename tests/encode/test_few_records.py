"""Short columns are sorted and counted in a way of their own: with the same codes and counts as long ones."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.encode import codes, combination_counts
from shoal.encode.codes import to_codes
from shoal.encode.combination_counts import count_combinations

TYPES = {
    pa.int64(): st.integers(-3, 3),
    pa.uint64(): st.integers(2**64 - 3, 2**64 - 1),
    pa.int8(): st.integers(-128, 127),
    pa.float64(): st.sampled_from([0.0, -0.0, 1.5, -2.0, float("nan"), float("inf")]),
    pa.string(): st.sampled_from(["10", "2", "02", "a", "", "nan", "+1", "Infinity"]),
    pa.date32(): st.dates(date(1990, 1, 1), date(1990, 1, 4)),
    pa.bool_(): st.booleans(),
    pa.null(): st.none(),
}


@st.composite
def columns(draw: Any) -> pa.ChunkedArray[Any]:
    type_ = draw(st.sampled_from(list(TYPES)))
    values = draw(st.lists(st.none() | TYPES[type_], max_size=12))
    half = draw(st.integers(0, len(values)))
    return pa.chunked_array([values[:half], values[half:]], type_)


@given(columns())
def test_codes_are_those_of_a_long_column(column: pa.ChunkedArray[Any]) -> None:
    short = to_codes("x", column)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codes, "FEW_RECORDS", -1)
        patch.setattr(codes, "NUMBER", codes.re.compile(""))  # every text is tried as a number
        long = to_codes("x", column)
    assert short.codes.tolist() == long.codes.tolist()
    assert str(short.values) == str(long.values)
    assert short.values.type == long.values.type
    assert short.values.null_count == 0
    assert sorted(set(short.codes.tolist()) - {-1}) == list(range(short.n_values))


@given(columns(), st.data())
def test_counts_are_those_of_a_long_table(column: pa.ChunkedArray[Any], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.none() | st.integers(0, 2), min_size=len(column), max_size=len(column)))
    table = pa.table({"x": column, "y": pa.array(other, pa.int64())})
    short = count_combinations(table, ["x", "y"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(combination_counts, "FEW_RECORDS", -1)
        long = count_combinations(table, ["x", "y"])
    one, another = (
        Counter(dict(zip(map(str, each.combinations.to_pylist()), each.n.tolist(), strict=True)))
        for each in (short, long)
    )
    assert one == another
    assert short.combinations.schema == long.combinations.schema
    rows = list(map(str, table.to_pylist()))
    assert list(map(str, short.combinations.to_pylist())) == list(dict.fromkeys(rows))
