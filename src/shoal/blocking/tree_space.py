"""The ranges of all columns, and the dimensions that a tree halves.

Ranges of batches can be added. The position of a value is the share of the column's range below it; halving a range
reads one more bit of the position, so that no distances are computed and every engine finds the same cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.errors import ArrayError
from shoal.kernels import Ints, Matrix, Vector

POSITION_BITS = 32  # maximum number of halvings of a range
UNITS = float(2**POSITION_BITS)  # per range: positions and their sums are integers in this unit


@dataclass(frozen=True, eq=False)
class Ranges:
    """Accumulator of the minimum and maximum of every column: the first pass over the records."""

    n_records: int
    lower: Vector  # (n_columns,)
    upper: Vector

    @classmethod
    def of(cls, X: Matrix) -> Ranges:
        return cls(len(X), *kernels.column_ranges(X))

    def __add__(self, other: Ranges) -> Ranges:
        n_records = self.n_records + other.n_records
        return Ranges(n_records, np.minimum(self.lower, other.lower), np.maximum(self.upper, other.upper))


@dataclass(frozen=True, eq=False)
class TreeSpace:
    """The space of a tree: the ranges of all columns, and the dimensions (columns) that are halved."""

    lower: Vector  # (n_columns,)
    upper: Vector
    dimensions: Ints  # (d,)

    @property
    def d(self) -> int:
        return len(self.dimensions)

    @property
    def deepest(self) -> int:
        """Number of bits of the longest key."""
        return POSITION_BITS * self.d

    def records(self, X: Matrix) -> Matrix:
        """``X``, after checking its number of columns."""
        if X.shape[1] != len(self.lower):
            raise ArrayError.other_columns(len(self.lower), X.shape[1])
        return X

    def means(self, sums: Ints, counts: Ints) -> Matrix:
        """(n, n_columns) centroids from sums of positions."""
        shares: Matrix = sums / counts[:, None] / UNITS
        return self.lower + (self.upper - self.lower) * shares
