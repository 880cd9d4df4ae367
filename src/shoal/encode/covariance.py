"""Covariance, correlation and Cholesky factor from exact sums, independent of the order of the records."""

from __future__ import annotations

import math

import numpy as np

from shoal import kernels
from shoal.kernels import Matrix


def covariance(X: Matrix) -> Matrix:
    """(d, d) covariances with divisor n - 1; all 0 for a constant column, its variance included."""
    mean = kernels.column_sums(X) / len(X)
    centered = np.where(X.min(axis=0) == X.max(axis=0), 0.0, X - mean)
    sums = [kernels.column_sums(np.ascontiguousarray(centered * centered[:, [j]])) for j in range(X.shape[1])]
    return np.array(sums) / (len(X) - 1)


def correlation(covariances: Matrix) -> Matrix:
    """(d, d) correlations between -1 and 1; 0 for pairs with a constant column."""
    spread = np.sqrt(np.diag(covariances))
    scale = np.outer(spread, spread)
    shares: Matrix = np.divide(covariances, scale, out=np.zeros_like(scale), where=scale > 0)
    return np.clip(shares, -1.0, 1.0)


def cholesky_factor(covariances: Matrix) -> Matrix:
    """Lower triangular (d, d) Cholesky factor, whose product with its transpose is ``covariances``; also for dependent
    columns."""
    d = len(covariances)
    lower = np.zeros((d, d))
    for j in range(d):
        rest = covariances[j, j] - math.fsum(lower[j, :j] ** 2)
        if rest <= 1e-12 * covariances[j, j]:  # linearly dependent on the columns before it
            continue
        lower[j, j] = math.sqrt(rest)
        for i in range(j + 1, d):
            lower[i, j] = (covariances[i, j] - math.fsum(lower[i, :j] * lower[j, :j])) / lower[j, j]
    return lower
