"""Blocks at their bounds: exactly the limit, exactly k, the columns that there are, and nobody beyond."""

import numpy as np
import pytest

import shoal
from shoal.blocking.block_limit import MAX_SLOWDOWN, choose_limit
from shoal.blocking.predicted_time import mdav_seconds
from shoal.blocking.univariate_blocks import fuse_adjacent
from shoal.errors import LinkageError, ShoalError
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.key_bins import MISSING_KEY, KeyBins
from shoal.linkage.quantifiers import Logistic, Threshold, UserQuantifier


@pytest.mark.parametrize("whole", [True, False])
def test_what_holds_just_the_limit_is_not_divided(whole):
    X = np.random.default_rng(0).random((40, 2))
    assert shoal.twod_tree(X, limit=40, k=3, whole=whole).tree.n_nodes == 1
    assert shoal.twod_tree(X, limit=39, k=3, whole=whole).tree.n_nodes > 1
    corners = np.repeat([[0.0, 0.0], [1.0, 1.0]], 20, axis=0) + 0.1 * np.tile(X[:20], (2, 1))
    assert shoal.twod_tree(corners, limit=20, k=3, whole=whole).tree.leaf_sizes.tolist() == [20, 20]
    assert len(shoal.twod_tree(corners, limit=19, k=3, whole=whole).tree.leaf_sizes) > 2


def test_a_pruned_tree_is_the_tree_of_the_larger_limit():
    X = np.random.default_rng(1).random((512, 1))
    fine = shoal.twod_tree(X, limit=10, k=2, fuse="none").tree
    for limit in {10, 20, 64, *map(int, fine.nodes.n_records)}:
        wanted = shoal.twod_tree(X, limit=max(limit, 4), k=2, fuse="none").tree
        if limit >= 10:
            assert fine.prune(limit).leaf_sizes.tolist() == wanted.leaf_sizes.tolist()


@pytest.mark.parametrize("columns", [[0, 0], [2], [-1], [0.5], []])
def test_columns_that_are_not_there_are_not_halved(columns):
    """Nor where there is nothing to divide: no kernel is asked for them."""
    with pytest.raises(ShoalError):
        shoal.twod_tree(np.random.default_rng(0).random((30, 2)), limit=30, k=3, dimensions=columns)


def test_a_leaf_of_k_is_not_small_and_one_of_fewer_joins_the_nearest():
    X = np.array([0.0] * 5 + [0.3] * 3 + [0.6] * 5 + [0.72] * 2 + [1.0] * 5)[:, None]
    assert sorted(shoal.twod_tree(X, limit=6, k=3).sizes.tolist()) == [3, 5, 5, 7]
    assert sorted(shoal.twod_tree(X, limit=6, k=2).sizes.tolist()) == [2, 3, 5, 5, 5]


def test_fused_blocks_may_fill_the_limit_and_not_more():
    X = np.array([0.0] * 7 + [0.3] * 2 + [0.6] * 6 + [1.0] * 6)[:, None]
    assert shoal.twod_tree(X, limit=8, k=3, fuse="supervised").sizes.tolist() == [7, 8, 6]
    with pytest.raises(ShoalError):
        shoal.twod_tree(X, limit=7, k=3, fuse="supervised")


def test_nearest_pairs_are_fused_first():
    """Two small leaves want the one at 0.3, which has room for one of them: the nearer gets it."""
    places = {0.0: 6, 0.1: 3, 0.24: 2, 0.3: 5, 0.52: 2, 0.8: 3, 1.0: 6}
    X = np.repeat(list(places), list(places.values()))[:, None]
    blocks = shoal.twod_tree(X, limit=8, k=3, fuse="supervised")
    together = [sorted(set(X[blocks.labels == block, 0].tolist())) for block in range(blocks.n_groups)]
    assert together == [[0.0], [0.1], [0.24, 0.3], [0.52, 0.8], [1.0]]


def test_limit_auto_takes_the_largest_that_is_fast_enough():
    X = np.random.default_rng(2).random((40_000, 2))
    tree = shoal.twod_tree(X, limit=500, k=3, fuse="none").tree
    limits = [500 * 2**at for at in range(8)]
    times = [mdav_seconds(tree.prune(limit).leaf_sizes, 2, 3) for limit in limits]
    fitting = [limit for limit, time in zip(limits, times, strict=True) if time <= MAX_SLOWDOWN * min(times)]
    assert choose_limit(tree, 3).limit == max(fitting) > min(fitting)


@pytest.mark.parametrize(
    ("counts", "blocks"),
    [
        ([3, 3, 3], [0, 1, 2]),
        ([2, 1, 3], [0, 0, 1]),
        ([3, 2], [0, 0]),
        ([0, 0, 1], [0, 0, 0]),
        ([3, 0, 0, 3], [0, 1, 1, 1]),
        ([4, 1, 1], [0, 0, 0]),
    ],
)
def test_intervals_are_fused_until_they_hold_k(counts, blocks):
    assert fuse_adjacent(np.array(counts), 3).tolist() == blocks


def test_a_last_run_of_k_is_a_block():
    X = np.arange(23.0)[:, None]
    assert shoal.univariate_blocks(X, column=0, limit=10, k=3, form="runs").sizes.tolist() == [10, 10, 3]
    assert shoal.univariate_blocks(X[:22], column=0, limit=10, k=3, form="runs").sizes.tolist() == [10, 12]


def test_a_rule_needs_its_column():
    rule = shoal.univariate_blocks(np.random.default_rng(0).random((30, 2)), column=1, limit=10, k=3).rule
    with pytest.raises(ShoalError):
        rule.block_of(np.zeros((4, 1)))


def test_a_column_of_one_value_is_one_block():
    assert shoal.univariate_blocks(np.ones((30, 1)), column=0, limit=10, k=3).sizes.tolist() == [30]


def test_quantiles_are_those_of_both_files_and_gaps_agree_with_gaps_alone():
    original, released = np.array([0.0, 0.1, 0.2, np.nan]), np.array([0.8, 0.9, 1.0, np.nan])
    one, other = KeyBins(n_blocks=2).keys(original, released)
    assert (one.tolist(), other.tolist()) == ([0, 0, 0, MISSING_KEY], [1, 1, 1, MISSING_KEY])
    one, _ = KeyBins(decimals=1).keys(original, released)
    assert one.tolist() == [0, 1, 2, MISSING_KEY]


def test_nobody_is_no_candidate_and_the_largest_block_is_that_of_any_pass():
    first = Runs.of_keys(np.array([0, 1]), np.array([0, 2, 1]))
    second = Runs.of_keys(np.array([5, 5]), np.array([5, 5, 5]))
    assert first.contains(np.array([1, 0]), np.array([-1, -1])).tolist() == [False, False]
    assert second.contains(np.array([1, 1]), np.array([-1, 2])).tolist() == [False, True]
    assert Candidates((first, second)).largest_block == 3


def test_quantifiers_at_their_ends():
    x = np.array([0.0, 0.4, 0.5, 1.0])
    assert Threshold(0.4)(x).tolist() == [0, 0, 1, 1]
    assert Logistic(0.5)(x)[[0, 3]].tolist() == [0, 1]
    printed = Logistic(0.5, as_printed=True)(x)
    assert printed[[0, 3]] == pytest.approx([1 / (1 + np.exp(5)), 1 / (1 + np.exp(-5))])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: 0.1 + 0.9 * x,
        lambda x: 0.9 * x,
        lambda x: np.where(x == 1, 1.0, np.sin(7 * x) * x * 0.2),
        lambda x: x[:-1],
        lambda x: np.where(x > 0.5, np.nan, x),
    ],
    ids=["begins above 0", "ends below 1", "falls", "too short", "no number"],
)
def test_what_is_no_quantifier_is_refused(function):
    with pytest.raises(LinkageError):
        UserQuantifier(function)(np.array([0.0, 0.5, 1.0]))
    assert UserQuantifier(np.sqrt)(np.array([0.0, 0.25, 1.0])).tolist() == [0, 0.5, 1]


@pytest.mark.parametrize(("k", "n_children"), [(2, 4), (3, 2)])
def test_parts_of_few_groups_are_made_by_one_dimension(k, n_children):
    """A thousand records in four parts are 125 groups of 2 in each, or 83 of 3."""
    X = np.random.default_rng(3).random((1000, 2))
    assert len(shoal.twod_tree(X, limit=300, k=k).tree.children(0)) == n_children
    assert len(shoal.twod_tree(X, limit=300, k=k, whole=True).tree.children(0)) == 4


def test_nodes_that_are_reached_late_keep_their_records():
    """Low keys after two halvings, high keys after one whole level: the next count must not mix them up."""
    chance = np.random.default_rng(4)
    low = np.vstack(
        [chance.random((300, 2)) / 8, *(chance.random((5, 2)) / 8 + at for at in ([0, 1 / 8], [1 / 8, 0], 1 / 8))]
    )
    X = np.vstack([[[0.0, 0.0]], low, 7 / 8 + chance.random((1000, 2)) / 8, [[1.0, 1.0]]])
    blocks = shoal.twod_tree(X, limit=50, k=2, fuse="none")
    for node_id in range(blocks.tree.n_nodes):
        node, inside = blocks.tree.node(node_id), X[blocks.ordinals(node_id)][:, blocks.tree.space.dimensions]
        assert len(inside) == node.n_records
        assert ((np.array(node.lower) <= inside) & (inside <= np.array(node.upper))).all()
