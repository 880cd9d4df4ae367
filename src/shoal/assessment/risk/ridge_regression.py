"""Ridge regression: a linear dependence learned from few records is taken for weaker than it seems."""

from __future__ import annotations

import numpy as np

from shoal.kernels import Matrix

RIDGE = 1.0  # records that say that nothing depends on a coordinate


def with_constant(coordinates: Matrix) -> Matrix:
    return np.column_stack([np.ones(len(coordinates)), coordinates])


def ridge_coefficients(known: Matrix, values: Matrix) -> Matrix:
    """(n_known, n_values) coefficients of the regression of ``values`` on what is known."""
    products = known.T @ known + RIDGE * np.eye(known.shape[1])
    return np.asarray(np.linalg.solve(products, known.T @ values), dtype=np.float64)
