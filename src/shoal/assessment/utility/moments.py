"""Information loss of numeric columns: changes of values, means, covariances, variances and correlations.

Domingo-Ferrer & Torra (2001), "Disclosure control methods and information loss for microdata"; IL1s of Yancey, Winkler
& Creecy (2002), "Disclosure risk assessment in perturbative microdata protection".

A mean variation is the mean of |before - after| / |before|, for correlations the mean of |before - after|. A zero that
changed counts as a variation of 1. These measures are not bounded: a small change of something near zero has unlimited
weight. IL1s is the mean of |before - after| / (sqrt 2 * standard deviation): only a cell that changes much has a large
weight. In the capped variant every cell counts 1 at most, so that the result is a share: 0 to 100 %.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal import kernels
from shoal.assessment.numeric_pair import NumericPair, numeric_pair
from shoal.encode.covariance import correlation, covariance
from shoal.findings import Finding, Findings
from shoal.kernels import Matrix
from shoal.schema import Schema

Reals = NDArray[np.float64]

BOUNDED = "IL1s, capped"


@dataclass(frozen=True)
class MeanVariation:
    """Shares, not percent: 0 where nothing changed."""

    data: float
    means: float
    covariances: float
    variances: float
    correlations: float | None  # None: there is one column

    @property
    def parts(self) -> dict[str, float]:
        found = {
            "data": self.data,
            "means": self.means,
            "covariances": self.covariances,
            "variances": self.variances,
        }
        return found if self.correlations is None else {**found, "correlations": self.correlations}

    @property
    def information_loss(self) -> float:
        """Percent: 100 times the mean of the parts, the IL of the score."""
        return 100 * sum(self.parts.values()) / len(self.parts)


def mean_variation(original: ArrayLike, released: ArrayLike) -> MeanVariation:
    """Record i of ``released`` is the masked record i of ``original``."""
    return _mean_variation(NumericPair.of(original, released, "mean variation"))


def il1s(original: ArrayLike, released: ArrayLike) -> float:
    """IL1s in percent: the mean distance of a value to its original, in units in which two random values are about 1
    apart."""
    return _il1s(NumericPair.of(original, released, "IL1s"))


def bounded_loss(original: ArrayLike, released: ArrayLike) -> float:
    """IL1s in percent with every cell counted as 1 at most: 0 where nothing changed, never above 100."""
    return _il1s(NumericPair.of(original, released, "IL1s"), most=1.0)


def moment_findings(original: pa.Table, released: pa.Table, schema: Schema) -> Findings:
    """Findings on the numeric and date quasi-identifiers, over records that miss none of them."""
    pair = numeric_pair(original, released, schema)
    if pair is None:
        return Findings()
    found = _mean_variation(pair)
    parts = (
        Finding(
            f"mean variation of {name}", 100 * share, f"Mean change of the {name} of the numeric columns.", unit="%"
        )
        for name, share in found.parts.items()
    )
    meaning = "Mean distance of a value to its original, over sqrt 2 standard deviations of the column."
    capped = "The same with every cell counted as 100 % at most: the loss by which releases are compared."
    return Findings(
        (
            *parts,
            Finding("IL1s", _il1s(pair), meaning, unit="%"),
            Finding(BOUNDED, _il1s(pair, most=1.0), capped, baseline=0, unit="%"),
        )
    )


def _mean_variation(pair: NumericPair) -> MeanVariation:
    X, Y = pair.original, pair.released
    before, after = covariance(X), covariance(Y)
    upper, above = np.triu_indices(len(before)), np.triu_indices(len(before), 1)
    differences = np.abs(correlation(before) - correlation(after))[above]
    return MeanVariation(
        data=_mean(_variation(X, Y)),
        means=_mean(_variation(_means(X), _means(Y))),
        covariances=_mean(_variation(before[upper], after[upper])),
        variances=_mean(_variation(np.diag(before), np.diag(after))),
        correlations=_mean(differences) if differences.size else None,
    )


def _il1s(pair: NumericPair, most: float = np.inf) -> float:
    """``most``: what a cell counts at most."""
    spread = np.sqrt(2 * np.diag(covariance(pair.original)))
    differences = np.abs(pair.original - pair.released)
    cells = np.where(spread > 0, differences / np.where(spread > 0, spread, 1.0), differences > 0)
    return 100 * _mean(np.minimum(cells, most))


def _variation(before: Reals, after: Reals) -> Reals:
    size = np.abs(before)
    changed = (before != after).astype(np.float64)
    variation: Reals = np.divide(np.abs(before - after), size, out=changed, where=size > 0)
    return variation


def _means(X: Matrix) -> Reals:
    means: Reals = kernels.column_sums(X) / len(X)
    return means


def _mean(values: Reals) -> float:
    return float(kernels.column_sums(np.ascontiguousarray(values.reshape(-1, 1)))[0]) / values.size
