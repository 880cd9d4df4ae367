"""Propensity score: whether a model can tell released records from original ones.

Woo, Reiter, Oganian & Karr (2009), Global measures of data utility for microdata masked for disclosure limitation, and
Snoke, Raab, Nowok, Dibben & Slavkovic (2018), General and specific utility measures for synthetic data,
doi:10.1111/rssa.12358.

pMSE is the mean squared difference between the fitted probability that a record is a released one and the share of
released records. It is 0 where nothing distinguishes them. Two independent samples of one population have an
expectation of (p - 1) (1 - c) c / N for p coefficients, N records and a share c of released ones: N pMSE / (c (1 - c))
is then chi-squared with p - 1 degrees of freedom. The ratio to it is 1 if the release is as good as a sample of other
persons. (The paper's expectation has one more factor 1 - c: its original is given, and only the synthetic records vary.
Here released records are of other persons than the original ones that they are compared with, and both vary.) The model
is a logistic regression on the main effects of all columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from shoal.assessment.utility.regression_fit import logistic, probabilities
from shoal.errors import ArrayError
from shoal.findings import Finding, Findings
from shoal.kernels import Matrix, as_matrix

PROPENSITY = "propensity score, pMSE ratio"


@dataclass(frozen=True)
class PropensityScore:
    pmse: float
    expected: float  # of two samples of one population
    deviation: float  # its standard deviation
    n_original: int
    n_released: int
    n_coefficients: int  # without the intercept

    @property
    def ratio(self) -> float:
        return self.pmse / self.expected if self.expected else 0.0

    @property
    def ratio_deviation(self) -> float:
        return self.deviation / self.expected if self.expected else 0.0

    def findings(self) -> Findings:
        n = f"{self.n_original:,} original and {self.n_released:,} released records"
        return Findings(
            (
                Finding(
                    PROPENSITY,
                    self.ratio,
                    f"How well a logistic regression on {self.n_coefficients} effects tells {n} apart. About 1 (up to "
                    f"{1 + 2 * self.ratio_deviation:.2f}): no better than two samples of one population. It "
                    "sees single columns, no relations between them.",
                    baseline=1,
                ),
            )
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "pmse": self.pmse,
            "expected": self.expected,
            "deviation": self.deviation,
            "ratio": self.ratio,
            "n_original": self.n_original,
            "n_released": self.n_released,
            "n_coefficients": self.n_coefficients,
        }


def propensity_score(original: ArrayLike, released: ArrayLike) -> PropensityScore:
    """The propensity score of two matrices with one column for every effect; the records are of different persons."""
    X, Y = as_matrix(original, "original"), as_matrix(released, "released")
    if X.shape[1] != Y.shape[1]:
        raise ArrayError.other_shape(X.shape, Y.shape)
    return propensity_of(X, Y)


def propensity_of(before: Matrix, after: Matrix) -> PropensityScore:
    n = len(before) + len(after)
    share = len(after) / n
    design = np.column_stack([np.ones(n), _standardized(np.vstack([before, after]))])
    is_released = np.arange(n) >= len(before)
    fit = logistic(design, is_released)
    p = int(np.count_nonzero(np.isfinite(fit.coefficients)))
    pmse = float(np.mean((probabilities(fit.linear(design)) - share) ** 2))
    unit = (1 - share) * share / n
    return PropensityScore(pmse, (p - 1) * unit, sqrt(2 * (p - 1)) * unit, len(before), len(after), p - 1)


def _standardized(X: Matrix) -> Matrix:
    spread = X.std(axis=0)
    scores: Matrix = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return scores
