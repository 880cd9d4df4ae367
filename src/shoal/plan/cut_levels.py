"""The nodes of a cut tree by level: how deep each lies, and what its blocks come to."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Labels
from shoal.plan.cut_tree import CutTree


def depths(tree: CutTree) -> Labels:
    """(n_nodes,) cuts above every node."""
    found, above = np.zeros(tree.n_nodes, dtype=np.int64), tree.parents
    while (below := above >= 0).any():
        found += below
        above = np.where(below, tree.parents[above], -1)
    return found


def node_totals(tree: CutTree, of_blocks: Labels) -> Labels:
    """(n_nodes,) the sums of a figure of the blocks over all that lie in a node."""
    found, at, figures = np.zeros(tree.n_nodes, dtype=np.int64), tree.blocks, of_blocks
    while at.size:
        np.add.at(found, at, figures)
        inside = tree.parents[at] >= 0
        at, figures = tree.parents[at][inside], figures[inside]
    return found


def cut_columns(tree: CutTree) -> Labels:
    """(n_nodes,) the column that a node is cut on; -1 for blocks."""
    found = np.full(tree.n_nodes, -1, dtype=np.int64)
    found[tree.parents[1:]] = tree.cut_on[1:]
    return found
