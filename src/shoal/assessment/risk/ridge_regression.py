"""Ridge regression: a linear dependence learned from few records is taken for weaker than it seems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Matrix

N_DIGITS = 6  # of shares: equal columns stay equal, in whatever order sums were added
RIDGE = 1.0  # records that say that nothing depends on a coordinate


def with_constant(coordinates: Matrix) -> Matrix:
    return np.column_stack([np.ones(len(coordinates)), coordinates])


@dataclass(frozen=True, eq=False)
class RidgeRegression:
    """The regression of any values on what is known of the same records."""

    known: Matrix  # (n_records, n_known)
    products: Matrix  # (n_known, n_known)

    @classmethod
    def on(cls, known: Matrix) -> RidgeRegression:
        return cls(known, known.T @ known + RIDGE * np.eye(known.shape[1]))

    def coefficients(self, values: Matrix) -> Matrix:
        """(n_known, n_values)"""
        return np.asarray(np.linalg.solve(self.products, self.known.T @ values), dtype=np.float64)


def ridge_coefficients(known: Matrix, values: Matrix) -> Matrix:
    """(n_known, n_values) coefficients of the regression of ``values`` on what is known."""
    return RidgeRegression.on(known).coefficients(values)


def explained_share(known: Matrix, values: Matrix) -> float:
    """Share of the variance of ``values`` that the regression explains, adjusted for the number of coordinates; 0 where
    there are too few records to tell."""
    n, n_free = len(known), len(known) - known.shape[1] - 1
    total = float(((values - values.mean(axis=0)) ** 2).sum()) if values.size else 0.0
    if n_free < 1 or not total:
        return 0.0
    left = values - with_constant(known) @ ridge_coefficients(with_constant(known), values)
    explained: float = 1 - float((left**2).sum()) / total * (n - 1) / n_free
    return round(max(0.0, explained), N_DIGITS)
