"""Linear regression by least squares and logistic regression by maximum likelihood, with standard errors.

design matrix, target -> RegressionFit

Columns of the design that depend on earlier ones are left out of a fit, as if they were not there; their coefficients
are NaN. Logistic regression is fitted by Newton's method, with halved steps where one would lower the likelihood. Where
all records of a category have the same target, its log odds have no finite maximum: the coefficient predicts, but it
has no standard error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Matrix, Vector

DEPENDENT = 1e-9  # part of a column that earlier ones do not explain, at most, where it depends on them
MOST_STEPS = 50
CONVERGED = 1e-10  # change of the log likelihood by record
SEPARATED = 1e-6  # fitted probabilities all nearer to 0 or 1 than this: columns separate the two values
OPEN = 50.0  # standard error of the log odds over the range of a column, from which its coefficient has no maximum


@dataclass(frozen=True, eq=False)
class RegressionFit:
    """Coefficients of the design's columns, NaN where a column was left out."""

    coefficients: Vector  # (p,)
    errors: Vector  # (p,) standard errors; NaN where the coefficient cannot be estimated
    converged: bool = True  # false: no coefficient can

    def linear(self, design: Matrix) -> Vector:
        """Predicted numbers, or log odds."""
        predicted: Vector = design @ np.nan_to_num(self.coefficients)
        return predicted


def least_squares(design: Matrix, target: Vector) -> RegressionFit:
    """Ordinary least squares. The errors are infinite where no degree of freedom is left."""
    kept, scaled, scale = _independent(design)
    solution, *_ = np.linalg.lstsq(scaled, target, rcond=None)
    residuals = target - scaled @ solution
    n_free = len(target) - scaled.shape[1]
    variance = float(residuals @ residuals) / n_free if n_free > 0 else np.inf
    errors = (
        np.sqrt(np.diag(np.linalg.inv(scaled.T @ scaled)) * variance) if n_free > 0 else np.full(len(scale), np.inf)
    )
    return _spread_out(design.shape[1], kept, solution / scale, errors / scale)


def logistic(design: Matrix, target: NDArray[np.bool_] | Vector) -> RegressionFit:
    """Logistic regression of a target that is 0 or 1. ``converged`` is false where the maximum does not exist."""
    kept, scaled, scale = _independent(design)
    y = np.asarray(target, dtype=np.float64)
    beta, converged = _newton(scaled, y)
    odds = probabilities(scaled @ beta)
    weights = odds * (1 - odds)
    information = (scaled * weights[:, None]).T @ scaled
    is_separated = bool((np.minimum(odds, 1 - odds) < SEPARATED).all())
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information)), 0.0))
    widths = np.maximum(np.abs(scaled).max(axis=0, initial=0.0), np.ptp(scaled, axis=0)) if len(scaled) else errors
    is_open = errors * widths > OPEN
    found = _spread_out(design.shape[1], kept, beta / scale, np.where(is_open, np.nan, errors / scale))
    return RegressionFit(found.coefficients, found.errors, converged and not is_separated)


def _newton(X: Matrix, y: Vector) -> tuple[Vector, bool]:
    beta = np.zeros(X.shape[1])
    likelihood = _log_likelihood(X @ beta, y)
    for _ in range(MOST_STEPS):
        odds = probabilities(X @ beta)
        information = (X * (odds * (1 - odds))[:, None]).T @ X
        step = _solved(information, X.T @ (y - odds))
        size = 1.0
        while (better := _log_likelihood(X @ (beta + size * step), y)) < likelihood and size > 1e-4:
            size /= 2
        if better <= likelihood + CONVERGED * len(y):
            return (beta + size * step if better > likelihood else beta), True
        beta, likelihood = beta + size * step, better
    return beta, False


def _solved(information: Matrix, score: Vector) -> Vector:
    """The Newton step; the shortest one where probabilities of 0 and 1 leave it open."""
    try:
        step = np.linalg.solve(information, score)
    except np.linalg.LinAlgError:
        step = np.linalg.lstsq(information, score, rcond=None)[0]
    return np.asarray(step, dtype=np.float64)


def _log_likelihood(logits: Vector, y: Vector) -> float:
    return float((y * logits - np.logaddexp(0.0, logits)).sum())


def probabilities(logits: Vector) -> Vector:
    """Of log odds."""
    from scipy.special import expit

    found: Vector = expit(logits)
    return found


def _independent(design: Matrix) -> tuple[NDArray[np.bool_], Matrix, Vector]:
    """Which columns do not depend on earlier ones, these columns scaled to length 1 per record, and their scale."""
    lengths = np.sqrt((design * design).sum(axis=0) / max(len(design), 1))
    scaled = design / np.where(lengths > 0, lengths, 1.0)
    kept = np.zeros(design.shape[1], dtype=bool)
    gram = scaled.T @ scaled / max(len(design), 1)
    # Pivots of a Cholesky factor in order: what the columns kept before do not explain of each.
    rest = gram.copy()
    for at in range(len(gram)):
        if rest[at, at] > max(DEPENDENT, 1e-12 * len(gram)) and lengths[at] > 0:
            kept[at] = True
            rest = rest - np.outer(rest[:, at], rest[at]) / rest[at, at]
    return kept, np.ascontiguousarray(scaled[:, kept]), lengths[kept]


def _spread_out(width: int, kept: NDArray[np.bool_], coefficients: Vector, errors: Vector) -> RegressionFit:
    found = np.full((2, width), np.nan)
    found[:, kept] = coefficients, errors
    return RegressionFit(found[0], found[1])
