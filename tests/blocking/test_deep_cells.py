"""Records that lie close together ask for deep cells: keys of two words and more, in the order of their bits."""

import numpy as np
import pytest

import shoal
from reference import twod_tree as twin
from reference.tables import groups
from shoal.blocking.tree_plan import InMemory, TreeOptions, plan_tree
from shoal.blocking.tree_space import TreeSpace


def crowded(d, depth, n=24, seed=0):
    """A crowd in a corner whose sides are 2^-depth of the ranges, a second one elsewhere, and the far ends."""
    chance = np.random.default_rng(seed)
    crowd = chance.integers(0, 64, (n, d)) * 2.0 ** -(depth + 6)
    return np.vstack([np.zeros((1, d)), np.ones((1, d)), crowd, 0.625 + crowd[:, ::-1]])


@pytest.mark.parametrize(("d", "depth"), [(1, 20), (3, 20), (4, 15), (4, 20), (7, 19)])
def test_deep_leaves_are_those_of_the_twin(d, depth):
    X = crowded(d, depth)
    blocks = shoal.twod_tree(X, limit=4, k=2, fuse="none", whole=True)
    assert groups(blocks) == twin.leaves(X, 4)
    again = shoal.rule_from_json(blocks.rule.to_json())
    assert (again.block_of(X) == blocks.labels).all()


@pytest.mark.parametrize("whole", [True, False])
def test_limits_of_deep_nodes_hold_their_records(whole):
    X = crowded(5, 18)
    blocks = shoal.twod_tree(X, limit=4, k=2, fuse="none", whole=whole)
    tree = blocks.tree
    space: TreeSpace = tree.space
    for node_id in range(tree.n_nodes):
        node, inside = tree.node(node_id), X[blocks.ordinals(node_id)][:, space.dimensions]
        assert len(inside) == node.n_records
        assert (np.array(node.lower) <= inside).all()
        assert (inside <= np.array(node.upper)).all()


class Halves(InMemory):
    """The same records, counted in two batches."""

    def cells(self, growth):
        return growth.count(self.records[:20]) + growth.count(self.records[20:])


@pytest.mark.parametrize("whole", [True, False])
def test_deep_cells_of_batches_add_up(whole):
    X, options = crowded(4, 19), TreeOptions(4, 2, whole=whole)
    one, two = plan_tree(InMemory(X), options), plan_tree(Halves(X), options)
    assert one.rule.to_json() == two.rule.to_json()
    assert (one.tree.leaf_centroids == two.tree.leaf_centroids).all()
