"""Points whose nominal columns are codes: one number per record, where one-hot coordinates take one per category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.kernels._compiled import nearest_neighbors_of_codes, within_groups_sse_of_codes
from shoal.kernels.array_checks import Ints, Labels, Matrix, Vector, as_matrix


@dataclass(frozen=True, eq=False)
class CodedPoints:
    """Distances and sums are those of the one-hot coordinates, to the last bit (src/kernels/common/points.hpp)."""

    cells: Matrix  # (n_records, d) numbers and codes
    heights: Vector  # (d,) the coordinate of a category where a column has codes, 0 where it has numbers
    widths: Ints  # (d,) coordinates of each column: its number of categories, 1 where it has numbers

    @classmethod
    def of_numbers(cls, X: Matrix) -> Self:
        return cls(X, np.zeros(X.shape[1]), np.ones(X.shape[1], dtype=np.int64))

    @classmethod
    def side_by_side(cls, parts: Sequence[CodedPoints]) -> Self:
        """The columns of all parts, which are about the same records."""
        cells = as_matrix(np.hstack([part.cells for part in parts]))
        heights, widths = (np.concatenate([getattr(part, name) for part in parts]) for name in ("heights", "widths"))
        return cls(cells, heights, widths)

    @property
    def n_records(self) -> int:
        return len(self.cells)

    def only(self, rows: Labels) -> CodedPoints:
        """The points of some records, or of those where ``rows`` is true."""
        return CodedPoints(self.cells[rows], self.heights, self.widths)

    def scaled(self, factor: float) -> CodedPoints:
        """The points with every coordinate multiplied by a factor."""
        return CodedPoints(
            np.where(self.heights > 0, self.cells, self.cells * factor), self.heights * factor, self.widths
        )

    def coordinates(self) -> Matrix:
        """(n_records, n_coordinates) with one-hot coordinates for codes."""
        points = np.zeros((self.n_records, int(self.widths.sum())))
        first, rows = np.cumsum(self.widths) - self.widths, np.arange(self.n_records)
        for column, (at, height) in enumerate(zip(first, self.heights, strict=True)):
            if height:
                points[rows, at + self.cells[:, column].astype(np.int64)] = height
            else:
                points[:, at] = self.cells[:, column]
        return points

    def nearest_neighbors(self, of: Labels, k: int) -> Labels:
        """(n_of, k) the records nearest to each of ``of``, itself among them; lower record first on ties."""
        found: Labels = nearest_neighbors_of_codes(self.cells, self.heights, of, k)
        return found

    def sse(self, labels: Labels, n_groups: int) -> float:
        """Sum of squared distances of the records to the centroid of their group."""
        return float(within_groups_sse_of_codes(self.cells, self.heights, labels, n_groups))
