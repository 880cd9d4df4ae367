"""Planning of 2^d-tree blocking: all decisions from counts to the rule, independent of the engine.

options, a source of counts -> TreePlan

The records are only counted, in batches that add up: ranges, the covariances of the columns if dimensions have to be
chosen, and cells until no node is open. In memory and out of core, the same counts give the same rule.

Whether dimensions are halved all at once, as published, or one at a time where parts would hold few groups, is decided
by the loss of both trees in a pilot (block_pilot.py), unless the options say so or both have the same leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, log2
from typing import Literal, Protocol, get_args

import numpy as np

from shoal.blocking.block_fusion import Fuse, fuse_small_leaves
from shoal.blocking.block_limit import choose_limit, smallest_limit
from shoal.blocking.block_pilot import BlockSpreads, PilotSource, estimate_loss
from shoal.blocking.blocks import BlockRule, check_limit
from shoal.blocking.dimensions import MAX_DIMENSIONS, CovarianceSums, rank_dimensions
from shoal.blocking.grid_cells import GridCells
from shoal.blocking.growth import Growth
from shoal.blocking.point_sample import sampled_rows
from shoal.blocking.tree import TwodTree
from shoal.blocking.tree_space import Ranges, TreeSpace
from shoal.blocking.twod_rule import TwodRule
from shoal.errors import ArrayError, PolicyError
from shoal.kernels import Ints, Labels, Matrix, check_k

Auto = Literal["auto"]

MANY_LEAVES = 20_000  # fusing them takes about a second


class CountSource(PilotSource, Protocol):
    """Source of the counts, implemented by every engine: sums over all batches of the records."""

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

    def spreads(self, rule: BlockRule, ranges: Ranges) -> BlockSpreads:
        return BlockSpreads.of(self.records, rule, ranges)

    def points_of(self, rule: BlockRule, blocks: Labels) -> list[Matrix]:
        labels = rule.block_of(self.records)
        rows = np.flatnonzero(np.isin(labels, blocks))
        rows = rows[np.argsort(labels[rows], kind="stable")]
        ends = np.cumsum(np.bincount(np.searchsorted(blocks, labels[rows]), minlength=len(blocks)))
        return np.split(self.records[rows], ends[:-1]) if len(blocks) else []

    def sample(self, n_records: int) -> Matrix:
        return self.records[sampled_rows(np.arange(len(self.records)), n_records)]


@dataclass(frozen=True)
class TreeOptions:
    """Options of a 2^d-tree.

    limit       maximum number of records of a leaf, or "auto": balances time and information loss
    k           blocks of fewer records are fused
    dimensions  columns that are halved; "auto": those that explain most variance; None: all, or "auto" if more than ten
    fuse        see block_fusion.py
    whole       True: divide all dimensions at once, as published; False: one at a time where parts would hold few
                groups; "auto": what loses less in a pilot
    names       column names, for the reasons
    """

    limit: int | Auto = 1000
    k: int = 3
    dimensions: Sequence[int] | Auto | None = None
    fuse: Fuse = "nearest"
    whole: bool | Auto = "auto"
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


def plan_tree(source: CountSource, options: TreeOptions) -> TreePlan:
    ranges = source.ranges()
    check_k(options.k, ranges.n_records)
    if options.whole != "auto":
        return _grow(source, options, ranges).fuse(options)
    gradual = _grow(source, replace(options, whole=False), ranges)
    if options.fuse != "nearest" or gradual.is_as_published(options.dimensions):
        return gradual.fuse(options)
    whole = _grow(source, replace(options, whole=True, limit=gradual.limit), ranges)
    if not whole.is_worth_trying(options.k) or np.array_equal(_leaf_table(whole.tree), _leaf_table(gradual.tree)):
        return gradual.fuse(options)
    return _better(source, gradual, whole, options, ranges)


@dataclass(frozen=True, eq=False)
class GrownTree:
    """A tree whose small leaves are not fused yet, its limit, and the reasons for its dimensions and its limit."""

    tree: TwodTree
    limit: int
    of_dimensions: tuple[str, ...]
    of_limit: tuple[str, ...]

    def is_as_published(self, dimensions: Sequence[int] | Auto | None) -> bool:
        """Whether every division was by all dimensions at once, and by all columns unless others are asked for: then
        the published tree has the same leaves."""
        space = self.tree.space
        all_at_once = not (self.tree.nodes.n_bits % space.d).any()
        return all_at_once and (dimensions is not None or space.d == len(space.lower))

    def is_worth_trying(self, k: int) -> bool:
        """Not if many leaves hold fewer than two groups each: fusing them would take longer than everything else."""
        return self.tree.n_leaves <= max(MANY_LEAVES, int(self.tree.nodes.n_records[0]) // (2 * k))

    def fuse(self, options: TreeOptions) -> TreePlan:
        blocks = fuse_small_leaves(self.tree, options.k, options.fuse, self.limit)
        return TreePlan(self.tree, TwodRule.of(self.tree, blocks), self.limit, (*self.of_dimensions, *self.of_limit))


def _grow(source: CountSource, options: TreeOptions, ranges: Ranges) -> GrownTree:
    """The tree of a limit; ``limit="auto"`` gives that of the number that it stands for."""
    if options.limit != "auto":
        dimensions, reasons = _dimensions(source, options, options.limit, ranges)
        return GrownTree(_divide(source, options, options.limit, dimensions, ranges), options.limit, reasons, ())
    finest = smallest_limit(options.k)
    first, _ = _dimensions(source, options, finest, ranges)
    tree = _divide(source, options, finest, first, ranges)
    choice = choose_limit(tree, options.k)
    dimensions, reasons = _dimensions(source, options, choice.limit, ranges)
    is_same = np.array_equal(dimensions, first)
    tree = tree.prune(choice.limit) if is_same else _divide(source, options, choice.limit, dimensions, ranges)
    return GrownTree(tree, choice.limit, reasons, (choice.reason,))


def _divide(source: CountSource, options: TreeOptions, limit: int, dimensions: Ints, ranges: Ranges) -> TwodTree:
    space = TreeSpace(ranges.lower, ranges.upper, dimensions)
    growth = Growth.start(space, ranges.n_records, limit, options.k, whole=bool(options.whole))
    while growth.is_open:
        growth = growth.divide(source.cells(growth))
    return growth.tree()


def _better(
    source: CountSource, gradual: GrownTree, whole: GrownTree, options: TreeOptions, ranges: Ranges
) -> TreePlan:
    """The plan that loses less in a pilot."""
    plans = gradual.fuse(options), whole.fuse(options)
    loss, loss_whole = (estimate_loss(source, plan.rule, options.k, ranges).loss for plan in plans)
    if loss <= loss_whole:
        return plans[0]
    more = f"{100 * (loss / loss_whole - 1):.0f} %" if loss_whole > 0 else "some"
    reason = f"All dimensions are halved at once, as published: one at a time would lose {more} more in a pilot."
    return replace(plans[1], reasons=(*whole.of_dimensions, *gradual.of_limit, reason))


def _leaf_table(tree: TwodTree) -> Ints:
    """(n_leaves, 1 + n_columns) number of records and sums of positions of every leaf, sorted."""
    leaves = tree.nodes[tree.leaves]
    table = np.column_stack([leaves.n_records, leaves.sums])
    return table[np.lexsort(table.T)]


def _dimensions(source: CountSource, options: TreeOptions, limit: int, ranges: Ranges) -> tuple[Ints, tuple[str, ...]]:
    """The columns that are halved, and the reason for their choice."""
    requested, n_columns = options.dimensions, len(ranges.lower)
    if requested is not None and not isinstance(requested, str):
        return _check_dimensions(requested, n_columns), ()
    if requested not in (None, "auto"):
        raise ArrayError.bad_dimensions(n_columns)
    if options.whole and requested is None:  # all are divided at once: their order does not matter
        return np.arange(n_columns), ()
    ranked = rank_dimensions(source.spread(ranges), ranges)
    if requested is None and n_columns <= MAX_DIMENSIONS:
        return ranked.dimensions, ()
    choice = ranked.first(ceil(log2(max(2.0, ranges.n_records / limit))))
    return choice.dimensions, (choice.reason(options.names),)


def _check_dimensions(dimensions: Sequence[int], n_columns: int) -> Ints:
    given = np.asarray(dimensions)
    fits = given.ndim == 1 and given.size and given.dtype.kind in "iu" and len(np.unique(given)) == given.size
    if not fits or given.min() < 0 or given.max() >= n_columns:
        raise ArrayError.bad_dimensions(n_columns)
    return np.ascontiguousarray(given, dtype=np.int64)
