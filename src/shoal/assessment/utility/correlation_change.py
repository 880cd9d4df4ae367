"""Correlations of numeric columns before and after, and the eigenvalues of their matrices.

Correlations are of the records that know both columns. A column that is constant in the original is left out; one that
has become constant has no correlation any more, which counts as 0. An eigenvalue over the number of columns is the
share of the variance of a principal component.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal.assessment.utility.extent_values import to_days
from shoal.errors import ArrayError
from shoal.findings import Finding, Findings
from shoal.kernels import Matrix, Vector

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class CorrelationChange:
    names: tuple[str, ...]
    before: Matrix  # (d, d)
    after: Matrix  # (d, d)

    @property
    def differences(self) -> dict[Pair, float]:
        """The absolute difference of every two columns."""
        rows, columns = np.triu_indices(len(self.names), 1)
        sizes = np.abs(self.before - self.after)[rows, columns].tolist()
        return {(self.names[i], self.names[j]): size for i, j, size in zip(rows, columns, sizes, strict=True)}

    @property
    def largest(self) -> float:
        return max(self.differences.values())

    @property
    def mean(self) -> float:
        return sum(self.differences.values()) / len(self.differences)

    @cached_property
    def eigenvalues(self) -> tuple[Vector, Vector]:
        """Of both matrices, the largest first."""
        before, after = (np.linalg.eigvalsh(matrix)[::-1] for matrix in (self.before, self.after))
        return before.astype(np.float64), after.astype(np.float64)

    @property
    def largest_eigenvalue_difference(self) -> float:
        before, after = self.eigenvalues
        return float(np.abs(before - after).max())

    @property
    def variance_shares(self) -> tuple[float, float]:
        """Percent of the variance that the first principal component has, before and after."""
        before, after = self.eigenvalues
        return 100 * float(before[0]) / len(before), 100 * float(after[0]) / len(after)

    def findings(self) -> Findings:
        before, after = self.variance_shares
        return Findings(
            (
                Finding(
                    "largest change of a correlation",
                    self.largest,
                    "Of two numeric columns: the difference of their correlations before and after.",
                    baseline=0,
                ),
                Finding("mean change of the correlations", self.mean, "Over all pairs of numeric columns.", baseline=0),
                Finding(
                    "largest change of an eigenvalue",
                    self.largest_eigenvalue_difference,
                    f"Of the correlation matrix of {len(self.names)} columns; its eigenvalues add up to that number.",
                    baseline=0,
                ),
                Finding(
                    "variance of the first principal component",
                    after,
                    "Share of the variance of all numeric columns, in the release; the baseline is that of the "
                    "original.",
                    baseline=before,
                    unit="%",
                ),
            )
        )

    def to_dict(self) -> dict[str, Any]:
        before, after = self.eigenvalues
        return {
            "columns": list(self.names),
            "before": self.before.tolist(),
            "after": self.after.tolist(),
            "eigenvalues_before": before.tolist(),
            "eigenvalues_after": after.tolist(),
        }


def correlation_change(original: ArrayLike, released: ArrayLike, *, names: Sequence[str] = ()) -> CorrelationChange:
    """The change of the correlations of numeric columns, of which two must vary in the original. NaN is missing; the
    records may be in any order."""
    X, Y = (np.asarray(each, dtype=np.float64) for each in (original, released))
    for name, each in (("original", X), ("released", Y)):
        if each.ndim != 2:
            raise ArrayError.not_a_matrix(name, each.shape)
    if X.shape[1] != Y.shape[1]:
        raise ArrayError.other_shape(X.shape, Y.shape)
    found = change_of_correlations(X, Y, tuple(names) or tuple(f"column {at + 1}" for at in range(X.shape[1])))
    if found is None:
        raise ArrayError.nothing_varies()
    return found


def change_of_correlations(X: Matrix, Y: Matrix, names: Sequence[str]) -> CorrelationChange | None:
    """The same; None for fewer than two columns that vary in the original."""
    varies = np.array([_varies(column) for column in X.T])
    if varies.sum() < 2:
        return None
    before, after = correlations(X[:, varies]), correlations(Y[:, varies])
    return CorrelationChange(tuple(name for name, kept in zip(names, varies, strict=True) if kept), before, after)


def _varies(column: Vector) -> bool:
    known = column[~np.isnan(column)]
    return bool(known.size and known.min() < known.max())


def correlations(X: Matrix) -> Matrix:
    """(d, d) the correlation of every two columns over the records that know both; 0 where one does not vary."""
    known = (~np.isnan(X)).astype(np.float64)
    scores = np.where(known > 0, X, 0.0)
    n = np.maximum(known.sum(axis=0), 1.0)
    scores = np.where(known > 0, X - scores.sum(axis=0) / n, 0.0)
    spread = np.sqrt((scores * scores).sum(axis=0) / n)
    scores = scores / np.where(spread > 0, spread, 1.0)
    both, sums, squares = known.T @ known, scores.T @ known, (scores * scores).T @ known
    covariances = both * (scores.T @ scores) - sums * sums.T
    variances = np.maximum(both * squares - sums * sums, 0.0)
    scale = np.sqrt(variances * variances.T)
    varies = scale > 1e-9 * np.maximum(both * both, 1.0)
    found: Matrix = np.clip(np.divide(covariances, scale, out=np.zeros_like(scale), where=varies), -1.0, 1.0)
    np.fill_diagonal(found, 1.0)
    return found


def number_matrix(table: pa.Table, names: Sequence[str]) -> Matrix:
    """(n_records, d) the columns as numbers, dates in days; NaN where missing."""
    columns = [to_days(name, table[name]) for name in names]
    return np.column_stack([np.where(column.missing, np.nan, column.values) for column in columns])
