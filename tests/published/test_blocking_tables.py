"""What the blocking paper prints of EIA and of uniform records."""

import pytest

from shoal.reproduce.blocking import block_pictures, blocking_paper, uniform_records


@pytest.mark.usefixtures("reference_data")
def test_table_5_and_its_verdicts():
    found, rows = blocking_paper.eia()
    assert len(rows) == 10
    assert [row for row in rows if not row.holds] == []
    assert all(found[limit, 3][1] > blocking_paper.WHOLE[3] for limit in (100, 200))
    assert all(found[limit, 5][1] < blocking_paper.WHOLE[5] for limit in (100, 200))


def test_the_tree_stays_flat_where_univariate_blocks_grow():
    X = [uniform_records.records(n, 2) for n in (10_000, 40_000)]
    small, large = (uniform_records.losses(records, 50) for records in X)
    assert all(tree < univariate for univariate, tree in (small, large))
    assert large[1] / small[1] < 1.1
    assert large[0] / small[0] > 2


def test_the_sse_of_two_columns_does_not_depend_on_the_number_of_records():
    _, tree = uniform_records.losses(uniform_records.records(50_000, 2), 10_000)
    assert tree <= 4.55 * 1.01


def test_the_pictures_show_every_record_and_every_small_leaf():
    shown = block_pictures.block_shapes()
    assert sum(leaf["records"] for leaf in shown["leaves"]) == 500
    assert max(leaf["records"] for leaf in shown["leaves"]) <= 50
    assert len(shown["links"]) == sum(leaf["small"] for leaf in shown["leaves"]) > 3


def test_a_row_of_table_4_holds_within_one_percent_of_what_is_printed():
    """Univariate rows on both sides, those of the tree upward only; no printed SSE is scaled."""
    for univariate, tree, held in ((1.0, 1.0, [True, True]), (1.009, 0.5, [True, True]), (0.98, 1.02, [False, False])):
        found = {d: (printed[0] * univariate, printed[1] * tree) for d, printed in uniform_records.SSE.items()}
        rows = uniform_records.Dimensions(uniform_records.N_RECORDS, found).rows()
        assert [row.holds for row in rows] == held * len(found)
        assert [row.paper for row in rows] == [sse for printed in uniform_records.SSE.values() for sse in printed]


@pytest.mark.long
def test_the_univariate_rows_of_table_4_in_two_columns():
    X = uniform_records.records(uniform_records.N_RECORDS, 2)
    univariate, tree = uniform_records.losses(X, 10_000)
    assert univariate == pytest.approx(4.9, rel=0.01)
    assert tree <= 4.55 * 1.01
