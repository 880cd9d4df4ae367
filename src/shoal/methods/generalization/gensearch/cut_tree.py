"""From the splits of a partition to a plan: a rule that gives every record its block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels
from shoal.methods.generalization.gensearch.partition_tree import Tree, nodes_of
from shoal.methods.generalization.gensearch.space import Space
from shoal.methods.generalization.growing import grown_tree
from shoal.plan import CutTree


def cut_tree(tree: Tree, space: Space) -> CutTree:
    return grown_tree(space.splits.attributes, _Unrolled(tree, space))


@dataclass(frozen=True)
class _Unrolled:
    """A tree node by node."""

    tree: Tree
    space: Space

    def nodes(self) -> Labels:
        return np.array([self._row(*node) for node in nodes_of(self.tree, self.space)], dtype=np.int64)

    def subsets(self) -> Labels:
        return np.empty((0, 2), dtype=np.int64)

    def _row(self, box: int, split: int, parent: int, column: int) -> tuple[int, ...]:
        return parent, column, *(self.space.boxes[box][column] if parent >= 0 else (0, 0, 0))
