"""Whitening: Mahalanobis distance as Euclidean distance, in coordinates with unit covariance.

The transformation is triangular. A column that is a linear combination of those before it adds no information and
becomes zeros. All sums are in a fixed order, without a linear algebra library, so that equal records stay equal to the
last bit.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.encode.standardize import moments, z_scores
from shoal.kernels import Matrix

NOTHING_NEW = 1e-9  # share of a column's variance, unexplained by those before it, below which it counts as dependent


def whiten(original: Matrix, released: Matrix) -> tuple[Matrix, Matrix]:
    """The records of two files, in coordinates in which both files together have unit covariance."""
    together = np.ascontiguousarray(np.vstack([original, released]))
    scores = z_scores(together, *moments(together))
    factor = _cholesky(_correlations(scores))
    solved = np.zeros_like(scores)
    for j in range(scores.shape[1]):  # forward substitution: factor @ solved.T = scores.T
        if factor[j, j] > 0:
            rest = scores[:, j].copy()
            for i in range(j):
                rest -= factor[j, i] * solved[:, i]
            solved[:, j] = rest / factor[j, j]
    return solved[: len(original)], solved[len(original) :]


def _correlations(scores: Matrix) -> Matrix:
    n, d = scores.shape
    correlations = np.eye(d)
    for j in range(d):
        products = np.ascontiguousarray(scores[:, j:] * scores[:, j, None])
        correlations[j, j:] = correlations[j:, j] = kernels.column_sums(products) / n
    return correlations


def _cholesky(matrix: Matrix) -> Matrix:
    """Lower triangular Cholesky factor; a column of zeros where a column is linearly dependent."""
    d = len(matrix)
    factor = np.zeros_like(matrix)
    for j in range(d):
        left = matrix[j, j] - sum(factor[j, i] ** 2 for i in range(j))
        if left > NOTHING_NEW:
            factor[j, j] = np.sqrt(left)
            for row in range(j + 1, d):
                known = sum(factor[row, i] * factor[j, i] for i in range(j))
                factor[row, j] = (matrix[row, j] - known) / factor[j, j]
    return factor
