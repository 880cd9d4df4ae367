"""Repair across borders: groups exchange records with those of other blocks, and nothing gets worse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.tables import tables
from shoal.blocking.shifted_tree import shifted_blocks
from shoal.errors import ShoalError


@pytest.mark.gate
@settings(max_examples=examples(40))
@given(X=tables(most=80, columns=3, least=12), k=st.integers(2, 4))
def test_groups_stay_groups_and_the_loss_never_grows(X, k):
    blocked = shoal.mdav(X, k, blocks=shoal.twod_tree(X, limit=12, k=k))
    repaired = shoal.repair(X, blocked, k, limit=20, passes=2)
    repaired.check(k)
    assert repaired.sizes.max() <= 2 * k - 1
    assert repaired.sse(X) <= blocked.sse(X) * (1 + 1e-12)


def test_the_loss_of_blocking_is_nearly_gone():
    X = np.random.default_rng(0).random((20_000, 3))
    whole = shoal.mdav(X, 3).sse(X)
    blocked = shoal.mdav(X, 3, blocks=shoal.twod_tree(X, limit=500, k=3))
    assert blocked.sse(X) > 1.05 * whole
    assert shoal.repair(X, blocked, 3).sse(X) <= 1.03 * whole


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_change_nothing(threads):
    X = np.random.default_rng(1).normal(size=(3000, 2))
    blocked = shoal.mdav(X, 3, blocks=shoal.twod_tree(X, limit=300, k=3))
    again = shoal.repair(X, blocked, 3, limit=400, threads=threads)
    assert (again.labels == shoal.repair(X, blocked, 3, limit=400).labels).all()


def test_borders_lie_elsewhere_in_every_pass():
    X = np.random.default_rng(2).random((4000, 2))
    blocks = [shoal.twod_tree(X, limit=300, k=3, fuse="none"), *(shifted_blocks(X, 300, number) for number in range(3))]
    for at, one in enumerate(blocks):
        for other in blocks[at + 1 :]:
            pairs = {tuple(pair) for pair in np.column_stack([one.labels, other.labels]).tolist()}
            assert len(pairs) > 1.5 * one.n_groups  # most blocks are cut by borders of the other


def test_no_pass_is_refused():
    X = np.random.default_rng(0).random((30, 2))
    with pytest.raises(ShoalError, match="passes"):
        shoal.repair(X, shoal.mdav(X, 3), 3, passes=0)
