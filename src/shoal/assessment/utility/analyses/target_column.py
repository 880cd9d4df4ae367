"""The predicted column of an analysis, as numbers or as the codes of its values, in both tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.assessment.utility.analyses.model_columns import MOST_LEVELS
from shoal.assessment.utility.column_classes import CategoryClasses, Membership
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.correlation_change import number_matrix
from shoal.errors import TableError
from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class TargetColumn:
    """``before``, ``after``: numbers, or codes of ``levels``; NaN where missing."""

    name: str
    before: Vector
    after: Vector
    levels: tuple[str, ...]  # of a category or a number with two values; none of other numbers
    notes: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        return not self.levels


def target_column(records: ComparedRecords, name: str, training: Labels, fewest: int) -> TargetColumn:
    """Raises TableError where the release does not say which value a record has."""
    if name not in records.numeric:
        return _category(records, name, training, fewest)
    before = number_matrix(records.before, [name])[:, 0]
    after = number_matrix(records.single_valued, [name])[:, 0]
    values = np.unique(before[training][~np.isnan(before[training])])
    if len(values) == 2:
        return _two_numbers(name, before, after, values)
    notes = (f"'{name}' is released as intervals, and their middles are explained.",)
    return TargetColumn(name, before, after, (), notes if name in records.by_extents else ())


def _two_numbers(name: str, before: Vector, after: Vector, values: Vector) -> TargetColumn:
    known = after[~np.isnan(after)]
    if not np.isin(known, values).all():
        raise TableError.blurred_target(name, 100 * float((~np.isin(known, values)).mean()))
    first, second = (np.where(np.isnan(each), np.nan, each == values[1]) for each in (before, after))
    return TargetColumn(name, first, second, tuple(f"{value:g}" for value in values))


def _category(records: ComparedRecords, name: str, training: Labels, fewest: int) -> TargetColumn:
    classes = CategoryClasses.of(records.schema[name], records.before[name].take(training), MOST_LEVELS, fewest)
    before = classes.membership(records.before[name], by_extents=False)
    after = classes.membership(records.after[name], by_extents=name in records.by_extents)
    states = after.of(slice(None))
    is_blurred = (states.max(axis=1) < 1 - 1e-9) if len(states) else np.zeros(0, dtype=bool)
    if is_blurred.any():
        raise TableError.blurred_target(name, 100 * float(is_blurred.mean()))
    occurs = np.flatnonzero(before.take(training).margin[:-1] > 0)
    levels = tuple(classes.names[at] for at in occurs.tolist())
    return TargetColumn(name, _codes(before, occurs), _codes(after, occurs), levels)


def _codes(members: Membership, occurs: Labels) -> Vector:
    """The number of the level of every record; NaN where it is missing or did not occur in training."""
    numbers = np.full(members.shares.shape[1], np.nan)
    numbers[occurs] = np.arange(len(occurs))
    of_state: Vector = numbers[members.shares.argmax(axis=1)]
    return of_state[members.states]
