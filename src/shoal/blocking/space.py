"""The ranges of all columns, and the columns that blocking halves.

Ranges add up over batches. A position is the share of its range that lies below a value; halving a range is reading
one more bit of it, so that no distance is computed and every engine finds the same cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.errors import ArrayError
from shoal.kernels import Labels, Matrix, Vector

POSITION_BITS = 32  # how often a range can be halved
UNITS = float(2**POSITION_BITS)  # of a range: positions and their sums are whole numbers of them


@dataclass(frozen=True, eq=False)
class Ranges:
    """Least and largest value of every column: an accumulator, the first pass over the records."""

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
class Space:
    """Where a tree grows: the ranges of all columns, and the dimensions among them that are halved."""

    lower: Vector  # (n_columns,)
    upper: Vector
    dimensions: Labels  # (d,)

    @property
    def d(self) -> int:
        return len(self.dimensions)

    @property
    def deepest(self) -> int:
        """Bits of the longest key."""
        return POSITION_BITS * self.d

    def records(self, X: Matrix) -> Matrix:
        """``X``, if it has the columns of this space."""
        if X.shape[1] != len(self.lower):
            raise ArrayError.other_columns(len(self.lower), X.shape[1])
        return X

    def means(self, sums: Labels, counts: Labels) -> Matrix:
        """Centroids from sums of positions, (n, n_columns)."""
        shares: Matrix = sums / counts[:, None] / UNITS
        return self.lower + (self.upper - self.lower) * shares
