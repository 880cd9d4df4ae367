"""Blocks of groups with shifted borders, so that groups separated by a previous blocking can be in the same block.

centroids of groups -> TreeBlocks

The tree of twod_tree.py over ranges extended beyond the records on both sides, which moves the midpoints. Every group
is in the block of its centroid: no group crosses a border.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.blocking.tree_plan import InMemory, TreeOptions, plan_tree
from shoal.blocking.tree_space import Ranges
from shoal.blocking.twod_tree import TreeBlocks
from shoal.kernels import Matrix

BEYOND = ((0.236, 0.146), (0.090, 0.382), (0.472, 0.034))  # shares of the range added below and above, by pass


def shifted_ranges(ranges: Ranges, number: int) -> Ranges:
    """Extended ranges for repair pass ``number`` (0, 1, ...)."""
    below, above = BEYOND[number % len(BEYOND)]
    width = ranges.upper - ranges.lower
    return Ranges(ranges.n_records, ranges.lower - below * width, ranges.upper + above * width)


@dataclass(frozen=True)
class ShiftedTree(InMemory):
    number: int

    def ranges(self) -> Ranges:
        return shifted_ranges(super().ranges(), self.number)


def shifted_blocks(centroids: Matrix, limit: int, number: int) -> TreeBlocks:
    """Blocks of at most ``limit`` groups; a block may hold a single group."""
    plan = plan_tree(ShiftedTree(centroids, number), TreeOptions(max(4, limit), 2, fuse="none", whole=False))
    leaf_of = plan.rule.leaf_of(centroids)
    return TreeBlocks(leaf_of, plan.rule, plan.tree, leaf_of, plan.limit, plan.reasons)
