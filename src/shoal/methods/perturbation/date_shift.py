"""Date shift: all dates of a patient, or of another unit, are moved by the same random number of days.

dates of one block, unit of every record -> shifted dates

The intervals between the dates of a unit are preserved exactly: lengths of stay, times until the next stay. The shift
is drawn for every unit with equal probability from the multiples of ``step`` between -``days`` and ``days``; a record
without a unit has its own.

Hripcsak et al. (2016), "Preserving temporal relations in clinical data while maintaining privacy", Journal of the
American Medical Informatics Association 23(6), doi:10.1093/jamia/ocw001.

Where the dates of a column lie on coarser points than days (all of them Mondays), all columns of the rule are shifted
by multiples of these; any other shift could be seen. A column whose dates mostly lie on one day of the month or of the
week is refused: no number of days preserves months.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import NumberColumn, from_numbers, is_time, to_numbers
from shoal.errors import PerturbationError
from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.methods.perturbation.calendar_pattern import DAYS_OF_A_WEEK, CalendarPattern
from shoal.methods.perturbation.perturbation_method import (
    PerturbationMethod,
    as_codes,
    numbers_of,
    replace_column,
    resolution_of,
    rng_from_seed,
)
from shoal.rng import RandomStream, Rng
from shoal.schema import Column, Schema
from shoal.schema.time_unit import units_of_a_day


def date_shift(X: ArrayLike, units: ArrayLike, *, days: int = 30, step: int = 1, seed: int = 0) -> Matrix:
    """``X``, numbers of days, with one shift for all dates of a unit; -1: a record without a unit."""
    dates, rule = kernels.as_matrix(X), DateShift(days=days, step=step)
    households = HouseholdGroups.of(as_codes(units, "units"))
    if len(households.unit_of) != len(dates):
        raise PerturbationError.other_lengths("X", len(dates), "units", len(households.unit_of))
    return dates + rule.shifts(households, rng_from_seed(seed).for_purpose(rule.name), step)[:, None]


@dataclass(frozen=True)
class DateShift(PerturbationMethod):
    """A shift of dates as the method of a policy.

    days  a shift is at most this many days, backward or forward
    step  a shift is a multiple of this many days; 7 preserves days of the week
    """

    days: int = 30
    step: int = 1
    name: Literal["date_shift"] = "date_shift"

    applies_to: ClassVar = ("date",)
    produces_numbers: ClassVar = True
    replaces_all: ClassVar = True
    differs_by_record: ClassVar = False  # within a unit

    def __post_init__(self) -> None:
        if self.days < 1:
            raise PerturbationError.outside("date_shift.days", "1 or more", self.days)
        if not 1 <= self.step <= self.days:
            raise PerturbationError.outside("date_shift.step", f"from 1 to days = {self.days}", self.step)

    @property
    def shift_of_dates(self) -> DateShift:
        return self

    def check_calendar(self, column: Column, unit_counts: CountTable) -> None:
        """Raises an error where the days of a column reveal the shift. ``unit_counts``: of its values and units."""
        if not is_time(unit_counts.values.type):
            return
        known = unit_counts.known
        found = CalendarPattern.of(*_days(column, known))
        if found is None or (
            found.keeps_weeks and self._common_step([column], known.combinations) % DAYS_OF_A_WEEK == 0
        ):
            return
        raise PerturbationError.calendar_pattern(column.name, found.calendar, found.share, found.n_days)

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        columns = self.target_columns(table, schema)
        step = self._common_step(columns, table)
        if step > self.days:
            raise PerturbationError.step_beyond_days([column.name for column in columns], step, self.days)
        shifts = self.shifts(HouseholdGroups.of(_units(table, schema)), rng.for_purpose(self.name), step)
        for column in columns:
            table = _shifted(table, column, shifts)
        return table

    def shifts(self, households: HouseholdGroups, draws: RandomStream, step: int) -> Vector:
        """(n_records,) the shift of each record's unit, in whole days."""
        n_steps = self.days // step
        of_units = np.floor(draws.random(len(households.members)) * (2 * n_steps + 1)) - n_steps
        return step * of_units[households.unit_of]

    def _common_step(self, columns: Sequence[Column], table: pa.Table) -> int:
        """The least number of days that is a multiple of ``step`` and of the steps of all columns."""
        steps = [found for column in columns if (found := _step_in_days(column, table))]
        return lcm(self.step, *(step.numerator for step in steps))  # of a fraction a / b of a day, a days


def _units(table: pa.Table, schema: Schema) -> Labels:
    """(n_records,) the unit of each record, -1 where it has none."""
    unit = schema.unit
    return np.full(len(table), -1, dtype=np.int64) if unit is None else to_codes(unit.name, table[unit.name]).codes


def _days(column: Column, unit_counts: CountTable) -> tuple[Ints, Ints]:
    """(n_dates,) days since 1970, and how many units have each; a record without a unit is one of its own."""
    values = to_numbers(column.name, unit_counts.values)
    days = np.floor(values.values / units_of_a_day(unit_counts.values.type)).astype(np.int64)
    has_unit = unit_counts.combinations.column(1).is_valid().to_numpy() if len(unit_counts.names) > 1 else False
    return days, np.where(has_unit, 1, unit_counts.n)


def _step_in_days(column: Column, table: pa.Table) -> Fraction | None:
    resolution = resolution_of(table, column)
    return resolution.step / units_of_a_day(table[column.name].type) if resolution else None


def _shifted(table: pa.Table, column: Column, shifts: Vector) -> pa.Table:
    numbers, like = numbers_of(table, column), table[column.name].type
    moved = numbers.values + shifts * units_of_a_day(like)
    return replace_column(table, column.name, from_numbers(NumberColumn(moved, numbers.missing), like))
