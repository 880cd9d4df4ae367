"""Map: units on a lattice, each with a codebook vector in the space of the records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from shoal.blocking.som.input import Missing, as_records
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.nearest_units import nearest_units
from shoal.kernels import Ints, Labels, Matrix, Vector, thread_pool


@dataclass(frozen=True, eq=False, repr=False)
class Map:
    """A trained map, and the best matching unit of every training record."""

    lattice: Lattice
    units: Matrix  # (n_units, d) the codebook: one vector per unit; its columns are the component planes
    labels: Labels  # (n_records,) the best matching unit

    @property
    def n_units(self) -> int:
        return self.lattice.n_units

    @cached_property
    def hits(self) -> Ints:
        """(n_units,) number of records of every unit."""
        return np.bincount(self.labels, minlength=self.n_units).astype(np.int64)

    @cached_property
    def neighbor_distances(self) -> Matrix:
        """(n_units, 6 or 8) distances of codebook vectors to those of lattice neighbors; NaN where there are fewer."""
        neighbors = self.lattice.neighbors
        squared = np.zeros(neighbors.shape)
        for column in self.units.T:  # added column by column for identical results on every machine
            squared += (column[:, None] - column[neighbors]) ** 2
        return np.where(neighbors < 0, np.nan, np.sqrt(squared))

    @cached_property
    def u_matrix(self) -> Vector:
        """(n_units,) mean distance to the neighbors: high at the borders of clusters."""
        known = self.lattice.neighbors >= 0
        sums = np.where(known, self.neighbor_distances, 0.0).sum(axis=1)
        means: Vector = sums / np.maximum(known.sum(axis=1), 1)
        return means

    def unit_of(self, X: ArrayLike, *, missing: Missing = "refuse", threads: int | None = None) -> Labels:
        """(n_records,) the best matching unit of each record; ``X`` has the columns of the training records."""
        records = as_records(X, missing, self.units.shape[1])
        return nearest_units(
            records, self.units, np.zeros(len(records), dtype=np.int64), thread_pool.n_threads(threads)
        )

    def impute_missing(self, X: Matrix) -> Matrix:
        """The training records, with missing values imputed from the best matching unit."""
        missing = np.isnan(X)
        return np.where(missing, self.units[self.labels], X) if missing.any() else X

    def __repr__(self) -> str:
        lattice = self.lattice
        return (
            f"Map({lattice.rows} x {lattice.columns} units, {lattice.form} {lattice.shape}, {self.labels.size} records)"
        )
