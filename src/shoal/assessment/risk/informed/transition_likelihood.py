"""PRAM: the posterior of every value by the published matrix.

Which value a released one came from follows from Bayes' rule: the probability of the transition times the share of the
original value, divided by the share of the released value. Among the records of one person the share of the original
value is constant, so the ratio of transition probability and share of the released value is what orders them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from shoal.assessment.risk.informed.likelihood import Likelihood, MissingCells
from shoal.assessment.risk.informed.stratum_values import ColumnValues
from shoal.encode.codes import Codes
from shoal.kernels import Labels, Vector
from shoal.methods.perturbation import Pram
from shoal.schema import Column

MOST_RATIOS = 20_000_000  # strata times squares of the number of values


@dataclass(frozen=True, eq=False)
class TransitionLikelihood(Likelihood):
    ratios: NDArray[np.float64]  # (n_strata, n_values, n_values) log ratio of becoming a value, by original value
    strata: Labels  # (n_original,)
    persons: Labels  # (n_original,) code; 0 where missing
    records: Labels  # (n_released,)
    missing: MissingCells

    @classmethod
    def of(cls, values: ColumnValues, domain: Codes, column: Column, method: Pram, strata: Labels) -> Self | None:
        """None where there are too many values and strata for their matrices. ``domain``: the values of all codes."""
        n = domain.n_values
        if len(values.strata) * n * n > MOST_RATIOS:
            return None
        ratios = np.full((len(values.strata), n, n), -np.inf)
        for at, stratum in enumerate(values.strata):
            occurring, codes = np.unique(stratum.basis.astype(np.int64), return_inverse=True)
            if len(occurring):
                of_stratum = Codes(codes.astype(np.int64), domain.values.take(occurring))
                ratios[at][np.ix_(occurring, occurring)] = _log_ratios(column, of_stratum, method)
        persons, records = (each.astype(np.int64) for each in (values.persons, values.records))
        return cls((values.name,), ratios, strata, persons, records, values.missing)

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        ratios = self.ratios[self.strata[persons], self.persons[persons], self.records[records]]
        return self.missing.applied_to(ratios, persons, records)


def _log_ratios(column: Column, codes: Codes, method: Pram) -> NDArray[np.float64]:
    matrix = method.matrix(column, codes)
    shares = np.bincount(codes.codes, minlength=codes.n_values) / len(codes.codes)
    with np.errstate(divide="ignore"):
        found: NDArray[np.float64] = np.log(matrix) - np.log(shares @ matrix)
    return np.where(matrix > 0, found, -np.inf)
