"""The gate's reading of counts: rows are alike where they are written alike, and sums keep all records."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from shoal.gate.written_counts import WrittenCounts, numbered_rows

cells = st.tuples(st.sampled_from(["1", "01", None]), st.sampled_from(["a", "b", None]))
written = st.lists(st.tuples(cells, st.integers(1, 5)), min_size=1, max_size=30)
Drawn = list[tuple[tuple[Any, Any], int]]


def counts_of(drawn: Drawn) -> WrittenCounts:
    x, y = (pa.array([row[at] for row, _ in drawn], pa.string()) for at in (0, 1))
    return WrittenCounts.of(pa.table({"x": x, "y": y, "n": pa.array([n for _, n in drawn], pa.int32())}))


@given(written)
def test_classes_are_those_of_the_slow_twin(drawn: Drawn) -> None:
    rows = [row for row, _ in drawn]
    place = {row: at for at, row in enumerate(dict.fromkeys(rows))}
    assert counts_of(drawn).classes(["x", "y"]).tolist() == [place[row] for row in rows]


@given(written)
def test_sums_over_the_other_column_keep_all_records(drawn: Drawn) -> None:
    expected = Counter[Any]()
    for (x, _), n in drawn:
        expected[x] += n
    summed = counts_of(drawn).by(["x"])
    assert Counter(dict(zip(summed.values.to_pylist(), summed.n.tolist(), strict=True))) == expected
    assert summed.n_records == counts_of(drawn).n_records
    assert counts_of(drawn).known.n_records == sum(n for (x, _), n in drawn if x is not None)


def test_columns_of_many_values_do_not_run_over() -> None:
    drawn = np.random.default_rng(3).integers(-1, 2**40, (300, 6))
    rows = np.vstack([drawn, drawn[::3], drawn - np.eye(6, dtype=np.int64)[np.arange(300) % 6] * (drawn >= 0)])
    place = {row: at for at, row in enumerate(dict.fromkeys(map(tuple, rows.tolist())))}
    assert numbered_rows(rows.T, len(rows)).tolist() == [place[tuple(row)] for row in rows.tolist()]


def test_a_column_may_bear_the_name_of_the_counts() -> None:
    counts = WrittenCounts.of(pa.table([["u", None], [2, 3]], names=["n", "n"]))
    assert (counts["n"].to_pylist(), counts.n.tolist(), counts.known.n.tolist()) == (["u", None], [2, 3], [2])
