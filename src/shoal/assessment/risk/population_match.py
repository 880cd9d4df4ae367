"""Which persons of a population each class of a release may hold, by one column after the other.

A class may hold a person if each of its cells holds the value of the person: an interval, span, node or set that
contains it, or else an equal value. ``*`` may be any value, and so may a missing cell of a column in which cells were
blanked; elsewhere a missing cell holds those whose value is missing.

Columns in which every value of the population is in at most one cell, as in all but overlapping extents, are compared
by numbers; only for the others every combination of the population is compared with every class."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.assessment.risk.containment import Mask, extents_and_values
from shoal.assessment.utility.extent_values import ExtentColumn, to_days
from shoal.encode.codes import codes_in, to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import are_numbers
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import number_combinations
from shoal.plan import AnyExtent, MissingExtent
from shoal.schema import Column, Schema

Cells: TypeAlias = "pa.ChunkedArray[Any]"

BATCH_SIZE = 10_000_000  # combinations of the population times classes
NOWHERE = -2  # number of a value that is in no cell


@dataclass(frozen=True, eq=False)
class ColumnMatch:
    """One column: the number of the value of each combination of the population, and of the cell of each class.

    contains  (n_values + 1, n_cells + 1) which cells hold which values, the last row and column for missing ones; None:
              those with the same number
    is_blanked  missing cells may be any value
    """

    population: Labels  # (n_combinations,) -1 where missing
    classes: Labels  # (n_classes,) -1 where missing
    contains: Mask | None = None
    is_blanked: bool = False

    @classmethod
    def of(
        cls, column: Column, population: Cells, classes: Cells, *, by_extents: bool, is_blanked: bool
    ) -> ColumnMatch:
        is_open = is_blanked and classes.null_count > 0
        if by_extents:
            return _extents(column, population, classes, is_open)._by_numbers()
        return cls(*_shared_numbers(column, population, classes), is_blanked=is_open)

    @property
    def is_by_numbers(self) -> bool:
        """Whether equal numbers are all that matters."""
        return self.contains is None and not self.is_blanked

    def matches(self, rows: slice) -> Mask:
        """(n_rows, n_classes) which classes may hold which combinations."""
        if self.contains is not None:
            return self.contains[self.population[rows]][:, self.classes]
        found: Mask = (self.population[rows, None] == self.classes[None, :]) | (self.classes == -1)
        return found

    def _by_numbers(self) -> ColumnMatch:
        """The same without a table, where every value is in one cell at most."""
        if self.contains is None or (self.contains.sum(axis=1) > 1).any():
            return self
        n_cells = self.contains.shape[1] - 1  # number of a missing one
        cell_of = np.where(self.contains.any(axis=1), self.contains.argmax(axis=1), NOWHERE)
        return ColumnMatch(cell_of[self.population], np.where(self.classes < 0, n_cells, self.classes))


def _extents(column: Column, population: Cells, classes: Cells, is_open: bool) -> ColumnMatch:
    """With a row for missing values and a column for missing cells. ``is_open``: these may be any value."""
    cells = ExtentColumn.of(column, classes)
    values, known = extents_and_values(column, population, cells.extents)
    contains = known.contain(np.arange(int(values.max(initial=-1)) + 1)[:, None], np.arange(len(cells.extents))[None])
    is_any, is_missing = (
        np.array([isinstance(extent, kind) for extent in cells.extents], dtype=np.bool_)
        for kind in (AnyExtent, MissingExtent)
    )
    table = np.pad((contains & ~is_missing) | is_any, ((0, 1), (0, 1)), constant_values=is_open)
    table[-1] = np.append(is_any | is_missing, True)
    return ColumnMatch(values, cells.of_record, table)


def _shared_numbers(column: Column, population: Cells, classes: Cells) -> tuple[Labels, Labels]:
    """Numbers of both that are equal where the values are; -1 where missing."""
    if column.kind in ("numeric", "date") and are_numbers(population, classes):
        both = [to_days(column.name, cells) for cells in (population, classes)]
        numbers = np.unique(np.concatenate([one.values for one in both]), return_inverse=True)[1]
        missing = np.concatenate([one.missing for one in both])
        shared = np.where(missing, -1, numbers).astype(np.int64)
        return shared[: len(population)], shared[len(population) :]
    own = to_codes(column.name, classes)
    return codes_in(own, to_codes(column.name, population)), own.codes


@dataclass(frozen=True, eq=False)
class PopulationMatch:
    """Combinations of a population and classes of a release, with the columns by which they match."""

    n_population: Vector  # (n_combinations,) persons
    n_classes: int
    places: Labels  # (n_combinations,) the class of each, where columns are compared by numbers only; -1: none
    keys: tuple[Labels, Labels]  # numbers of all columns that have no table, of combinations and of classes
    tables: tuple[ColumnMatch, ...]

    @classmethod
    def of(
        cls,
        population: CountTable,
        classes: CountTable,
        schema: Schema,
        by_extents: Collection[str] = (),
        blanked: Collection[str] = (),
    ) -> PopulationMatch:
        """``by_extents``: columns released as extents; ``blanked``: those in which a missing cell may be any value."""
        names = schema.quasi_identifiers
        found = [
            ColumnMatch.of(
                schema[name],
                population[name],
                classes[name],
                by_extents=name in by_extents,
                is_blanked=name in blanked,
            )
            for name in names
        ]
        n_rows = len(population) + len(classes)
        equal = [np.concatenate([one.population, one.classes]) for one in found if one.is_by_numbers]
        keys = number_combinations(equal, n_rows)
        own, of_classes = keys[: len(population)], keys[len(population) :]
        tables = tuple(one for one in found if not one.is_by_numbers)
        return cls(population.n.astype(np.float64), len(classes), _places(own, of_classes), (own, of_classes), tables)

    @property
    def n_compared(self) -> int:
        return len(self.n_population) * self.n_classes if self.tables else 0

    def persons_of_classes(self) -> Vector:
        """(n_classes,) persons of the population that each class may hold."""
        if not self.tables:
            is_in = self.places >= 0
            inside = np.bincount(self.places[is_in], self.n_population[is_in], minlength=self.n_classes)
            return inside.astype(np.float64)
        found = np.zeros(self.n_classes)
        for rows, matches in self._batches():
            found += self.n_population[rows] @ matches
        return found

    def sums_over_classes(self, of_class: Vector) -> Vector:
        """(n_combinations,) the sum of ``of_class`` over the classes that may hold each combination."""
        if not self.tables:
            return np.append(of_class, 0.0)[self.places]
        return np.concatenate([matches @ of_class for _, matches in self._batches()])

    def _batches(self) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        own, of_classes = self.keys
        step = max(1, BATCH_SIZE // max(1, self.n_classes))
        for start in range(0, len(own), step):
            rows = slice(start, start + step)
            matches = own[rows, None] == of_classes[None, :]
            for table in self.tables:
                matches &= table.matches(rows)
            yield rows, matches.astype(np.float64)


def n_table_cells(population: CountTable, classes: CountTable, by_extents: Collection[str]) -> int:
    """Cells of the largest table of values and extents that the columns ``by_extents`` need."""
    shared = [name for name in by_extents if name in classes.names]
    return max((len(population[name].unique()) * len(classes[name].unique()) for name in shared), default=0)


def _places(own: Labels, of_classes: Labels) -> Labels:
    """The class with the same number; classes with the same numbers are the same class only without further columns."""
    place_of = np.full(int(max(own.max(initial=-1), of_classes.max(initial=-1))) + 1, -1, dtype=np.int64)
    place_of[of_classes] = np.arange(len(of_classes))
    return place_of[own]
