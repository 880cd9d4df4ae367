"""A global recoding: a division of every column into parts, the same for all records, and the resulting classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.kernels.combinations import number_combinations
from shoal.losses import Loss, Measures, total
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.plan import CutTree

Piece = tuple[int, int, int]  # start, stop, node of the attribute
Pieces = tuple[tuple[Piece, ...], ...]  # of every column


@dataclass(frozen=True, eq=False)
class Recoding:
    """A recoding; ``pieces[j]`` divide the codes of column j, in order."""

    coded: CodedCounts
    pieces: Pieces

    def with_column(self, column: int, pieces: tuple[Piece, ...]) -> Recoding:
        return replace(self, pieces=(*self.pieces[:column], pieces, *self.pieces[column + 1 :]))

    @cached_property
    def labels(self) -> Labels:
        """(n_rows,) the class of every row; -1 where no record is in it."""
        found = number_combinations(map(self._piece_of_rows, range(len(self.pieces))), len(self.coded.n))
        filled = np.bincount(found, weights=self.coded.n) > 0
        return found if filled.all() else np.where(filled, np.cumsum(filled) - 1, -1)[found]

    @cached_property
    def totals(self) -> Ints:
        """(n_classes,) number of records."""
        filled = self.coded.n > 0
        return np.bincount(self.labels[filled], weights=self.coded.n[filled]).astype(np.int64)

    @cached_property
    def failing(self) -> NDArray[np.bool_]:
        """(n_classes,) whether a class is suppressed, as it fails a requirement."""
        return ~self.coded.released(self.labels, self.totals, self._lengths)

    @cached_property
    def n_suppressed(self) -> int:
        return int(self.totals[self.failing].sum())

    def loss(self, loss: Loss) -> float:
        """Loss of the classes that satisfy the requirements, plus that of the suppressed records."""
        kept = ~self.failing
        blocks = Measures(self.totals[kept], self.coded.n_records)
        if loss.name != "discernibility":
            piece, columns = self._piece_of_classes[kept], range(len(self.pieces))
            cells: Matrix = np.column_stack([self._sizes(j)[piece[:, j]] for j in columns])
            widths: Matrix = np.column_stack([self._widths(j)[piece[:, j]] for j in columns])
            n_cells = np.array([float(a.domain.n_codes) for a in self.coded.attributes])
            blocks = replace(blocks, cells=cells, widths=widths, n_cells=n_cells, weights=self.coded.weights)
        return total(loss, blocks, self.n_suppressed)

    def tree(self) -> CutTree:
        """The cut tree, column by column, those with few parts first; nodes without records are not divided further."""
        parts = tuple(
            (attribute.part(0, attribute.domain.n_codes, 0), *(attribute.part(*piece) for piece in pieces))
            for attribute, pieces in zip(self.coded.attributes, self.pieces, strict=True)
        )
        cut = [j for j in range(len(parts)) if len(parts[j]) > 2 or parts[j][0] != parts[j][1]]
        nodes = self._nodes(sorted(cut, key=lambda column: len(parts[column])))
        parents, cut_on, part_of = np.array(nodes, dtype=np.int64).T
        return CutTree(tuple(a.domain for a in self.coded.attributes), parts, parents, cut_on, part_of)

    def _nodes(self, columns: list[int]) -> list[tuple[int, int, int]]:
        """Parent, column and part of every node, in preorder."""
        piece_of = {column: self._piece_of_rows(column) for column in columns}
        nodes: list[tuple[int, int, int]] = []

        def grow(parent: int, column: int, part: int, rows: Ints, depth: int) -> None:
            nodes.append((parent, column, part))
            if depth == len(columns) or not rows.size:
                return
            node, on = len(nodes) - 1, columns[depth]
            order = rows[np.argsort(piece_of[on][rows], kind="stable")]
            n_pieces = len(self.pieces[on])
            ends = np.searchsorted(piece_of[on][order], np.arange(n_pieces + 1))
            for piece in range(n_pieces):
                grow(node, on, piece + 1, order[ends[piece] : ends[piece + 1]], depth + 1)

        grow(-1, -1, 0, np.flatnonzero(self.coded.n), 0)
        return nodes

    def _piece_of_rows(self, column: int) -> Ints:
        starts = np.array([start for start, _, _ in self.pieces[column]])
        return (np.searchsorted(starts, self.coded.codes[:, column], side="right") - 1).astype(np.int64)

    @cached_property
    def _piece_of_classes(self) -> Ints:
        """(n_classes, n_columns) the piece of every class on every column."""
        first = np.unique(np.where(self.coded.n > 0, self.labels, -1), return_index=True)[1][-len(self.totals) :]
        return np.column_stack([self._piece_of_rows(column)[first] for column in range(len(self.pieces))])

    def _lengths(self, column: int) -> Vector:
        return self.coded.attributes[column].lengths(*self._ends(column).T)[self._piece_of_classes[:, column]]

    def _sizes(self, column: int) -> Vector:
        ends = self._ends(column)
        return (ends[:, 1] - ends[:, 0]).astype(np.float64)

    def _widths(self, column: int) -> Vector:
        return self.coded.attributes[column].widths(*self._ends(column).T)

    def _ends(self, column: int) -> Ints:
        """(n_pieces, 3) start, stop and node of every piece."""
        return np.array(self.pieces[column], dtype=np.int64)
