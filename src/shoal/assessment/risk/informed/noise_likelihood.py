"""Additive noise: differences between released and original values are normal with published covariances.

The share of the records that show a released value has no simple form, but its ratio with the likelihood does if the
original is normal, too: it is the density of the original value given the released one. Its mean is the released value
pulled toward the mean of the column, and toward what the other columns of the record suggest. Both sides are whitened
by the covariances of this density. Values that a correction shrank are stretched back first. Where a cell of a pair is
missing, its known cells count column by column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from shoal.assessment.risk.informed.likelihood import Likelihood, Mask, MissingCells, SearchWindow
from shoal.assessment.risk.informed.stratum_values import ColumnValues
from shoal.encode.covariance import cholesky_factor, covariance
from shoal.kernels import Labels, Matrix, Vector
from shoal.methods.perturbation import Noise

SUPPORT = 6.0  # standard deviations of the noise beyond which a value is not searched for: 2 of 1e9 are


@dataclass(frozen=True, eq=False)
class NoiseLikelihood(Likelihood):
    """Columns with the noise of one method; a standard deviation of the noise in the stratum is 1."""

    persons: Matrix  # (n_original, d)
    records: Matrix  # (n_released, d)
    pulled_records: Matrix  # (n_released, d) pulled toward the mean of their column
    white_persons: Matrix  # (n_original, d)
    white_records: Matrix  # (n_released, d) pulled by all columns
    alpha: float
    missing: tuple[MissingCells, ...]

    @classmethod
    def of(cls, columns: Sequence[ColumnValues], method: Noise) -> Self:
        """``columns``: those that the method changes and the intruder holds, of the same strata."""
        persons, records = (np.column_stack([getattr(c, side) for c in columns]) for side in ("persons", "records"))
        known = ~np.column_stack([c.missing.of_persons for c in columns])
        white, pulled, white_records = persons.copy(), records.copy(), records.copy()
        for at, stratum in enumerate(columns[0].strata):
            bases = [column.strata[at].basis for column in columns]
            means = np.array([basis.mean() if len(basis) else 0.0 for basis in bases])
            spreads = np.sqrt(method.alpha) * np.array([_deviation(basis) for basis in bases])
            own = (persons[stratum.persons] - means) / spreads
            shrinkage = np.sqrt(1 + method.alpha) if method.corrected else 1.0
            others = shrinkage * (records[stratum.records] - means) / spreads
            complete = known[stratum.basis_records].all(axis=1)
            gain, factor = _given_released((persons[stratum.basis_records[complete]] - means) / spreads, method)
            persons[stratum.persons], records[stratum.records] = own, others
            pulled[stratum.records] = others / (1 + method.alpha)
            white[stratum.persons], white_records[stratum.records] = (
                _whitened(each, factor) for each in (own, others @ gain.T)
            )
        missing = tuple(column.missing for column in columns)
        names = tuple(column.name for column in columns)
        return cls(names, persons, records, pulled, white, white_records, method.alpha, missing)

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        squares = np.zeros(len(persons))
        for own, other in zip(self.white_persons.T, self.white_records.T, strict=True):
            squares += (own[persons] - other[records]) ** 2
        ratios = self._log_peak * len(self.columns) - 0.5 * squares
        incomplete = np.flatnonzero(self._any_missing[0][persons] | self._any_missing[1][records])
        if len(incomplete):
            ratios[incomplete] = self._column_by_column(persons[incomplete], records[incomplete])
        return ratios

    def _column_by_column(self, persons: Labels, records: Labels) -> Vector:
        total = np.zeros(len(persons))
        for j, missing in enumerate(self.missing):
            squares = (self.persons[persons, j] - self.pulled_records[records, j]) ** 2 * (1 + self.alpha)
            total += missing.applied_to(self._log_peak - 0.5 * squares, persons, records)
        return total

    @property
    def is_complete(self) -> bool:
        """Whether no cell is missing, so that the most likely record is the nearest of the whitened ones."""
        return not (self._any_missing[0].any() or self._any_missing[1].any())

    @property
    def _log_peak(self) -> float:
        """Of a column: the log ratio of a pair whose original value is the expected one."""
        return 0.5 * float(np.log((1 + self.alpha) / self.alpha))

    @cached_property
    def _any_missing(self) -> tuple[Mask, Mask]:
        """Of every person and of every record, whether a cell is missing."""
        one, other = (np.any([getattr(m, side) for m in self.missing], axis=0) for side in ("of_persons", "of_records"))
        return one, other

    @property
    def window(self) -> SearchWindow | None:
        complete = [j for j, missing in enumerate(self.missing) if not missing.occur]
        if not complete:
            return None
        windows = (
            SearchWindow.of(self.records[:, j], self.persons[:, j] - SUPPORT, self.persons[:, j] + SUPPORT)
            for j in complete
        )
        return min(windows, key=lambda window: window.mean_size)


def _deviation(basis: Vector) -> float:
    """1 where there is no spread: the method refuses such a stratum."""
    return float(np.std(basis, ddof=1)) or 1.0 if len(basis) > 1 else 1.0


def _given_released(complete: Matrix, method: Noise) -> tuple[Matrix, Matrix]:
    """Of the original values given the released ones, both minus their means: the matrix that gives the expected
    values, and the Cholesky factor of the covariances. As for independent columns where there are too few records."""
    d = complete.shape[1]
    values = covariance(np.ascontiguousarray(complete)) if len(complete) > d else np.eye(d) / method.alpha
    noise = method.alpha * values if method.kind == "correlated" else np.eye(d)
    gain = np.linalg.lstsq(values + noise, values, rcond=None)[0].T.astype(np.float64)
    rest = values - gain @ values
    return gain, cholesky_factor((rest + rest.T) / 2)


def _whitened(values: Matrix, factor: Matrix) -> Matrix:
    """Values times the inverse of a lower triangular factor; a column that depends on those before it tells nothing."""
    tells = np.diag(factor) > 0
    solved = np.linalg.solve(factor + np.diag(~tells), values.T).T.astype(np.float64)
    return solved * tells
