"""Columns whose released value follows from what the intruder holds: unchanged, rounded, coded, or grouped again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.assessment.risk.informed.likelihood import Likelihood, Mask, MissingCells, SearchWindow
from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class EqualityLikelihood(Likelihood):
    """Labels of values, equal where the values are; a record with another label than expected is excluded. A label of
    -2 equals none."""

    persons: Labels  # (n_original,) of the value expected in the release
    records: Labels  # (n_released,) of the released value
    missing: MissingCells

    def possible(self, persons: Labels, records: Labels) -> Mask | None:
        return None if self.missing.occur else self.persons[persons] == self.records[records]

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        """A match on a rare value counts more than one on a frequent one, or a blank."""
        labels = self.records[records]
        ratios = np.where(self.persons[persons] == labels, -self._log_shares[labels], -np.inf)
        return self.missing.applied_to(ratios, persons, records)

    @cached_property
    def _log_shares(self) -> Vector:
        """(n_labels,) logarithm of the share of the records with each label."""
        counts = np.bincount(np.maximum(self.records, 0), minlength=int(self.persons.max(initial=0)) + 1)
        shares: Vector = np.log(np.maximum(counts, 1) / len(self.records))
        return shares

    @property
    def window(self) -> SearchWindow | None:
        if self.missing.occur and (self.missing.blanks or self.missing.imputed):
            return None
        return SearchWindow.of(self.records, self.persons, self.persons)
