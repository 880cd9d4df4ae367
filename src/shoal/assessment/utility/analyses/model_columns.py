"""Columns of original and release as a model takes them: numbers, and categories as shares of their levels.

A number that is released as an interval is its middle. A category that is released as a node or set has a share of each
of its values, so that no record is lost. Rare categories are one level; the most frequent one is the reference. As in
other languages of formulas, a category has no effect of its reference in a term whose other columns are a term, too (of
age + age:sex, the slope of the reference is that of age); without it, every level has its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from shoal.assessment.utility.column_classes import CategoryClasses
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.correlation_change import number_matrix
from shoal.kernels import Labels, Matrix

MOST_LEVELS = 30


@dataclass(frozen=True, eq=False)
class ModelColumn:
    """A column of one table. ``values``: (n_records, n_effects), NaN in a record whose value is missing."""

    names: tuple[str, ...]  # (n_effects,)
    values: Matrix
    reference: int | None = None  # the effect of the reference, of a category

    @property
    def without_reference(self) -> ModelColumn:
        if self.reference is None:
            return self
        others = [at for at in range(len(self.names)) if at != self.reference]
        return ModelColumn(tuple(self.names[at] for at in others), self.values[:, others])

    @property
    def known(self) -> NDArray[np.bool_]:
        return np.asarray(~np.isnan(self.values).any(axis=1))

    def times(self, other: ModelColumn) -> ModelColumn:
        """The interaction of two columns."""
        products = self.values[:, :, None] * other.values[:, None, :]
        names = tuple(f"{one}:{two}" for one in self.names for two in other.names)
        return ModelColumn(names, products.reshape(len(products), -1))


ColumnPair = tuple[ModelColumn, ModelColumn]  # before, after


def model_column(records: ComparedRecords, name: str, training: Labels, fewest: int) -> ColumnPair:
    """The column in both tables. ``training``: original records that decide the levels; ``fewest``: records that a
    level has at least."""
    if name in records.numeric:
        before, after = number_matrix(records.before, [name]), number_matrix(records.single_valued, [name])
        return ModelColumn((name,), before), ModelColumn((name,), after)
    column, by_extents = records.schema[name], name in records.by_extents
    classes = CategoryClasses.of(column, records.before[name].take(training), MOST_LEVELS, fewest)
    members = classes.membership(records.before[name], by_extents=False)
    released = classes.membership(records.after[name], by_extents=by_extents)
    margin = members.take(training).margin[:-1]
    shown = np.flatnonzero(margin > 0).tolist()
    names = tuple(f"{name} = {classes.names[at]}" for at in shown)
    reference = shown.index(int(np.argmax(margin))) if shown else None
    first, second = (_levels(each.of(slice(None)), shown) for each in (members, released))
    return ModelColumn(names, first, reference), ModelColumn(names, second, reference)


def _levels(shares: Matrix, shown: Sequence[int]) -> Matrix:
    """Shares of the levels that are shown; NaN where the value is missing, the last class."""
    chosen: Matrix = np.where(shares[:, -1:] > 0, np.nan, shares[:, list(shown)])
    return chosen


def design_matrices(columns: dict[str, ColumnPair], terms: Sequence[Sequence[str]]) -> ColumnPair:
    """The design of a formula in both tables: the intercept, then the effects of every term."""
    stated = {frozenset[str](), *map(frozenset, terms)}

    def effects(term: Sequence[str], side: int) -> ModelColumn:
        found = ((columns[name][side], frozenset(term) - {name}) for name in term)
        return reduce(ModelColumn.times, (each.without_reference if rest in stated else each for each, rest in found))

    def design(side: int) -> ModelColumn:
        of_terms = [effects(term, side) for term in terms]
        n = len(next(iter(columns.values()))[side].values)
        names = ("intercept", *(name for each in of_terms for name in each.names))
        return ModelColumn(names, np.hstack([np.ones((n, 1)), *(each.values for each in of_terms)]))

    return design(0), design(1)
