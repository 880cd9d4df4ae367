"""Classifier and regressor of scikit-learn: gradient boosting of histograms, which takes missing values as they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from shoal.assessment.utility.analyses.analysis import Analysis
from shoal.errors import PolicyError, TableError
from shoal.kernels import Matrix, Vector

N_TREES = 100
SEED = 0


@dataclass(frozen=True, eq=False)
class Prediction:
    """What is learned from, and the records that are predicted."""

    features: Matrix
    target: Vector
    unseen: Matrix
    is_numeric: bool


def check_packages(analyses: Iterable[Analysis]) -> None:
    """Raises PolicyError where an analysis needs scikit-learn and it is not installed: before any work is done."""
    names = [analysis.name for analysis in analyses if analysis.needs_sklearn]
    if names and find_spec("sklearn") is None:
        raise PolicyError.missing_package(names[0])


def predict(task: Prediction) -> Vector:
    """(n_unseen,) predicted numbers, or codes of values. Features without a known value are left out."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    is_known = ~np.isnan(task.features).all(axis=0)
    if not is_known.any():
        raise TableError.no_features()
    estimator = HistGradientBoostingRegressor if task.is_numeric else HistGradientBoostingClassifier
    model = estimator(max_iter=N_TREES, early_stopping=False, random_state=SEED)
    with threadpool_limits(1):  # threads would wait for each other on small tables
        model.fit(task.features[:, is_known], task.target if task.is_numeric else task.target.astype(np.int64))
        predicted: Vector = np.asarray(model.predict(task.unseen[:, is_known]), dtype=np.float64)
    return predicted
