"""Losses of blocks written down by hand: suppressed records, taxonomies, classes with gaps, several columns."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.encode.count_table import CountTable
from shoal.losses import LOSSES, SSE, Certainty, Measures, measure, total
from shoal.methods.generalization.mondrian import Mondrian

TREE = shoal.Taxonomy((("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")))
SCHEMA = shoal.Schema([shoal.Column("letter", "quasi_identifier", taxonomy=TREE), shoal.Column("s", "sensitive")])

BLOCKS = Measures(
    totals=np.array([4, 6]),
    n_records=13,
    classes=np.array([[3, 1, 0], [2, 2, 2]]),
    cells=np.array([[2.0, 3.0, 1.0], [1.0, 5.0, 2.0]]),
    widths=np.array([[0.5, 1.0, 0.0], [0.0, 0.25, 0.5]]),
    n_cells=np.array([4.0, 7.0, 2.0]),
)


@pytest.mark.parametrize(
    ("name", "of_blocks", "of_suppressed"),
    [
        ("discernibility", [16, 36], 13),  # it could be any record of the table, suppressed ones too
        ("classification", [1, 4], 1),
        ("volume", [4 * 6, 6 * 10], 56),
        ("certainty", [4 * 1.5, 6 * 0.75], 3),
    ],
)
def test_blocks_and_suppressed_records(name, of_blocks, of_suppressed):
    loss = LOSSES[name]
    assert loss.of_blocks(BLOCKS).tolist() == of_blocks
    assert loss.of_suppressed(BLOCKS) == of_suppressed
    for n_suppressed in (0, 1, 3):
        assert total(loss, BLOCKS, n_suppressed) == sum(of_blocks) + n_suppressed * of_suppressed


def test_certainty_of_columns_weighs_blocks_by_their_records():
    assert Certainty().percent_of_columns(BLOCKS).tolist() == [20, 55, 30]


def measured(k, counts, target=None):
    table = CountTable.of(pa.table(counts))
    tree = Mondrian().cut(table, SCHEMA, [shoal.KAnonymity(k)])
    return measure(tree, table, target)


def test_a_value_of_a_taxonomy_is_told_and_a_node_costs_its_leaves():
    counts = {"letter": ["a", "b", "c", "d"], "s": ["u"] * 4, "n": [5, 5, 2, 2]}
    found = measured(4, counts)
    widths = dict(zip(found.totals.tolist(), found.widths[:, 0].tolist(), strict=True))
    assert widths == {5: 0.0, 4: 0.5}  # a and b by themselves, c and d together: two leaves of four
    assert measured(14, counts).widths.tolist() == [[1.0]]


def test_classes_count_records_and_a_gap_is_one_of_them():
    counts = {"letter": ["a", "a", "a"], "s": ["u", None, "v"], "n": [2, 7, 3]}
    found = measured(12, counts, "s")
    assert sorted(found.classes[0].tolist()) == [2, 3, 7]
    assert total(LOSSES["classification"], found) == 5


def test_squared_errors_of_groups_add_all_columns():
    X = np.array([[0.0, 0.0], [2.0, 4.0], [5.0, 5.0], [5.0, 9.0]])
    assert SSE().of_groups(X, shoal.Partition(np.array([0, 0, 1, 1]))).tolist() == [2 + 8, 8]
