"""Additive noise: random numbers of a declared variance are added to every value.

arrays of one block -> masked columns

Kim (1986), "A method for limiting disclosure in microdata based on random noise and transformation", ASA Survey
Research Methods; Brand (2002), "Microdata protection through noise addition".

independent  the noise of a column is normal with ``alpha`` times the variance of the column
correlated   the noise of a record is normal with ``alpha`` times the covariances of the columns, so that correlations
             are preserved in expectation
corrected    the masked values are shrunk toward the mean by 1 / sqrt(1 + alpha), and the noise sums to zero in every
             column: means are preserved, and variances (for correlated noise all covariances) in expectation

Where Brand estimates the correction from the masked data, we compute it from the known alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal import kernels
from shoal.encode.covariance import cholesky_factor, covariance
from shoal.encode.number_column import NumberColumn
from shoal.errors import PerturbationError, PolicyError
from shoal.kernels import Matrix
from shoal.methods.perturbation.perturbation_method import (
    NUMBERS,
    PerturbationMethod,
    numbers_of,
    rng_from_seed,
    with_rounded_numbers,
)
from shoal.rng import RandomStream, Rng
from shoal.schema import Schema

NoiseKind = Literal["independent", "correlated"]


def noise(
    X: ArrayLike, *, alpha: float = 0.1, kind: NoiseKind = "independent", corrected: bool = False, seed: int = 0
) -> Matrix:
    """``X`` plus noise whose variance is ``alpha`` times that of the columns."""
    records = kernels.as_matrix(X)
    rule = Noise(alpha=alpha, kind=kind, corrected=corrected)
    names = [f"column {j}" for j in range(records.shape[1])]
    return rule.mask(records, np.ones(records.shape, dtype=bool), names, rng_from_seed(seed).for_purpose(rule.name))


@dataclass(frozen=True)
class Noise(PerturbationMethod):
    """Noise as the method of a policy.

    alpha      variance of the noise divided by the variance of the column
    kind       independent, or correlated like the columns themselves
    corrected  preserve means and variances
    """

    alpha: float = 0.1
    kind: NoiseKind = "independent"
    corrected: bool = False
    name: Literal["noise"] = "noise"

    applies_to: ClassVar = NUMBERS
    produces_numbers: ClassVar = True
    replaces_all: ClassVar = True

    def __post_init__(self) -> None:
        if not 0 < self.alpha < float("inf"):
            raise PerturbationError.outside("noise.alpha", "a finite number above 0", self.alpha)
        if self.kind not in get_args(NoiseKind):
            raise PolicyError.unknown_choice("noise.kind", self.kind, get_args(NoiseKind))

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        chosen = self.target_columns(table, schema)
        columns = [numbers_of(table, column) for column in chosen]
        X = np.column_stack([column.values for column in columns])
        known = np.column_stack([~column.missing for column in columns])
        names = [f"columns.{column.name}" for column in chosen]
        masked = self.mask(X, known, names, rng.for_purpose(self.name))
        for j, column in enumerate(chosen):
            table = with_rounded_numbers(table, column, NumberColumn(masked[:, j], ~known[:, j]))
        return table

    def mask(self, X: Matrix, known: NDArray[np.bool_], names: list[str], draws: RandomStream) -> Matrix:
        """(n, d) the known values with noise added; the others are unchanged."""
        factor = self._factor(X, known, names)
        normal = draws.normal(X.shape)
        released = X.copy()
        for j in range(X.shape[1]):
            added = np.zeros(len(X))
            for i in range(j + 1):  # column by column, in order: the same sums on every machine
                added += factor[j, i] * normal[:, i]
            released[known[:, j], j] = self._column(X[known[:, j], j], added[known[:, j]])
        return released

    def _column(self, values: NDArray[np.float64], added: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.corrected:
            return values + added
        mean, surplus = _mean(values), _mean(added)
        return mean + ((values - mean) + (added - surplus)) * float(1 / np.sqrt(1 + self.alpha))

    def _factor(self, X: Matrix, known: NDArray[np.bool_], names: list[str]) -> Matrix:
        """Lower triangular (d, d): the factor by which independent normal numbers are multiplied."""
        if self.kind == "correlated":
            complete = np.ascontiguousarray(X[known.all(axis=1)])
            if len(complete) < 2:
                raise PerturbationError.too_few("correlated noise", 2, len(complete))
            covariances = covariance(complete)
        else:
            covariances = np.diag([_variance(X[known[:, j], j], names[j]) for j in range(X.shape[1])])
        for name, variance in zip(names, np.diag(covariances), strict=True):
            if variance == 0:
                raise PerturbationError.no_spread(name)
        return cholesky_factor(self.alpha * covariances)


def _mean(values: NDArray[np.float64]) -> float:
    return float(kernels.column_sums(np.ascontiguousarray(values[:, None]))[0]) / len(values)


def _variance(values: NDArray[np.float64], name: str) -> float:
    if len(values) < 2:
        raise PerturbationError.too_few(name, 2, len(values))
    return float(covariance(np.ascontiguousarray(values[:, None]))[0, 0])
