"""Principal axes of the records, for the size and the linear initialization of a map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.kernels import Matrix, Vector


@dataclass(frozen=True, eq=False)
class Axes:
    """Eigenvectors of the covariance matrix; missing values are left out of means and products."""

    mean: Vector  # (d,)
    variances: Vector  # (d,) along the axes, largest first
    directions: Matrix  # (d, d) one axis per row

    @classmethod
    def of(cls, X: Matrix) -> Axes:
        known = ~np.isnan(X)
        n_known = np.maximum(known.sum(axis=0), 1)
        mean = kernels.column_sums(np.where(known, X, 0.0)) / n_known
        mean = np.clip(mean, np.nanmin(X, axis=0), np.nanmax(X, axis=0))  # exact for equal values
        centered = np.where(known, X - mean, 0.0)
        products = kernels.ordered_product(np.ascontiguousarray(centered.T), centered)
        variances, directions = kernels.symmetric_eigen(products / _n_pairs(known))
        return cls(mean, np.maximum(variances, 0.0), directions)


def _n_pairs(known: Matrix) -> Matrix:
    """(d, d) number of records with both columns observed; 1 where there is none, as the product is 0."""
    if known.all():
        return np.full((known.shape[1],) * 2, float(len(known)))
    ones = known.astype(np.float64)
    return np.maximum(kernels.ordered_product(np.ascontiguousarray(ones.T), ones), 1.0)
