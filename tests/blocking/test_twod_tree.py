"""The 2^d-tree agrees with its slow twin, whatever the batches; its rule puts records where the tree put them."""

import json

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import shoal
import shoal.blocking.growth
from reference import twod_tree as twin
from reference.tables import groups, tables
from shapes import POINTS, points
from shoal.blocking.dimensions import CovarianceSums
from shoal.blocking.grid_cells import GridCells, pad_keys, words_for
from shoal.blocking.tree_plan import InMemory, TreeOptions, plan_tree
from shoal.blocking.tree_space import Ranges, TreeSpace
from shoal.errors import ArrayError, ShoalError


def skewed(n=600, d=3, seed=0):
    return np.random.default_rng(seed).lognormal(0, 3, (n, d))


@given(X=tables(most=60, columns=3), limit=st.integers(4, 12))
def test_leaves_are_those_of_the_twin(X, limit):
    blocks = shoal.twod_tree(X, limit=limit, k=2, fuse="none", whole=True)
    assert groups(blocks) == twin.leaves(X, limit)


@given(X=tables(most=60, columns=3), limit=st.integers(8, 12), k=st.integers(2, 4))
def test_small_leaves_are_fused_as_the_twin_does(X, limit, k):
    if k <= len(X):
        blocks = shoal.twod_tree(X, limit=limit, k=k, whole=True)
        assert groups(blocks) == twin.fused(X, twin.leaves(X, limit), k)
        blocks.check(k)


@given(X=tables(most=60, columns=4), data=st.data())
def test_only_the_chosen_dimensions_are_halved(X, data):
    chosen = data.draw(st.permutations(range(X.shape[1])))[: data.draw(st.integers(1, X.shape[1]))]
    blocks = shoal.twod_tree(X, limit=6, k=2, dimensions=chosen, fuse="none", whole=True)
    assert groups(blocks) == twin.leaves(X, 6, list(chosen))


class Batches:
    """Records that come in batches, as from an engine."""

    def __init__(self, batches):
        self.batches = batches

    def added(self, counts):
        first, *rest = counts
        return sum(rest, first)

    def ranges(self):
        return self.added([Ranges.of(batch) for batch in self.batches])

    def spread(self, ranges):
        return self.added([CovarianceSums.of(batch, ranges) for batch in self.batches])

    def cells(self, growth):
        return self.added([growth.count(batch) for batch in self.batches])


@given(
    X=tables(most=80, columns=4),
    limit=st.integers(8, 20),
    dimensions=st.sampled_from([None, "auto"]),
    whole=st.booleans(),
    seed=st.integers(0, 99),
)
def test_batches_and_their_order_change_nothing(X, limit, dimensions, whole, seed):
    shuffled = np.array_split(np.random.default_rng(seed).permutation(X), 3)
    plan = plan_tree(
        Batches([batch for batch in shuffled if len(batch)]), TreeOptions(limit, 2, dimensions, whole=whole)
    )
    blocks = shoal.twod_tree(X, limit=limit, k=2, dimensions=dimensions, whole=whole)
    assert plan.rule.to_json() == blocks.rule.to_json()
    assert plan.tree.to_json() == blocks.tree.to_json()
    assert (plan.rule.block_of(X) == blocks.labels).all()


@pytest.mark.gate(but=("True-sorted", "True-nested"))
@pytest.mark.parametrize("shape", POINTS)
@pytest.mark.parametrize("whole", [True, False])
def test_batches_of_neighbors_change_nothing(shape, whole):
    """A batch that has no record in an open cell: all records of a corner came before it."""
    X = points(shape, 400, 3)
    plan = plan_tree(Batches(np.array_split(X, 40)), TreeOptions(8, 2, whole=whole))
    blocks = shoal.twod_tree(X, limit=8, k=2, whole=whole)
    assert plan.rule.to_json() == blocks.rule.to_json()
    assert plan.tree.to_json() == blocks.tree.to_json()


def test_cells_of_a_batch_that_has_none_add_up():
    space, none = TreeSpace(np.zeros(3), np.ones(3), np.arange(3)), np.zeros((0, 1), dtype=np.uint64)
    empty = GridCells.of(np.full((5, 3), 0.5), space, 6, none, 3)
    assert (empty.keys.shape, empty.counts.shape, empty.sums.shape) == ((0, 1), (0,), (0, 3))
    assert (empty + empty).sums.shape == (0, 3)


class CountedCells(InMemory):
    """Says of every count how many cells could be filled, beside those of one level ahead."""

    def cells(self, growth):
        n_open, d = len(growth.open), growth.space.d
        ahead = growth.n_bits - int(growth.nodes.n_bits[growth.open[0]])
        n_records = int(growth.nodes.n_records[growth.open].sum())
        assert ahead == d or min(n_records, n_open * 2**ahead) <= shoal.blocking.growth.MOST_CELLS
        return super().cells(growth)


@pytest.mark.parametrize("whole", [True, False])
def test_few_cells_are_held_at_a_time(monkeypatch, whole):
    X, options = skewed(2000), TreeOptions(8, 2, whole=whole)
    expected = plan_tree(InMemory(X), options).rule.to_json()
    monkeypatch.setattr("shoal.blocking.growth.MOST_CELLS", 100)
    assert plan_tree(CountedCells(X), options).rule.to_json() == expected


class FarAhead(InMemory):
    """Counts other depths than the growth asks for."""

    def cells(self, growth):
        within_bits = int(growth.nodes.n_bits[growth.open[0]])
        ahead = int(np.random.default_rng(within_bits).integers(1, 9))
        n_bits = min(within_bits + growth.space.d * ahead, growth.space.deepest)
        within = pad_keys(growth.nodes.keys[growth.open], words_for(within_bits))
        return GridCells.of(self.records, growth.space, n_bits, within, within_bits)


@given(X=tables(most=60, columns=4), limit=st.integers(8, 20), whole=st.booleans())
def test_how_far_ahead_is_counted_changes_nothing(X, limit, whole):
    plan = plan_tree(FarAhead(X), TreeOptions(limit, 2, whole=whole))
    assert plan.rule.to_json() == shoal.twod_tree(X, limit=limit, k=2, whole=whole).rule.to_json()


@pytest.mark.parametrize("d", [2, 10, 40])
def test_keys_of_more_than_64_bits(d):
    X = skewed(3000, d, seed=d)
    blocks = shoal.twod_tree(X, limit=8, k=2, fuse="none", whole=True)
    assert blocks.sizes.max() <= 8
    assert blocks.rule.n_bits > 64 or d == 2
    again = shoal.rule_from_json(blocks.rule.to_json())
    assert (again.block_of(X) == blocks.labels).all()


@given(
    X=tables(most=80, columns=4, least=12), fuse=st.sampled_from(["nearest", "supervised", "none"]), whole=st.booleans()
)
def test_the_rule_puts_records_where_the_tree_put_them(X, fuse, whole):
    try:
        blocks = shoal.twod_tree(X, limit=12, k=3, fuse=fuse, whole=whole)
    except ArrayError:  # supervised: no block has room within the limit
        reject()
    again = shoal.rule_from_json(blocks.rule.to_json())
    assert (again.block_of(X[::-1]) == blocks.labels[::-1]).all()
    assert (again.block_of(X[:1]) == blocks.labels[:1]).all()


@pytest.mark.parametrize("seed", range(5))
def test_supervised_fusing_keeps_the_limit(seed):
    X = skewed(seed=seed)
    for whole in (True, False):
        blocks = shoal.twod_tree(X, limit=30, k=5, fuse="supervised", whole=whole)
        assert blocks.sizes.min() >= 5
        assert blocks.sizes.max() <= 30


def test_a_limit_that_cannot_be_kept_is_told():
    X = np.concatenate([np.zeros((6, 1)), np.full((1, 1), 1.0)])
    with pytest.raises(ShoalError, match="limit"):
        shoal.twod_tree(X, limit=6, k=3, fuse="supervised")


def test_records_that_are_alike_stay_together():
    X = np.concatenate([np.zeros((50, 2)), np.ones((5, 2))])
    assert shoal.twod_tree(X, limit=10, k=3).sizes.tolist() == [50, 5]


def test_halving_leaves_no_crumbs_where_a_whole_level_would():
    X = np.random.default_rng(0).random((4000, 10))
    assert shoal.twod_tree(X, limit=500, k=3, whole=True).tree.leaf_sizes.mean() < 8
    halved = shoal.twod_tree(X, limit=500, k=3)
    assert halved.tree.n_leaves == halved.n_groups < 30
    assert halved.sizes.max() <= 500


@given(X=tables(most=80, columns=3), whole=st.booleans())
def test_every_node_says_what_it_holds(X, whole):
    blocks = shoal.twod_tree(X, limit=6, k=2, fuse="none", whole=whole)
    nodes = json.loads(blocks.tree.to_json())
    assert nodes[0]["n_records"] == len(X)
    assert nodes[0]["parent"] is None
    slack = 1e-9 * (1 + np.abs(X).max())
    for node in nodes:
        inside = X[blocks.ordinals(node["node_id"])][:, blocks.tree.space.dimensions]
        assert len(inside) == node["n_records"]
        assert (inside >= np.array(node["lower"]) - slack).all()
        assert (inside <= np.array(node["upper"]) + slack).all()
        children = [nodes[child] for child in node["children"]]
        assert all(child["parent"] == node["node_id"] and child["level"] == node["level"] + 1 for child in children)
        assert not children or sum(child["n_records"] for child in children) == node["n_records"]


@given(X=tables(most=80, columns=3), limit=st.integers(8, 40), whole=st.booleans())
def test_a_pruned_tree_is_the_tree_of_the_larger_limit(X, limit, whole):
    fine = shoal.twod_tree(X, limit=6, k=2, fuse="none", whole=whole).tree.prune(limit)
    coarse = shoal.twod_tree(X, limit=limit, k=2, fuse="none", whole=whole).tree
    assert sorted(map(tuple, fine.nodes.keys.tolist())) == sorted(
        map(
            tuple,
            np.pad(coarse.nodes.keys, ((0, 0), (0, fine.nodes.keys.shape[1] - coarse.nodes.keys.shape[1]))).tolist(),
        )
    )
    assert (fine.leaf_sizes == coarse.leaf_sizes).all()
    assert (fine.leaf_ranges[0] == coarse.leaf_ranges[0]).all()


@pytest.mark.parametrize(
    "asked",
    [
        {"limit": 3},
        {"limit": 10.5},
        {"limit": "large"},
        {"dimensions": "most"},
        {"dimensions": [2]},
        {"dimensions": [0, 0]},
        {"dimensions": []},
        {"fuse": "farthest"},
        {"k": 50},
    ],
)
def test_what_cannot_be_is_refused(asked):
    with pytest.raises(ShoalError):
        shoal.twod_tree(np.random.default_rng(0).random((20, 2)), **{"k": 3, "limit": 10, **asked})


def test_a_rule_knows_its_columns():
    rule = shoal.twod_tree(skewed(), limit=50, k=3).rule
    with pytest.raises(ShoalError, match="columns"):
        rule.block_of(np.zeros((4, 2)))
