"""2^d-tree blocking: space is halved in d dimensions at once, until no part holds more than ``limit`` records.

arrays of all records -> TreeBlocks

Solanas, Martinez-Balleste, Domingo-Ferrer & Mateo-Sanz (2006), "A 2^d-tree-based blocking method for microaggregating
very large data sets", ARES 2006.

Every range is halved at its middle; a record's cell is the bits of its positions, interleaved (a Morton code), so the
leaves are slices of one order and no distance is computed. Leaves of fewer than k records join the leaf with the
nearest centroid, again and again.

Where the paper is silent: a value on a middle belongs to the upper half; all small leaves of a round join at once; of
equally near leaves the lowest comes first; a range is halved 32 times at most, so that more than ``limit`` records that
are alike stay together; centroids are taken to 2^-32 of a range, as sums of whole numbers, which no order changes. We
depart from it where parts would hold few groups: there dimensions are halved one after the other, those that carry the
spread first (growth.py, dimensions.py). ``whole=True`` is the published tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.blocks import Blocks
from shoal.blocking.fusing import Fuse
from shoal.blocking.tree import TwodTree
from shoal.blocking.tree_plan import Auto, InMemory, TreeOptions, plan_tree
from shoal.blocking.twod_rule import TwodRule
from shoal.kernels import Labels


@dataclass(frozen=True, eq=False, repr=False)
class TreeBlocks(Blocks):
    """Blocks, the tree they are the leaves of, and what was chosen on the way, in sentences."""

    rule: TwodRule
    tree: TwodTree
    leaf_of: Labels  # (n_records,)
    limit: int
    reasons: tuple[str, ...] = ()

    def ordinals(self, node_id: int) -> Labels:
        """The records of a node, ascending."""
        first, last = self.tree.leaf_ranges[node_id]
        begin, end = np.searchsorted(self._sorted_leaves, [first, last])
        return np.sort(self._order[begin:end])

    @cached_property
    def _order(self) -> Labels:
        return np.argsort(self.leaf_of, kind="stable")

    @cached_property
    def _sorted_leaves(self) -> Labels:
        return self.leaf_of[self._order]


def twod_tree(
    X: ArrayLike,
    limit: int | Auto = 1000,
    k: int = 3,
    dimensions: Sequence[int] | Auto | None = None,
    fuse: Fuse = "nearest",
    *,
    whole: bool = False,
) -> TreeBlocks:
    """Blocks of ``k`` records or more, most of them of at most ``limit``; ``fuse="supervised"`` keeps all within it.

    ``limit="auto"`` balances time and loss. ``dimensions`` are the columns that are halved: unless given all of them,
    or of more than ten those that carry the spread. ``whole=True`` divides all of them at once, as published, even
    where parts would hold few groups or about k records.
    """
    records = kernels.as_matrix(X)
    plan = plan_tree(InMemory(records), TreeOptions(limit, k, dimensions, fuse, whole))
    leaf_of = plan.rule.leaf_of(records)
    return TreeBlocks(plan.rule.blocks[leaf_of], plan.rule, plan.tree, leaf_of, plan.limit, plan.reasons)
