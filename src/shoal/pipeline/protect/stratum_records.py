"""The records of one stratum as the source from which blocks are planned, on any engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Protocol, TypeVar

import numpy as np
import pyarrow as pa

from shoal.blocking.block_pilot import BlockSpreads
from shoal.blocking.blocks import BlockRule
from shoal.blocking.dimensions import CovarianceSums
from shoal.blocking.grid_cells import GridCells
from shoal.blocking.growth import Growth
from shoal.blocking.shifted_tree import shifted_ranges
from shoal.blocking.tree_plan import sample_places
from shoal.blocking.tree_space import Ranges
from shoal.encode.embedding import Embedding, Fold
from shoal.kernels import Labels, Matrix
from shoal.pipeline.protect.strata import Strata


class _Sum(Protocol):
    def __add__(self: S, other: S) -> S: ...


S = TypeVar("S", bound=_Sum)


@dataclass(frozen=True)
class StratumRecords:
    """Counts, samples and blocks of the records of one stratum, on any engine."""

    stratum: int
    strata: Strata
    embedding: Embedding
    fold: Fold
    at_once: int

    def ranges(self) -> Ranges:
        return self._sum(Ranges.of)

    def spread(self, ranges: Ranges) -> CovarianceSums:
        return self._sum(lambda X: CovarianceSums.of(X, ranges))

    def cells(self, growth: Growth) -> GridCells:
        return self._sum(growth.count)

    def spreads(self, rule: BlockRule, ranges: Ranges) -> BlockSpreads:
        return self._sum(lambda X: BlockSpreads.of(X, rule, ranges))

    def points_of(self, rule: BlockRule, blocks: Labels) -> list[Matrix]:
        """The points of the records of these blocks, in which distances are measured."""
        found: list[list[Matrix]] = [[] for _ in blocks]

        def add(piece: pa.Table) -> None:
            labels = rule.block_of(self.embedding.coordinates(piece))
            rows = np.flatnonzero(np.isin(labels, blocks))
            points, places = self.embedding.points(piece.take(rows)), np.searchsorted(blocks, labels[rows])
            for place in np.unique(places).tolist():
                found[place].append(points[places == place])

        if len(blocks):
            self._fold_members(add)
        return [np.vstack(pieces) for pieces in found]

    def sample(self, n_records: int) -> Matrix:
        """(n_records, n_columns) the coordinates of records that are evenly spread over the stratum."""
        places, found, n_passed = sample_places(int(self.strata.sizes[self.stratum]), n_records), list[Matrix](), 0

        def add(piece: pa.Table) -> None:
            nonlocal n_passed
            first, last = np.searchsorted(places, [n_passed, n_passed + len(piece)])
            if first < last:
                found.append(self.embedding.coordinates(piece.take(places[first:last] - n_passed)))
            n_passed += len(piece)

        self._fold_members(add)
        return np.vstack(found)

    def points(self) -> Matrix:
        """(n_records, n_columns) the coordinates of all records of the stratum."""
        return self.sample(int(self.strata.sizes[self.stratum]))

    def _sum(self, of: Callable[[Matrix], S]) -> S:
        """The sum of ``of`` over all records; pieces are gathered, since a sum takes equally long for few records."""
        found: list[S] = []
        waiting: list[Matrix] = []

        def count() -> None:
            if waiting:
                found[:] = [reduce(add, [*found, of(np.vstack(waiting))])]
                waiting.clear()

        def gather(points: Matrix) -> None:
            waiting.append(points)
            if sum(map(len, waiting)) >= self.at_once:
                count()

        self._fold_members(lambda piece: gather(self.embedding.coordinates(piece)))
        count()
        return found[0]

    def _fold_members(self, add: Callable[[pa.Table], None]) -> None:
        """Calls back with the records of the stratum, piece by piece."""

        def add_piece(piece: pa.Table) -> None:
            members = np.flatnonzero(self.strata.stratum_of(piece) == self.stratum)
            if members.size:
                add(piece.take(members))

        self.fold(list(dict.fromkeys((*self.embedding.names, *self.strata.names))), add_piece)


@dataclass(frozen=True)
class ShiftedStratum(StratumRecords):
    """The same, for the tree of one pass of the repair, with shifted borders."""

    number: int

    def ranges(self) -> Ranges:
        return shifted_ranges(super().ranges(), self.number)
