"""2^d-tree blocking: space is halved in d dimensions at once, until no part holds more than ``limit`` records.

arrays of all records -> TreeBlocks

Solanas, Martinez-Balleste, Domingo-Ferrer & Mateo-Sanz (2006), "A 2^d-tree-based blocking method for microaggregating
very large data sets", ARES 2006, doi:10.1109/ARES.2006.15.

Every range is halved at its middle; a record's cell is the bits of its positions, interleaved (a Morton code), so the
leaves are slices of one order and no distance is computed. Leaves of fewer than k records join the leaf with the
nearest centroid, again and again.

Where the paper is silent: a value on a middle belongs to the upper half; all small leaves of a round join at once; of
equally near leaves the lowest comes first; a range is halved 32 times at most, so that more than ``limit`` records that
are alike stay together; centroids are taken to 2^-32 of a range, as sums of whole numbers, which no order changes. We
depart from it where parts would hold about k records (``whole=False``, see growth.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.blocks import Blocks, checked_limit
from shoal.blocking.fusing import Fuse, fused
from shoal.blocking.growth import Growth
from shoal.blocking.space import Ranges, Space
from shoal.blocking.tree import TwodTree
from shoal.blocking.twod_rule import TwodRule
from shoal.errors import ArrayError, PolicyError
from shoal.kernels import Labels


@dataclass(frozen=True, eq=False, repr=False)
class TreeBlocks(Blocks):
    """Blocks, and the tree they are the leaves of."""

    tree: TwodTree
    leaf_of: Labels  # (n_records,)

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
    limit: int = 1000,
    k: int = 3,
    dimensions: Sequence[int] | None = None,
    fuse: Fuse = "nearest",
    *,
    whole: bool = False,
) -> TreeBlocks:
    """Blocks of ``k`` records or more, most of them of at most ``limit``; ``fuse="supervised"`` keeps all within it.

    ``dimensions`` are the columns that are halved, all of them unless given. ``whole=True`` divides all of them at once
    even where parts would hold about k records, as published.
    """
    records = kernels.as_matrix(X)
    k = kernels.check_k(k, len(records))
    ranges = Ranges.of(records)
    space = Space(ranges.lower, ranges.upper, checked_dimensions(dimensions, records.shape[1]))
    growth = Growth.start(space, len(records), checked_limit(limit, k), k, whole=whole)
    while growth.is_open:
        growth = growth.grown(growth.count(records))
    tree = growth.tree()
    if fuse not in get_args(Fuse):
        raise PolicyError.unknown_choice("twod_tree.fuse", fuse, get_args(Fuse))
    rule = TwodRule.of(tree, fused(tree, k, fuse, limit))
    leaf_of = rule.leaf_of(records)
    return TreeBlocks(rule.blocks[leaf_of], rule, tree, leaf_of)


def checked_dimensions(dimensions: Sequence[int] | None, n_columns: int) -> Labels:
    if dimensions is None:
        return np.arange(n_columns)
    chosen = np.asarray(dimensions)
    fits = chosen.ndim == 1 and chosen.size and chosen.dtype.kind in "iu" and len(np.unique(chosen)) == chosen.size
    if not fits or chosen.min() < 0 or chosen.max() >= n_columns:
        raise ArrayError.bad_dimensions(n_columns)
    return np.ascontiguousarray(chosen, dtype=np.int64)
