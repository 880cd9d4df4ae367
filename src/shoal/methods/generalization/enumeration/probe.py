"""Probing for a good partition below another: every block is divided greedily, by the split after which it costs least.

Hore et al. (Section 4.2) probe when the queue is full, to find a cost below the bounds of many queued partitions. The
greedy division of a box does not depend on the rest of the partition, so it is computed once per box.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shoal.methods.generalization.enumeration.box_table import BoxTable
from shoal.methods.generalization.enumeration.partition_tree import LEAF, Tree, nodes_of


class Division(NamedTuple):
    """A partition, or the part of one within a box."""

    cost: float
    tree: Tree


class Probe:
    def __init__(self, box_table: BoxTable) -> None:
        self._box_table = box_table
        self._divided: dict[int, Division] = {}

    def divide_blocks(self, tree: Tree, is_over: Callable[[], bool]) -> Division | None:
        """The partition after dividing all of its blocks; None when the time is over before that is done."""
        cost = 0.0
        divided: list[int] = []
        for node in nodes_of(tree, self._box_table.space):
            if node.split == LEAF:
                part = self._best_division(node.box, is_over)
                if part is None:
                    return None
                cost += part.cost
                divided += part.tree
            else:
                divided.append(node.split)
        return Division(cost, tuple(divided))

    def _best_division(self, box: int, is_over: Callable[[], bool]) -> Division | None:
        if box not in self._divided:
            found = None if is_over() else self._divide(box, is_over)
            if found is None:
                return None
            self._divided[box] = found
        return self._divided[box]

    def _divide(self, box: int, is_over: Callable[[], bool]) -> Division | None:
        entry = self._box_table[box]
        if not entry.choices:
            return Division(entry.cost, (LEAF,))
        split = min(entry.choices, key=lambda one: (entry.choices[one][0], one))
        cost, tree = 0.0, [split]
        for child in self._box_table.space.children(box, split):
            part = self._best_division(child, is_over)
            if part is None:
                return None
            cost += part.cost
            tree += part.tree
        return Division(cost, tuple(tree))
