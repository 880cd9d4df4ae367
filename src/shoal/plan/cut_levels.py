"""Depths of the nodes of a cut tree, and sums over the blocks below each node."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Ints
from shoal.plan.cut_tree import CutTree


def depths(tree: CutTree) -> Ints:
    """(n_nodes,) number of cuts above every node."""
    found, above = np.zeros(tree.n_nodes, dtype=np.int64), tree.parents
    while (below := above >= 0).any():
        found += below
        above = np.where(below, tree.parents[above], -1)
    return found


def node_totals(tree: CutTree, of_blocks: Ints) -> Ints:
    """(n_nodes,) sum of ``of_blocks``, a figure for every block, over all blocks below a node."""
    found, at, figures = np.zeros(tree.n_nodes, dtype=np.int64), tree.blocks, of_blocks
    while at.size:
        np.add.at(found, at, figures)
        inside = tree.parents[at] >= 0
        at, figures = tree.parents[at][inside], figures[inside]
    return found


def cut_columns(tree: CutTree) -> Ints:
    """(n_nodes,) the column on which a node is cut; -1 for blocks."""
    found = np.full(tree.n_nodes, -1, dtype=np.int64)
    found[tree.parents[1:]] = tree.cut_on[1:]
    return found
