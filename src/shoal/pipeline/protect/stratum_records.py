"""The records of one stratum as the source from which blocks are planned, on any engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from shoal.blocking.block_pilot import BlockSpreads
from shoal.blocking.blocks import BlockRule
from shoal.blocking.dimensions import CovarianceSums
from shoal.blocking.grid_cells import GridCells
from shoal.blocking.growth import Growth
from shoal.blocking.point_sample import PointSample, sampled_rows
from shoal.blocking.shifted_tree import shifted_ranges
from shoal.blocking.tree_space import Ranges
from shoal.encode.embedding import Embedding
from shoal.engines.protocol import RECORD_ID
from shoal.kernels import Labels, Matrix
from shoal.pipeline.protect.strata import Strata
from shoal.total import P, Total


@dataclass(frozen=True)
class StratumRecords:
    """Counts, samples and blocks of the records of one stratum, on any engine."""

    stratum: int
    strata: Strata
    embedding: Embedding
    total: Total

    def ranges(self) -> Ranges:
        return self._sum(Ranges.of)

    def spread(self, ranges: Ranges) -> CovarianceSums:
        return self._sum(partial(CovarianceSums.of, ranges=ranges))

    def cells(self, growth: Growth) -> GridCells:
        return self._sum(growth.count)

    def spreads(self, rule: BlockRule, ranges: Ranges) -> BlockSpreads:
        return self._sum(partial(BlockSpreads.of, rule=rule, ranges=ranges))

    def points_of(self, rule: BlockRule, blocks: Labels) -> list[Matrix]:
        """The points of the records of these blocks, in which distances are measured."""
        if not len(blocks):
            return []
        found = self._of_members(partial(BlockPoints.of, self.embedding, rule, blocks))
        return found.of_blocks(blocks)

    def sample(self, n_records: int) -> Matrix:
        """(n_records, n_columns) the coordinates of so many records of the stratum, drawn at random."""
        return self._of_members(partial(_sample, self.embedding, n_records)).in_order()

    def points(self) -> Matrix:
        """(n_records, n_columns) the coordinates of all records of the stratum."""
        return self.sample(int(self.strata.sizes[self.stratum]))

    def _sum(self, of: Callable[[Matrix], P]) -> P:
        return self._of_members(partial(_of_coordinates, self.embedding, of))

    def _of_members(self, of: Callable[[pa.Table], P]) -> P:
        """The total over the records of the stratum."""
        columns = dict.fromkeys((*self.embedding.names, *self.strata.names, RECORD_ID))
        return self.total(list(columns), partial(_of_stratum, self.strata, self.stratum, of))


def _of_stratum(strata: Strata, stratum: int, of: Callable[[pa.Table], P], piece: pa.Table) -> P:
    members = strata.stratum_of(piece) == stratum
    return of(piece if members.all() else piece.filter(pa.array(members)))


def _of_coordinates(embedding: Embedding, of: Callable[[Matrix], P], piece: pa.Table) -> P:
    return of(embedding.coordinates(piece))


def _sample(embedding: Embedding, n_records: int, piece: pa.Table) -> PointSample:
    chosen = piece.take(sampled_rows(piece[RECORD_ID].to_numpy(), n_records))
    return PointSample(n_records, chosen[RECORD_ID].to_numpy(), embedding.coordinates(chosen))


@dataclass(frozen=True)
class BlockPoints:
    """The points of the records of some blocks."""

    labels: Labels  # (n_records,) block
    ids: Labels
    points: Matrix

    @classmethod
    def of(cls, embedding: Embedding, rule: BlockRule, blocks: Labels, piece: pa.Table) -> BlockPoints:
        labels = rule.block_of(embedding.coordinates(piece)) if len(piece) else np.zeros(0, dtype=np.int64)
        rows = np.flatnonzero(np.isin(labels, blocks))
        chosen = piece.take(rows)
        return cls(labels[rows], chosen[RECORD_ID].to_numpy(), embedding.points(chosen))

    def __add__(self, other: BlockPoints) -> BlockPoints:
        return BlockPoints(
            np.concatenate([self.labels, other.labels]),
            np.concatenate([self.ids, other.ids]),
            np.vstack([self.points, other.points]),
        )

    def of_blocks(self, blocks: Labels) -> list[Matrix]:
        """The points of each block, in the order of the table."""
        order = np.lexsort((self.ids, self.labels))
        ends = np.searchsorted(self.labels[order], blocks, side="right")
        return np.split(self.points[order], ends[:-1])


@dataclass(frozen=True)
class ShiftedStratum(StratumRecords):
    """The same, for the tree of one pass of the repair, with shifted borders."""

    number: int

    def ranges(self) -> Ranges:
        return shifted_ranges(super().ranges(), self.number)
