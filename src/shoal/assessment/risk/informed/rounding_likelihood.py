"""Unbiased rounding: a value becomes the multiple of the base below or above it, the nearer one more probably."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.assessment.risk.informed.likelihood import Likelihood, Mask, MissingCells, SearchWindow
from shoal.assessment.risk.informed.stratum_values import ColumnValues
from shoal.kernels import Labels, Vector
from shoal.methods.perturbation import Rounding


@dataclass(frozen=True, eq=False)
class RoundingLikelihood(Likelihood):
    """Values in multiples of the base; ``log_shares``: of the records with the same released value."""

    persons: Vector  # (n_original,)
    records: Vector  # (n_released,)
    log_shares: Vector  # (n_released,)
    missing: MissingCells

    @classmethod
    def of(cls, values: ColumnValues, method: Rounding) -> Self:
        multiples = np.rint(values.records / method.base)
        place, counts = np.unique(multiples, return_inverse=True, return_counts=True)[1:]
        shares = np.log(counts / len(multiples))[place]
        return cls((values.name,), values.persons / method.base, multiples, shares, values.missing)

    def possible(self, persons: Labels, records: Labels) -> Mask | None:
        return None if self.missing.occur else np.abs(self.persons[persons] - self.records[records]) < 1

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        chances = np.maximum(1 - np.abs(self.persons[persons] - self.records[records]), 0.0)
        with np.errstate(divide="ignore"):
            ratios = np.log(chances) - self.log_shares[records]
        return self.missing.applied_to(ratios, persons, records)

    @property
    def window(self) -> SearchWindow | None:
        return None if self.missing.occur else SearchWindow.of(self.records, self.persons - 1, self.persons + 1)
