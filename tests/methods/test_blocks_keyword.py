"""Every method takes blocks, and groups each as if it were alone."""

import numpy as np
import pytest

import method_examples
import shoal
from shoal.errors import ShoalError

METHODS = {name: of for each in method_examples.METHODS.values() for name, of in (each.grouped or {}).items()}
ALONE = [name for each in method_examples.METHODS.values() if each.alone for name in each.grouped or ()]


@pytest.fixture(scope="module")
def blocked():
    X = np.random.default_rng(5).normal(size=(400, 3))
    return X, shoal.twod_tree(X, limit=120, k=3)


@pytest.mark.parametrize("name", METHODS)
def test_no_group_straddles_a_border(name, blocked):
    X, blocks = blocked
    partition = METHODS[name](X, blocks=blocks)
    partition.check(3)
    pairs = {tuple(pair) for pair in np.column_stack([partition.labels, blocks.labels]).tolist()}
    assert len(pairs) == partition.n_groups


@pytest.mark.parametrize("name", ALONE)
def test_a_block_is_grouped_as_if_it_were_alone(name, blocked):
    X, blocks = blocked
    inside = np.flatnonzero(blocks.labels == 1)
    found = METHODS[name](X, blocks=blocks).labels[inside]
    alone = METHODS[name](X[inside]).labels
    assert (np.unique(found, return_inverse=True)[1] == alone).all()


def test_households_stay_whole_inside_of_blocks(blocked):
    X, blocks = blocked
    members = np.random.default_rng(1).integers(1, 4, len(X))
    partition = shoal.mdav(X, 3, members=members, blocks=blocks)
    assert (np.bincount(partition.labels, weights=members) >= 3).all()


def test_blocks_share_the_proposals_and_have_their_own_chance(blocked):
    X, blocks = blocked
    one, other = (shoal.microaggregate(X, 3, proposals=40_000, blocks=blocks, threads=threads) for threads in (1, 2))
    assert (one.labels == other.labels).all()
    assert one.sse(X) < shoal.mdav(X, 3, blocks=blocks).sse(X)
    with pytest.raises(ShoalError, match="single number"):
        shoal.microaggregate(X, 3, proposals=[100, 100], blocks=blocks)


def test_blocks_of_other_records_are_refused(blocked):
    with pytest.raises(ShoalError, match="400"):
        shoal.mdav(blocked[0][:100], 3, blocks=blocked[1])
