"""z-scores: every column with mean 0 and variance 1, so that no unit outweighs another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.kernels import Matrix, Vector


def moments(X: Matrix) -> tuple[Vector, Vector]:
    """Mean and standard deviation (divisor n) of every column, from exact sums; deviation 0 for constant columns."""
    n = len(X)
    mean = kernels.column_sums(X) / n
    deviation = np.sqrt(kernels.column_squares(X, mean) / n)
    lower, upper = kernels.column_ranges(X)
    return mean, np.where(lower == upper, 0.0, deviation)


def z_scores(X: Matrix, mean: Vector, deviation: Vector) -> Matrix:
    """z-scores by given moments. A constant column becomes zeros: it does not distinguish records."""
    scores: Matrix = X - mean
    scores /= np.where(deviation > 0, deviation, 1.0)
    scores[:, deviation == 0] = 0.0
    return scores


def standardize(X: ArrayLike) -> Matrix:
    """z-scores of an (n, d) array; constant columns become zeros."""
    records = kernels.as_matrix(X, name="X")
    return z_scores(records, *moments(records))
