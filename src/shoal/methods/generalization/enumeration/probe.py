"""Probing for a good partition below another: every block is divided greedily, by the split after which it costs least.

Hore et al. (Section 4.2) probe when the queue is full, to find a cost below the bounds of many queued partitions. The
greedy division of a box does not depend on the rest of the partition, so it is computed once per box.
"""

from __future__ import annotations

from shoal.methods.generalization.enumeration.box_table import BoxTable
from shoal.methods.generalization.enumeration.partition_tree import LEAF, Tree, nodes_of


class Probe:
    def __init__(self, box_table: BoxTable) -> None:
        self._box_table = box_table
        self._divided: dict[int, tuple[float, Tree]] = {}

    def divide_blocks(self, tree: Tree) -> tuple[float, Tree]:
        """Cost and tree of the partition after dividing all of its blocks."""
        cost = 0.0
        divided: list[int] = []
        for node in nodes_of(tree, self._box_table.space):
            if node.split == LEAF:
                part_cost, part = self._best_division(node.box)
                cost += part_cost
                divided += part
            else:
                divided.append(node.split)
        return cost, tuple(divided)

    def _best_division(self, box: int) -> tuple[float, Tree]:
        if box not in self._divided:
            self._divided[box] = self._divide(box)
        return self._divided[box]

    def _divide(self, box: int) -> tuple[float, Tree]:
        entry = self._box_table[box]
        if not entry.choices:
            return entry.cost, (LEAF,)
        split = min(entry.choices, key=lambda one: (entry.choices[one][0], one))
        parts = [self._best_division(part) for part in self._box_table.space.children(box, split)]
        return sum(cost for cost, _ in parts), (split, *(node for _, tree in parts for node in tree))
