"""Selection of the columns that a tree halves when there are too many: those that explain most of the variance.

ranges, covariance sums -> DimensionChoice

Greedy selection: each step takes the column that explains most of the remaining variance of all columns (like the first
principal axis, but a column that every engine can cut) and subtracts what it explains from the others. Of redundant
columns only one is chosen.

Positions are rounded down to 2^-15 of the range, so that sums of their products are integers and add up over batches.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from shoal.blocking.tree_space import Ranges
from shoal.errors import listed
from shoal.kernels import Ints, Matrix, Vector, thread_pool

MAX_DIMENSIONS = 10  # maximum number of dimensions that are halved
MIN_SHARE = 0.01  # share of the variance; a column that explains less is not halved
STEPS = float(2**15)
RECORDS_PER_STEP = 100_000  # sums of this many products are exact in float64


@dataclass(frozen=True, eq=False)
class CovarianceSums:
    """Accumulator of the sums of positions and of their products, for covariances."""

    n_records: int
    sums: Ints  # (n_columns,)
    products: Ints  # (n_columns, n_columns)

    @classmethod
    def of(cls, X: Matrix, ranges: Ranges) -> CovarianceSums:
        width = ranges.upper - ranges.lower
        width = np.where(width > 0, width, 1.0)

        def summed(first: int, report: thread_pool.Report) -> CovarianceSums:
            shares = (X[first : first + RECORDS_PER_STEP] - ranges.lower) / width
            steps = np.clip(np.floor(shares * STEPS), 0, STEPS - 1)
            report(len(steps))
            return cls(len(steps), steps.sum(axis=0).astype(np.int64), (steps.T @ steps).astype(np.int64))

        jobs = [partial(summed, first) for first in range(0, max(1, len(X)), RECORDS_PER_STEP)]
        return reduce(operator.add, thread_pool.run(jobs, thread_pool.n_threads(None), lambda n_done: None))

    def __add__(self, other: CovarianceSums) -> CovarianceSums:
        return CovarianceSums(self.n_records + other.n_records, self.sums + other.sums, self.products + other.products)

    def covariances(self, ranges: Ranges) -> Matrix:
        n, sums = self.n_records, self.sums.astype(object)
        exact = n * self.products.astype(object) - sums[:, None] * sums[None, :]  # too large for 64 bits
        rounded: Matrix = exact.astype(np.float64)
        step = (ranges.upper - ranges.lower) / STEPS / n
        return rounded * step[:, None] * step[None, :]


@dataclass(frozen=True, eq=False)
class DimensionChoice:
    """Columns in the order in which they are halved, and the share of the variance that each explains."""

    dimensions: Ints  # (d,)
    shares: tuple[float, ...]
    n_columns: int

    def reason(self, names: Sequence[str] | None) -> str:
        """A sentence for the report. ``names`` of all columns; without them, columns are given by position."""
        halved = listed(self.dimensions) + " (counted from 0)"
        if names is not None:
            halved = listed([names[at] for at in self.dimensions])
        return (
            f"Of {self.n_columns} columns the tree halves {halved}, one after the "
            f"other those that explain most of the variance of all: together {100 * sum(self.shares):.0f} % of it."
        )

    def first(self, n_halvings: int) -> DimensionChoice:
        """The columns worth halving: at most ``n_halvings`` and ten, each with a sufficient share; at least one."""
        n_worth = sum(share >= MIN_SHARE for share in self.shares)
        n_kept = max(1, min(MAX_DIMENSIONS, n_halvings, n_worth))
        return DimensionChoice(self.dimensions[:n_kept], self.shares[:n_kept], self.n_columns)


def rank_dimensions(spread: CovarianceSums, ranges: Ranges) -> DimensionChoice:
    """All columns by explained variance, largest first; ties by column order."""
    left = spread.covariances(ranges)
    total = max(float(np.trace(left)), np.finfo(float).tiny)
    is_free = np.ones(len(left), dtype=bool)
    dimensions, shares = [], []
    for _ in range(len(left)):
        gains = np.where(is_free, _explained_variance(left, 1e-9 * total) / total, -1.0)
        best = int(np.argmax(gains))
        dimensions.append(best)
        shares.append(float(gains[best]))
        is_free[best] = False
        if gains[best] > 0:
            left = left - np.outer(left[:, best], left[best]) / left[best, best]
    return DimensionChoice(np.array(dimensions, dtype=np.int64), tuple(shares), len(left))


def _explained_variance(covariances: Matrix, nothing: float) -> Vector:
    """(n_columns,) the total variance that each column explains; variances up to ``nothing`` are rounding error."""
    variances = np.diag(covariances)
    is_there = variances > nothing
    gains = (covariances**2).sum(axis=0) / np.where(is_there, variances, 1.0)
    return np.where(is_there, gains, 0.0)
