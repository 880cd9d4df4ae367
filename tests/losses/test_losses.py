"""Losses: sums over blocks, by hand and by their laws."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from shoal.encode.combination_counts import count_combinations
from shoal.losses import LOSSES, SSE, Certainty, Measures, measure, total

SCHEMA = shoal.Schema(
    [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("town", role="quasi_identifier", kind="nominal"),
        shoal.Column("s", role="sensitive"),
    ]
)


def test_by_hand():
    table = pa.table({"age": [20, 21, 40, 60, 60], "town": list("uuvvw"), "s": list("aabbb")})
    tree = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(2)], cuts={"age": [40]})
    blocks = measure(tree, count_combinations(table, table.column_names), target="s")
    assert sorted(blocks.totals.tolist()) == [2, 3]
    assert total(LOSSES["discernibility"], blocks) == 4 + 9
    assert total(LOSSES["discernibility"], blocks, n_suppressed=1) == 4 + 9 + 5
    assert total(LOSSES["classification"], blocks) == 0
    assert total(LOSSES["volume"], blocks) == 2 * 3 + 3 * 3  # one cell of age, three towns
    age, town = Certainty().percent_of_columns(blocks)
    assert age == pytest.approx(100 * (2 * 1 / 40 + 3 * 20 / 40) / 5)
    assert town == 100
    assert Certainty().percent(blocks) == pytest.approx((age + town) / 2)


def test_a_missing_value_is_told_and_anything_is_not():
    table = pa.table({"age": [20, 30, None, None], "town": list("uuuu"), "s": list("aaaa")})
    counts = count_combinations(table, table.column_names)
    apart = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(2)])
    together = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(4)])
    assert Certainty().percent_of_columns(measure(apart, counts))[0] == 50
    assert Certainty().percent_of_columns(measure(together, counts))[0] == 100


@settings(max_examples=examples(30))
@given(st.integers(0, 2**32), st.integers(2, 10), st.sampled_from(["strict", "greedy"]))
def test_no_loss_grows_when_blocks_are_divided(seed, k, mode):
    chance = np.random.default_rng(seed)
    table = pa.table(
        {
            "age": chance.integers(0, 9, 60),
            "town": chance.choice(list("uvwx"), 60),
            "s": chance.choice(list("abc"), 60),
        }
    )
    counts = count_combinations(table, table.column_names)
    fine = measure(shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(k)], mode=mode), counts, "s")
    one = measure(shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(60)]), counts, "s")
    for loss in LOSSES.values():
        assert total(loss, fine) <= total(loss, one) * (1 + 1e-12)
        assert loss.of_suppressed(fine) * 60 >= total(loss, fine) * (1 - 1e-12)


def test_a_loss_says_what_it_misses():
    bare = Measures(np.array([3]), 3)
    for name in ("classification", "volume", "certainty"):
        with pytest.raises(TypeError, match="needs blocks"):
            LOSSES[name].of_blocks(bare)


def test_squared_errors_add_up_over_groups():
    X = np.random.default_rng(0).normal(size=(20, 3))
    partition = shoal.mdav(X, 4)
    assert SSE().of_groups(X, partition).sum() == pytest.approx(SSE().total(X, partition))
