"""The neighborhood of a unit: exp(-d^2 / 2r^2) of every other, at lattice distance d, for a radius r.

A squared distance is a sum of a part of rows and one of columns, so the weights are products of two small tables, and
what n units gather from each other costs n times a side, not n times n. The exponential is that of decimal arithmetic,
as mathematical libraries differ in the last bit from machine to machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.blocking.som.lattice import Lattice
from shoal.kernels import Labels, Matrix


@dataclass(frozen=True, eq=False)
class Neighborhood:
    lattice: Lattice
    rows: Matrix  # (rows, rows)
    columns: NDArray[np.float64]  # (3, columns, columns)

    @classmethod
    def of(cls, lattice: Lattice, radius: float) -> Neighborhood:
        return cls(lattice, _weights(lattice.row_gaps, radius), _weights(lattice.column_gaps, radius))

    def gathered(self, values: Matrix) -> Matrix:
        """(n_units, m) the weighted sums over the units around every unit."""
        rows, columns, m = self.lattice.rows, self.lattice.columns, values.shape[1]
        grid, parity = values.reshape(rows, columns, m), self.lattice.parity
        gathered = np.empty((rows, columns * m))
        for own in np.unique(parity):
            along = np.empty((rows, columns, m))
            for other in np.unique(parity):
                along[parity == other] = _along_rows(self.columns[1 + own - other], grid[parity == other])
            weights = np.ascontiguousarray(self.rows[parity == own])
            gathered[parity == own] = kernels.ordered_product(weights, along.reshape(rows, columns * m))
        return gathered.reshape(rows * columns, m)


def _along_rows(weights: Matrix, grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted sums inside of every row. (n_rows, columns, m)"""
    n_rows, columns, m = grid.shape
    side_by_side = np.ascontiguousarray(grid.transpose(1, 0, 2)).reshape(columns, n_rows * m)
    sums: Matrix = kernels.ordered_product(np.ascontiguousarray(weights), side_by_side)
    return sums.reshape(columns, n_rows, m).transpose(1, 0, 2)


def _weights(gaps: Labels, radius: float) -> NDArray[np.float64]:
    """exp(-gap / 8r^2): gaps are four times a squared distance."""
    distinct, at = np.unique(gaps, return_inverse=True)
    scale = -8 * Decimal(radius) ** 2
    weights = [float((Decimal(int(gap)) / scale).exp()) for gap in distinct]
    return np.array(weights)[at].reshape(gaps.shape)
