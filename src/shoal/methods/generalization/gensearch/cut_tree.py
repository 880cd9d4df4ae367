"""From the splits of a partition to a plan: a rule that gives every record its block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels
from shoal.methods.generalization.gensearch.partition_tree import LEAF, Tree
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
        rows: list[tuple[int, ...]] = []
        waiting = [(0, -1, -1)]  # box, parent, column of the cut
        splits = iter(self.tree)
        while waiting:
            box, parent, column = waiting.pop()
            split = next(splits, LEAF)
            rows.append((parent, column, *(self.space.boxes[box][column] if parent >= 0 else (0, 0, 0))))
            if split != LEAF:
                on = self.space.splits.splits[split].column
                parts = self.space.children(box, split)
                waiting += [(part, len(rows) - 1, on) for part in reversed(parts)]
        return np.array(rows, dtype=np.int64)

    def subsets(self) -> Labels:
        return np.empty((0, 2), dtype=np.int64)
