"""Planning of 2^d-tree blocking: all decisions from counts to the rule, independent of the engine.

options, a source of counts -> TreePlan

The records are only counted, in batches that add up: ranges, the covariances of the columns if dimensions have to be
chosen, and cells until no node is open. In memory and out of core, the same counts give the same rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Literal, Protocol, get_args

import numpy as np

from shoal.blocking.block_fusion import Fuse, fuse_small_leaves
from shoal.blocking.block_limit import choose_limit, smallest_limit
from shoal.blocking.blocks import check_limit
from shoal.blocking.dimensions import MAX_DIMENSIONS, CovarianceSums, rank_dimensions
from shoal.blocking.grid_cells import GridCells
from shoal.blocking.growth import Growth
from shoal.blocking.tree import TwodTree
from shoal.blocking.tree_space import Ranges, TreeSpace
from shoal.blocking.twod_rule import TwodRule
from shoal.errors import ArrayError, PolicyError
from shoal.kernels import Ints, Matrix, check_k

Auto = Literal["auto"]


class CountSource(Protocol):
    """Source of the counts, implemented by every engine: three sums over all batches of the records."""

    def ranges(self) -> Ranges: ...  # Ranges.of(batch)
    def spread(self, ranges: Ranges) -> CovarianceSums: ...  # CovarianceSums.of(batch, ranges)
    def cells(self, growth: Growth) -> GridCells: ...  # growth.count(batch)


@dataclass(frozen=True)
class InMemory:
    records: Matrix

    def ranges(self) -> Ranges:
        return Ranges.of(self.records)

    def spread(self, ranges: Ranges) -> CovarianceSums:
        return CovarianceSums.of(self.records, ranges)

    def cells(self, growth: Growth) -> GridCells:
        return growth.count(self.records)


@dataclass(frozen=True)
class TreeOptions:
    """Options of a 2^d-tree.

    limit       maximum number of records of a leaf, or "auto": balances time and information loss
    k           blocks of fewer records are fused
    dimensions  columns that are halved; "auto": those that explain most variance; None: all, or "auto" if more than ten
    fuse        see block_fusion.py
    whole       divide all dimensions at once, as published, even where parts would hold few groups
    names       column names, for the reasons
    """

    limit: int | Auto = 1000
    k: int = 3
    dimensions: Sequence[int] | Auto | None = None
    fuse: Fuse = "nearest"
    whole: bool = False
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.fuse not in get_args(Fuse):
            raise PolicyError.unknown_choice("twod_tree.fuse", self.fuse, get_args(Fuse))
        if self.limit != "auto":
            check_limit(self.limit, self.k)


@dataclass(frozen=True, eq=False)
class TreePlan:
    """``reasons`` are sentences that explain the automatic choices to the user."""

    tree: TwodTree
    rule: TwodRule
    limit: int
    reasons: tuple[str, ...]


def plan_tree(counting: CountSource, options: TreeOptions) -> TreePlan:
    ranges = counting.ranges()
    k = check_k(options.k, ranges.n_records)
    limit = smallest_limit(k) if options.limit == "auto" else options.limit
    dimensions, reasons = _dimensions(counting, ranges, options, limit)
    growth = Growth.start(
        TreeSpace(ranges.lower, ranges.upper, dimensions), ranges.n_records, limit, k, whole=options.whole
    )
    while growth.is_open:
        growth = growth.divide(counting.cells(growth))
    tree = growth.tree()
    if options.limit == "auto":
        balance = choose_limit(tree, k)
        limit, tree, reasons = balance.limit, tree.prune(balance.limit), (*reasons, balance.reason)
    return TreePlan(tree, TwodRule.of(tree, fuse_small_leaves(tree, k, options.fuse, limit)), limit, reasons)


def _dimensions(
    counting: CountSource, ranges: Ranges, options: TreeOptions, limit: int
) -> tuple[Ints, tuple[str, ...]]:
    requested, n_columns = options.dimensions, len(ranges.lower)
    if requested is not None and not isinstance(requested, str):
        return _check_dimensions(requested, n_columns), ()
    if requested not in (None, "auto"):
        raise ArrayError.bad_dimensions(n_columns)
    is_auto = requested == "auto" or n_columns > MAX_DIMENSIONS
    if options.whole and not is_auto:  # all are divided at once: their order does not matter
        return np.arange(n_columns), ()
    ranked = rank_dimensions(counting.spread(ranges), ranges)
    if not is_auto:
        return ranked.dimensions, ()
    choice = ranked.first(ceil(log2(max(2.0, ranges.n_records / limit))))
    return choice.dimensions, (choice.reason(options.names),)


def _check_dimensions(dimensions: Sequence[int], n_columns: int) -> Ints:
    given = np.asarray(dimensions)
    fits = given.ndim == 1 and given.size and given.dtype.kind in "iu" and len(np.unique(given)) == given.size
    if not fits or given.min() < 0 or given.max() >= n_columns:
        raise ArrayError.bad_dimensions(n_columns)
    return np.ascontiguousarray(given, dtype=np.int64)
