"""Probabilistic information loss (PIL): do statistics change by more than sampling alone would explain?

Mateo-Sanz, Domingo-Ferrer & Sebe (2005), doi:10.1007/s10618-005-0011-9.

For a statistic, such as a mean, that is t in the original and t' in the release, the loss is the probability that
sampling alone would change it by less than |t' - t|: 2 Phi(|t' - t| / sqrt(Var t)) - 1, 0 where nothing changed and
never above 1. The parts are the mean losses of the 5, 10, ..., 95 % quantiles, of means, variances, covariances and
correlations.

The paper leaves the variance of an estimate open: here it is that of its influence function over n, for all but the
quantiles. A quantile is judged by its rank, which needs no density: the share of the original below the released
quantile is compared with the nominal share p, whose standard error is sqrt(p (1 - p) / n).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal.assessment.numeric_pair import NumericPair, numeric_pair
from shoal.encode.covariance import correlation, covariance
from shoal.encode.standardize import moments, z_scores
from shoal.findings import Finding, Findings
from shoal.kernels import Matrix
from shoal.schema import Schema

SHARES = np.arange(5, 100, 5) / 100  # whose quantiles are compared

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class ProbabilisticLoss:
    """Percent. ``covariances`` and ``correlations`` are None where there is one column."""

    quantiles: float
    means: float
    variances: float
    covariances: float | None
    correlations: float | None

    @property
    def value(self) -> float:
        """The mean of the parts."""
        parts = (self.quantiles, self.means, self.variances, self.covariances, self.correlations)
        known = [part for part in parts if part is not None]
        return sum(known) / len(known)


def probabilistic_loss(original: ArrayLike, released: ArrayLike) -> ProbabilisticLoss:
    """The release may have the records in any order: only statistics over all records are compared."""
    return _probabilistic_loss(NumericPair.of(original, released, "probabilistic information loss"))


def probabilistic_findings(original: pa.Table, released: pa.Table, schema: Schema) -> Findings:
    """Findings on the numeric and date quasi-identifiers, over records that miss none of them."""
    pair = numeric_pair(original, released, schema)
    if pair is None:
        return Findings()
    meaning = (
        "Chance that sampling alone would move quantiles, means, variances, covariances and correlations less than "
        "the release did."
    )
    found = _probabilistic_loss(pair).value
    return Findings((Finding("probabilistic loss (PIL)", found, meaning, baseline=100, unit="%"),))


def _probabilistic_loss(pair: NumericPair) -> ProbabilisticLoss:
    X, Y = pair.original, pair.released
    d = X.shape[1]
    pairs = [(i, j) for i in range(d) for j in range(i + 1, d)]
    before, after = _SecondMoments.of(X), _SecondMoments.of(Y)
    return ProbabilisticLoss(
        quantiles=_percent([_quantiles(X[:, j], Y[:, j]) for j in range(d)]),
        means=_percent([_loss(after.mean[j] - before.mean[j], before.centered[:, j]) for j in range(d)]),
        variances=_percent([before.loss_of_covariance(after, j, j) for j in range(d)]),
        covariances=_percent([before.loss_of_covariance(after, i, j) for i, j in pairs]) if pairs else None,
        correlations=_percent([before.loss_of_correlation(after, i, j) for i, j in pairs]) if pairs else None,
    )


@dataclass(frozen=True)
class _SecondMoments:
    """Moments of a matrix, and the scores for the influence functions of its covariances and correlations."""

    mean: Reals  # (d,)
    scores: Matrix  # (n, d) z-scores
    centered: Matrix  # (n, d)
    covariances: Matrix  # (d, d) with divisor n
    correlations: Matrix  # (d, d)

    @classmethod
    def of(cls, X: Matrix) -> _SecondMoments:
        mean, deviation = moments(X)
        covariances = covariance(X) * (len(X) - 1) / len(X)
        scores = z_scores(X, mean, deviation)
        return cls(mean, scores, scores * deviation, covariances, correlation(covariances))

    def loss_of_covariance(self, after: _SecondMoments, i: int, j: int) -> Reals:
        own = self.covariances[i, j]
        return _loss(after.covariances[i, j] - own, self.centered[:, i] * self.centered[:, j] - own)

    def loss_of_correlation(self, after: _SecondMoments, i: int, j: int) -> Reals:
        a, b, own = self.scores[:, i], self.scores[:, j], self.correlations[i, j]
        return _loss(after.correlations[i, j] - own, a * b - own * (a * a + b * b) / 2)


def _loss(change: float, influence: Reals) -> Reals:
    """Loss of a statistic that changed by ``change``; its standard error is that of the mean of ``influence``."""
    return _beyond_chance(abs(change), float(np.sqrt(np.mean(influence * influence) / len(influence))))


def _quantiles(before: Reals, after: Reals) -> Reals:
    n = len(before)
    released = np.quantile(after, SHARES, method="inverted_cdf")
    ascending = np.sort(before)
    below = np.searchsorted(ascending, released, side="left") / n
    up_to = np.searchsorted(ascending, released, side="right") / n
    difference = np.maximum(np.maximum(below - SHARES, SHARES - up_to), 0.0)
    return _beyond_chance(difference, np.sqrt(SHARES * (1 - SHARES) / n))


def _beyond_chance(difference: ArrayLike, deviation: ArrayLike) -> Reals:
    """2 Phi(apart / deviation) - 1."""
    from scipy.special import erf

    change, scale = np.atleast_1d(difference).astype(np.float64), np.atleast_1d(deviation).astype(np.float64)
    unit = np.where(change > 0, np.inf, 0.0)
    shares: Reals = erf(np.divide(change, scale, out=unit, where=scale > 0) / np.sqrt(2))
    return shares


def _percent(losses: list[Reals]) -> float:
    return 100 * float(np.mean(np.concatenate(losses)))
