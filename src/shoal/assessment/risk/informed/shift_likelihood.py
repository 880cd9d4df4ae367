"""Date shift: all dates of a record moved by the same number of days, every possible shift with equal probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.assessment.risk.informed.likelihood import Likelihood, Mask, MissingCells, SearchWindow
from shoal.assessment.risk.informed.stratum_values import ColumnValues
from shoal.kernels import Labels, Matrix, Vector
from shoal.methods.perturbation import DateShift


@dataclass(frozen=True, eq=False)
class ShiftLikelihood(Likelihood):
    """Dates in days."""

    persons: Matrix  # (n_original, d)
    records: Matrix  # (n_released, d)
    days: int
    step: int
    missing: tuple[MissingCells, ...]

    @classmethod
    def of(cls, columns: Sequence[ColumnValues], units: Sequence[int], method: DateShift) -> Self:
        """``units``: of a day, in which each column is counted."""
        persons, records = (
            np.column_stack([getattr(c, side) / unit for c, unit in zip(columns, units, strict=True)])
            for side in ("persons", "records")
        )
        names = tuple(column.name for column in columns)
        return cls(names, persons, records, method.days, method.step, tuple(c.missing for c in columns))

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        """0 where one possible shift moves all known dates, minus infinity elsewhere."""
        ratios, shift = np.zeros(len(persons)), np.full(len(persons), np.nan)
        for j, missing in enumerate(self.missing):
            moved = np.rint(self.records[records, j] - self.persons[persons, j])
            possible = (np.abs(moved) <= self.days) & (moved % self.step == 0) & (np.isnan(shift) | (shift == moved))
            ratios += missing.applied_to(np.where(possible, 0.0, -np.inf), persons, records)
            known = ~(missing.of_persons[persons] | missing.of_records[records])
            shift = np.where(known & np.isnan(shift), moved, shift)
        return ratios

    def members_fit(self, ours: Labels, theirs: Labels) -> Mask | None:
        """Households have one shift, which also moves their first date."""
        fits = np.ones((*ours.shape, ours.shape[1]), dtype=np.bool_)
        for j in (j for j, missing in enumerate(self.missing) if not missing.occur):
            before, after = self.persons[ours, j], self.records[theirs, j]
            shift = np.rint(after.min(axis=1) - before.min(axis=1))
            fits &= np.rint(after[:, None, :] - before[:, :, None]) == shift[:, None, None]
        return fits

    @property
    def window(self) -> SearchWindow | None:
        if self.missing[0].occur:
            return None
        first = self.persons[:, 0]
        return SearchWindow.of(self.records[:, 0], first - self.days, first + self.days)
