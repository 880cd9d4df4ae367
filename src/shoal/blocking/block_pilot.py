"""Pilot: the loss of MDAV within blocks, estimated from some of the blocks.

a blocking rule, the records -> estimated sum of squared errors

1. All records are assigned to their blocks; number, sums and squares of the coordinates are counted by block.
2. Blocks are drawn systematically in their order, with probabilities proportional to the loss that uniformly
   distributed records would have, SST m^(-2/d) for a block of m records: so blocks of outliers, which are small and
   lose most, are among them.
3. Within the drawn blocks groups are formed by MDAV, and the estimate is the mean of loss over probability (Hansen &
   Hurwitz 1943, doi:10.1214/aoms/1177731356). Of a small table all blocks are taken, and the loss is exact.

Counts, sums and squares are integers, so that batches add up in any order and every engine draws the same blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal import kernels
from shoal.blocking.blocks import BlockRule
from shoal.blocking.tree_space import Ranges
from shoal.kernels import Ints, Labels, Matrix, Vector

RECORDS = 20_000  # about so many are grouped for one rule


@dataclass(frozen=True, eq=False)
class BlockSpreads:
    """Accumulator of number, sums and squares of the records by block, in steps of the ranges."""

    counts: Ints  # (n_blocks,)
    sums: Ints  # (n_blocks, n_columns)
    squares: Ints

    @classmethod
    def of(cls, X: Matrix, rule: BlockRule, ranges: Ranges) -> BlockSpreads:
        blocks, n_blocks = rule.block_of(X) if len(X) else np.zeros(0, dtype=np.int64), rule.n_blocks
        steps = np.floor((X - ranges.lower) / _step(ranges)).astype(np.int64)
        sums, squares = (np.zeros((n_blocks, X.shape[1]), dtype=np.int64) for _ in range(2))
        for column in range(X.shape[1]):
            np.add.at(sums[:, column], blocks, steps[:, column])
            np.add.at(squares[:, column], blocks, steps[:, column] ** 2)
        return cls(np.bincount(blocks, minlength=n_blocks).astype(np.int64), sums, squares)

    def __add__(self, other: BlockSpreads) -> BlockSpreads:
        return BlockSpreads(self.counts + other.counts, self.sums + other.sums, self.squares + other.squares)

    def sst(self, ranges: Ranges) -> Vector:
        """(n_blocks,) sum of squared distances of the records of a block to their mean."""
        means = self.sums / np.maximum(self.counts, 1)[:, None]
        within = np.maximum(self.squares - self.sums * means, 0.0) * _step(ranges) ** 2
        return np.cumsum(within, axis=1)[:, -1]


class PilotSource(Protocol):
    """Source of the records for a pilot, implemented by every engine."""

    def spreads(self, rule: BlockRule, ranges: Ranges) -> BlockSpreads: ...  # sum of BlockSpreads.of(batch, ...)

    def points_of(self, rule: BlockRule, blocks: Labels) -> Sequence[Matrix]:
        """The points of the records of each of ``blocks``, ascending numbers, in the order of the table."""
        ...

    def sample(self, n_records: int) -> Matrix:
        """The coordinates of so many records, drawn at random; of all records if there are no more."""
        ...


@dataclass(frozen=True)
class LossEstimate:
    loss: float  # sum of squared errors of all records
    n_grouped: int  # records of the blocks that were grouped for it
    largest: int  # number of records of the largest block


def estimate_loss(source: PilotSource, rule: BlockRule, k: int, ranges: Ranges, records: int = RECORDS) -> LossEstimate:
    """``records``: about so many are grouped; a table of no more is grouped as a whole."""
    spreads = source.spreads(rule, ranges)
    counts, largest = spreads.counts, int(spreads.counts.max())
    if counts.sum() <= records:
        drawn, factors = np.flatnonzero(counts), np.ones(np.count_nonzero(counts))
    else:
        drawn, factors = _draw_blocks(spreads.sst(ranges) * counts.clip(1) ** (-2 / len(ranges.lower)), counts, records)
    losses = [_mdav_loss(points, k) for points in source.points_of(rule, drawn)]
    loss = sum(factor * loss for factor, loss in zip(factors.tolist(), losses, strict=True))
    return LossEstimate(float(loss), int(counts[drawn].sum()), largest)


def _draw_blocks(weights: Vector, counts: Ints, records: int) -> tuple[Labels, Vector]:
    """Blocks drawn with probabilities proportional to ``weights``, and the factor by which each counts in a total."""
    up_to = np.cumsum(weights)
    if not up_to[-1] > 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    shares = weights / up_to[-1]
    n_draws = max(1, round(records / float(np.cumsum(shares * counts)[-1])))
    places = (np.arange(n_draws) + 0.5) / n_draws * up_to[-1]
    drawn, times = np.unique(np.searchsorted(up_to, places, side="right"), return_counts=True)
    return drawn, times / n_draws / shares[drawn]


def _mdav_loss(points: Matrix, k: int) -> float:
    """The sum of squared errors of the groups of one block; fewer than k records are one group."""
    labels = np.zeros(len(points), dtype=np.int64)
    if len(points) >= 2 * k:
        state = kernels.Mdav(points, np.ones_like(labels), k, kernels.NeighborSearch.automatic)
        while state.step(len(points)):
            pass
        labels = state.labels()
    return float(kernels.within_groups_sse(points, labels, int(labels.max()) + 1))


def _step(ranges: Ranges) -> Vector:
    """The finest step of every range, up to 2^-20, at which sums of squares of all records fit into 64 bits."""
    bits = min(20, (62 - ranges.n_records.bit_length()) // 2)
    width = ranges.upper - ranges.lower
    return np.where(width > 0, width, 1.0) / 2.0**bits
