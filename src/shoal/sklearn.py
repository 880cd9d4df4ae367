"""Microaggregation as a scikit-learn transformer: a thin adapter over ``shoal.mdav``."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from shoal.encode.standardize import moments, z_scores
from shoal.kernels import Matrix
from shoal.methods.microaggregation.mdav import mdav


class Microaggregator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Replaces every record by the centroid of its group of at least ``k`` records.

    ``fit_transform`` microaggregates: groups by MDAV on z-scores, centroids in the units of ``X``. ``transform``
    replaces a new record by the nearest centroid of the fitted groups, so that it shares its values with at least k
    records of the fitted table.
    """

    def __init__(self, k: int = 5) -> None:
        self.k = k

    def fit(self, X: Any, y: Any = None) -> Self:
        """Forms the groups."""
        records: Matrix = np.ascontiguousarray(validate_data(self, X, dtype=np.float64, ensure_min_samples=2))
        self.mean_, self.deviation_ = moments(records)
        self.partition_ = mdav(z_scores(records, self.mean_, self.deviation_), self.k)
        self.centroids_ = self.partition_.centroids(records)
        return self

    def fit_transform(self, X: Any, y: Any = None, **parameters: Any) -> Matrix:
        """The centroid of every record's own group."""
        self.fit(X)
        return self.centroids_[self.partition_.labels]

    def transform(self, X: Any) -> Matrix:
        """The nearest centroid of every record, by z-scores with the moments of the fitted table."""
        from scipy.spatial import KDTree

        check_is_fitted(self)
        records = validate_data(self, X, dtype=np.float64, reset=False)
        tree = KDTree(z_scores(self.centroids_, self.mean_, self.deviation_))
        nearest: Matrix = self.centroids_[tree.query(z_scores(records, self.mean_, self.deviation_))[1]]
        return nearest
