"""Plans guard what they promise: groups of just k, blanks of the very table that was counted, any number of columns."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import ArrayError, TableError
from shoal.plan import Blanks, CutTree
from shoal.plan.cut_sql import _condition
from shoal.plan.domain import CategoricalDomain, CodeRanges, NumericDomain
from shoal.schema.extent import AnyExtent, Interval, MissingExtent


def test_a_group_of_k_is_enough_and_one_of_k_minus_1_is_not():
    p = shoal.Partition(np.array([0, 0, 0, 1, 1, 1, 1]))
    assert p.check(3) is p
    with pytest.raises(ArrayError, match="1 groups have fewer than k = 4"):
        p.check(4)


def test_what_happens_to_the_callers_array_does_not_happen_to_the_groups():
    labels = np.array([0, 0, 1])
    p = shoal.Partition(labels)
    labels[0] = 1
    assert p.labels.tolist() == [0, 0, 1]


def blanks():
    combinations = pa.table({"a": pa.array(["x", None, "y"]), "b": pa.array(["u", "u", None])})
    cells = np.array([[True, False], [True, True], [False, True], [True, False]])
    return Blanks(("a", "b"), combinations, np.array([0, 0, 1, 2]), cells, np.array([2, 1, 4, 3]))


def test_a_cell_that_was_missing_is_not_counted_as_blanked():
    assert blanks().n_blanked == {"a": 2 + 1 + 3, "b": 1 + 4}
    assert blanks().n_cells == 11


def test_blanks_are_for_the_table_that_was_counted():
    values = {"a": ["x"] * 3 + [None] * 4 + ["y"] * 3, "b": ["u"] * 7 + [None] * 3}
    assert blanks().of_records(pa.table(values)).tolist() == [
        [True, False],
        [True, False],
        [True, True],
        *[[False, True]] * 4,
        *[[True, False]] * 3,
    ]
    other = {**values, "a": ["x"] * 4 + [None] * 3 + ["y"] * 3}  # as many records, other counts
    with pytest.raises(TableError):
        blanks().of_records(pa.table(other))
    unknown = {**values, "a": ["x"] * 3 + [None] * 4 + ["z"] * 3}
    with pytest.raises(TableError):
        blanks().of_records(pa.table(unknown))


def test_many_columns_of_many_values_do_not_run_over():
    """Seventeen columns of sixteen codes: a number of 64 bits would forget the first of them."""
    names = [f"c{j:02}" for j in range(17)]
    combinations = [[i] * 17 for i in range(16)] + [[i, *[0] * 16] for i in range(1, 16)]
    table = pa.table({name: [row[j] for row in combinations] for j, name in enumerate(names)})
    n = len(combinations)
    cells = (np.arange(n)[:, None] >> np.arange(17)) & 1 > 0
    plan = Blanks(tuple(names), table, np.arange(n), cells, np.ones(n, dtype=np.int64))
    order = np.random.default_rng(0).permutation(n)
    assert (plan.of_records(table.take(order)) == cells[order]).all()


def test_what_is_missing_is_told_as_missing_and_with_others_as_anything():
    domain = NumericDomain("x", True, (10.0, 20.0))
    told = [
        domain.extent(CodeRanges(((start, stop),))) for start, stop in ((3, 4), (0, 4), (1, 4), (0, 1), (1, 2), (2, 3))
    ]
    ends = [Interval(None, 10.0), Interval(10.0, 20.0), Interval(20.0, None)]
    assert told == [MissingExtent(), AnyExtent(), AnyExtent(), *ends]
    assert domain.codes(pa.chunked_array([[9.9, 10.0, 20.0, None]])).tolist() == [0, 1, 2, 3]


def test_sql_of_a_whole_column_asks_for_what_the_column_has():
    gaps, full = (CategoricalDomain("x", has_missing, (("a",), ("b",))) for has_missing in (True, False))
    assert _condition(gaps, CodeRanges(((0, 3),))) == "TRUE"
    assert _condition(gaps, CodeRanges(((2, 3),))) == '"x" IS NULL'
    assert _condition(full, CodeRanges(((0, 2),))) == '"x" IS NOT NULL'


@pytest.mark.parametrize(
    ("first", "second", "fits"),
    [((0, 2), (2, 3), True), ((0, 2), (1, 2), False), ((0, 1), (1, 2), False), ((0, 2), (1, 3), False)],
    ids=["side by side", "overlap and gap", "gap", "overlap"],
)
def test_children_share_out_what_their_parent_has(first, second, fits):
    parts = tuple(CodeRanges((ends,)) for ends in ((0, 3), first, second))

    def tree():
        below = np.array([-1, 0, 0])
        return CutTree((NumericDomain("x", False, (10.0, 20.0)),), (parts,), below, below, np.array([0, 1, 2]))

    if fits:
        assert tree().n_blocks == 2
    else:
        with pytest.raises(TableError, match="not a valid cut tree"):
            tree()
