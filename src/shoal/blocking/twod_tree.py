"""2^d-tree blocking: the space is halved in d dimensions at once until no part holds more than ``limit`` records.

arrays of all records -> TreeBlocks

Solanas, Martinez-Balleste, Domingo-Ferrer & Mateo-Sanz (2006), "A 2^d-tree-based blocking method for microaggregating
very large data sets", ARES 2006.

Every range is halved at its midpoint; a record's cell is given by the interleaved bits of its positions (a Morton
code), so that leaves are slices of one sorted order and no distances are computed. Leaves of fewer than k records are
fused with the leaf of the nearest centroid, repeatedly.

Where the paper leaves it open: a value on a midpoint belongs to the upper half; all small leaves of a round are fused
simultaneously; of equally near leaves the lowest is taken; a range is halved at most 32 times, so that more than
``limit`` identical records stay in one leaf; centroids are precise to 2^-32 of a range, from integer sums that do not
depend on the order of the records. Departure from the paper: where parts would hold few groups, dimensions may be
halved one at a time, those that explain most variance first (growth.py, dimensions.py), if that loses less in a pilot
(block_pilot.py). ``whole=True`` is the published tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.block_fusion import Fuse
from shoal.blocking.blocks import Blocks
from shoal.blocking.tree import TwodTree
from shoal.blocking.tree_plan import Auto, InMemory, TreeOptions, plan_tree
from shoal.blocking.twod_rule import TwodRule
from shoal.kernels import Ints, Labels


@dataclass(frozen=True, eq=False, repr=False)
class TreeBlocks(Blocks):
    """Blocks, the tree whose (fused) leaves they are, and the reasons for the automatic choices, in sentences."""

    rule: TwodRule
    tree: TwodTree
    leaf_of: Labels  # (n_records,)
    limit: int
    reasons: tuple[str, ...] = ()

    def ordinals(self, node_id: int) -> Ints:
        """The indices of the records of a node, ascending."""
        first, last = self.tree.leaf_ranges[node_id]
        begin, end = np.searchsorted(self._sorted_leaves, [first, last])
        return np.sort(self._order[begin:end])

    @cached_property
    def _order(self) -> Ints:
        return np.argsort(self.leaf_of, kind="stable")

    @cached_property
    def _sorted_leaves(self) -> Ints:
        return self.leaf_of[self._order]


def twod_tree(
    X: ArrayLike,
    k: int,
    *,
    limit: int | Auto = 1000,
    dimensions: Sequence[int] | Auto | None = None,
    fuse: Fuse = "nearest",
    whole: bool | Auto = "auto",
) -> TreeBlocks:
    """Blocks of at least ``k`` records, most of at most ``limit``; with ``fuse="supervised"`` all are.

    ``limit="auto"`` balances time and information loss. ``dimensions`` are the columns that are halved: by default all
    of them. ``whole=True`` divides all of them at once, as published; ``whole=False`` one at a time where parts would
    hold few groups, and if there are more than ten only those that explain most variance; "auto" is what loses less in
    a pilot on some of the blocks. With another ``fuse`` than "nearest", "auto" is ``False``.
    """
    records = kernels.as_matrix(X)
    plan = plan_tree(InMemory(records), TreeOptions(limit, k, dimensions, fuse, whole))
    leaf_of = plan.rule.leaf_of(records)
    return TreeBlocks(plan.rule.blocks[leaf_of], plan.rule, plan.tree, leaf_of, plan.limit, plan.reasons)
