"""What the tree chooses for the user: its limit and its dimensions, with a reason."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.tables import tables
from shoal.blocking.block_limit import MAX_SLOWDOWN, border_share
from shoal.blocking.dimensions import CovarianceSums, rank_dimensions
from shoal.blocking.predicted_time import mdav_seconds
from shoal.blocking.tree_space import Ranges


def test_copies_of_a_column_are_chosen_once():
    chance = np.random.default_rng(0)
    base = chance.normal(size=(2000, 3))
    X = np.column_stack([base[:, [0] * 6], base[:, [1] * 4], base[:, 2:], 0.01 * chance.normal(size=(2000, 3))])
    blocks = shoal.twod_tree(X, limit=100, k=3)
    assert set(blocks.tree.space.dimensions.tolist()) == {0, 6, 10}
    assert "0, 6, 10" in blocks.reasons[0]


def test_covariances_are_those_of_the_columns():
    X = np.random.default_rng(1).normal(size=(500, 4)) @ np.random.default_rng(2).normal(size=(4, 4))
    ranges = Ranges.of(X)
    found = CovarianceSums.of(X, ranges).covariances(ranges)
    assert found == pytest.approx(np.cov(X.T, bias=True), rel=1e-3, abs=1e-3)


@given(X=tables(most=60, columns=4))
def test_every_column_has_its_place(X):
    ranges = Ranges.of(X)
    choice = rank_dimensions(CovarianceSums.of(X, ranges), ranges)
    assert sorted(choice.dimensions.tolist()) == list(range(X.shape[1]))
    assert sum(choice.shares) <= 1 + 1e-9


def test_a_table_of_many_columns_needs_no_choice_by_the_user():
    X = np.random.default_rng(4).normal(size=(3000, 60))
    blocks = shoal.twod_tree(X, limit=500, k=3)
    assert len(blocks.tree.space.dimensions) <= 10
    assert blocks.sizes.max() <= 500


@pytest.mark.gate(but="3")
@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_limit_balances_time_and_loss(d):
    X = np.random.default_rng(d).random((60_000, d))
    chosen, smallest = shoal.twod_tree(X, limit="auto", k=3), shoal.twod_tree(X, limit=500, k=3)
    assert chosen.limit > 500
    assert mdav_seconds(chosen.sizes, d, 3) <= MAX_SLOWDOWN * mdav_seconds(smallest.sizes, d, 3)
    assert border_share(chosen.sizes, d, 3) < border_share(smallest.sizes, d, 3)
    assert f"Limit {chosen.limit:,}" in chosen.reasons[-1]
    assert shoal.twod_tree(X, limit=chosen.limit, k=3).rule.to_json() == chosen.rule.to_json()


@given(sizes=st.lists(st.integers(3, 10_000), min_size=2, max_size=20), k=st.integers(2, 3), d=st.integers(1, 12))
def test_shares_are_shares(sizes, k, d):
    assert 0 <= border_share(np.array(sizes), d, k) <= 1
