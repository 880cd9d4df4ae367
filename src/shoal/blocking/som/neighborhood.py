"""Gaussian neighborhood function: weight exp(-d^2 / 2r^2) of a unit at lattice distance d, for radius r.

A squared distance is the sum of a row term and a column term, so the weights are products of two small tables, and the
weighted sums of n units cost n times a side length instead of n times n. Only one exponential is computed, in decimal
arithmetic, and all weights are integer powers of it by multiplication: math libraries differ in the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.blocking.som.lattice import Lattice
from shoal.kernels import Ints, Matrix


@dataclass(frozen=True, eq=False)
class Neighborhood:
    lattice: Lattice
    rows: Matrix  # (rows, rows)
    columns: NDArray[np.float64]  # (3, columns, columns)

    @classmethod
    def of(cls, lattice: Lattice, radius: float) -> Neighborhood:
        return cls(lattice, _weights(lattice.row_gaps, radius), _weights(lattice.column_gaps, radius))

    def weighted_sums(self, values: Matrix) -> Matrix:
        """(n_units, m) the sums over all units, weighted by the neighborhood of every unit."""
        rows, columns, m = self.lattice.rows, self.lattice.columns, values.shape[1]
        grid = values.reshape(rows, columns, m)
        gathered = np.empty((rows, columns * m))
        n_kinds = min(rows, 2) if self.lattice.form == "hexagonal" else 1  # kinds of rows: shifted and not
        for own in range(n_kinds):
            along = np.empty((rows, columns, m))
            for other in range(n_kinds):
                along[other::n_kinds] = _row_sums(self.columns[1 + own - other], grid[other::n_kinds])
            weights = np.ascontiguousarray(self.rows[own::n_kinds])
            gathered[own::n_kinds] = kernels.ordered_product(weights, along.reshape(rows, columns * m))
        return gathered.reshape(rows * columns, m)


def _row_sums(weights: Matrix, grid: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n_rows, columns, m) weighted sums within every row."""
    n_rows, columns, m = grid.shape
    flat = np.ascontiguousarray(grid.transpose(1, 0, 2)).reshape(columns, n_rows * m)
    sums: Matrix = kernels.ordered_product(np.ascontiguousarray(weights), flat)
    return sums.reshape(columns, n_rows, m).transpose(1, 0, 2)


def _weights(gaps: Ints, radius: float) -> NDArray[np.float64]:
    """exp(-gap / 8r^2) by repeated squaring; gaps are four times squared distances."""
    power = float((-1 / (8 * Decimal(radius) ** 2)).exp())
    weights = np.ones(gaps.shape)
    while gaps.any():
        weights = np.where(gaps & 1, weights * power, weights)
        power, gaps = power * power, gaps >> 1
    return weights
