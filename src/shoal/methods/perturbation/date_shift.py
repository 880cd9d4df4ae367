"""Date shift: all dates of a patient, or of another unit, are moved by the same random number of days.

dates of one block, unit of every record -> shifted dates

The intervals between the dates of a unit are preserved exactly: lengths of stay, times until the next stay. The shift
is drawn for every unit with equal probability from -``days`` to ``days``; a record without a unit has its own.

Hripcsak et al. (2016), "Preserving temporal relations in clinical data while maintaining privacy", Journal of the
American Medical Informatics Association 23(6), doi:10.1093/jamia/ocw001.

Where the dates of a column lie on coarser points than days (all of them Mondays), the shift is rounded to these points,
which would otherwise reveal it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.encode.codes import to_codes
from shoal.encode.number_column import NumberColumn, from_numbers
from shoal.errors import PerturbationError
from shoal.kernels import Labels, Matrix, Vector
from shoal.methods.microaggregation.household_groups import HouseholdGroups
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


def date_shift(X: ArrayLike, units: ArrayLike, *, days: int = 30, seed: int = 0) -> Matrix:
    """``X``, numbers of days, with one shift for all dates of a unit; -1: a record without a unit."""
    dates, rule = kernels.as_matrix(X), DateShift(days=days)
    households = HouseholdGroups.of(as_codes(units, "units"))
    if len(households.unit_of) != len(dates):
        raise PerturbationError.other_lengths("X", len(dates), "units", len(households.unit_of))
    return dates + rule.shifts(households, rng_from_seed(seed).for_purpose(rule.name))[:, None]


@dataclass(frozen=True)
class DateShift(PerturbationMethod):
    """A shift of dates as the method of a policy.

    days  a shift is at most this many days, backward or forward
    """

    days: int = 30
    name: Literal["date_shift"] = "date_shift"

    applies_to: ClassVar = ("date",)
    produces_numbers: ClassVar = True
    replaces_all: ClassVar = True
    differs_by_record: ClassVar = False  # within a unit

    def __post_init__(self) -> None:
        if self.days < 1:
            raise PerturbationError.outside("date_shift.days", "1 or more", self.days)

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        shifts = self.shifts(HouseholdGroups.of(_units(table, schema)), rng.for_purpose(self.name))
        for column in self.target_columns(table, schema):
            table = _shifted(table, column, shifts, self.days)
        return table

    def shifts(self, households: HouseholdGroups, draws: RandomStream) -> Vector:
        """(n_records,) the shift of each record's unit, in whole days."""
        of_units = np.floor(draws.random(len(households.members)) * (2 * self.days + 1)) - self.days
        return of_units[households.unit_of]


def _units(table: pa.Table, schema: Schema) -> Labels:
    """(n_records,) the unit of each record, -1 where it has none."""
    unit = schema.unit
    return np.full(len(table), -1, dtype=np.int64) if unit is None else to_codes(unit.name, table[unit.name]).codes


def _shifted(table: pa.Table, column: Column, shifts: Vector, days: int) -> pa.Table:
    """The table with a column moved; raises PerturbationError where no shift of so few ``days`` moves a date."""
    numbers, like = numbers_of(table, column), table[column.name].type
    moved, resolution = shifts * units_of_a_day(like), resolution_of(table, column)
    if resolution is not None:
        step = float(resolution.step)
        if not np.rint(days * units_of_a_day(like) / step):
            raise PerturbationError.short_shift(column.name, days, step / units_of_a_day(like))
        moved = step * np.rint(moved / step)
    return replace_column(table, column.name, from_numbers(NumberColumn(numbers.values + moved, numbers.missing), like))
