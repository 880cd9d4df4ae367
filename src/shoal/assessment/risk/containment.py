"""Linkage by extents: the intruder keeps the records whose extents contain the person, and draws one of them.

persons, a release of intervals, spans, nodes or sets -> Links

A generalized person is contained in their own class, so this is the strongest attack on disjoint classes: its risk is
the mean of 1 / (records of the class), and less where classes overlap. A person is compared with every class once, not
with every record.

Columns that are released as they are count as well: a record has the value of the person, or not.

Records that could be anybody, ``*`` in every column, are drawn from only where no other record contains the person:
their own class has fewer records, and if it exists, most of those whom it contains are in it.

A value that is missing in the original is missing in the release, or ``*``, and an intruder who holds the original uses
that. Where known values were blanked as well, or missing ones filled in, a missing value on either side may be any.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.assessment.table_pair import AlignedTables
from shoal.assessment.utility.extent_values import CategoryValues, ExtentColumn
from shoal.encode.codes import to_codes
from shoal.encode.number_column import to_numbers
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import classes_by_first_row
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import household_numbers, person_weights
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import join_column
from shoal.linkage.record_links import Links
from shoal.plan import AnyExtent, Extent, Interval
from shoal.schema import Column, Schema
from shoal.schema.time_unit import units_of_a_day

Cells: TypeAlias = "pa.ChunkedArray[Any]"
Mask = NDArray[np.bool_]

BATCH_SIZE = 10_000_000  # persons times classes


@dataclass(frozen=True, eq=False)
class Intervals:
    """Numbers and intervals. A table of all of both would be too large where a column has many of each."""

    numbers: Vector  # (n_values,) ascending
    low: Vector  # (n_extents + 1,) the last one, for a missing cell, contains nothing
    high: Vector
    is_closed: Mask

    @classmethod
    def of(cls, column: Column, persons: Cells, extents: Sequence[Extent]) -> tuple[Labels, Intervals]:
        """The number of each person, -1 where missing; an extent that is no interval contains every number."""
        cells = to_numbers(column.name, persons)
        numbers, places = np.unique(cells.values / units_of_a_day(persons.type), return_inverse=True)
        ends = [*(e if isinstance(e, Interval) else Interval(None, None) for e in extents), Interval(np.inf, None)]
        low = np.array([-np.inf if e.low is None else e.low for e in ends], dtype=np.float64)
        high = np.array([np.inf if e.high is None else e.high for e in ends], dtype=np.float64)
        is_closed = np.array([e.closed for e in ends], dtype=np.bool_)
        return np.where(cells.missing, -1, places), cls(numbers, low, high, is_closed)

    def contain(self, values: Labels, extents: Labels) -> Mask:
        """Which of ``extents`` contain which of ``values``, by their numbers; both are broadcast."""
        number, high = self.numbers[values], self.high[extents]
        found: Mask = (self.low[extents] <= number) & ((number < high) | (self.is_closed[extents] & (number == high)))
        return found


@dataclass(frozen=True, eq=False)
class Categories:
    """Categories, and spans, nodes or sets."""

    table: Mask  # (n_values + 1, n_extents + 1) the last ones, of missing cells, contain nothing

    @classmethod
    def of(cls, column: Column, persons: Cells, extents: Sequence[Extent]) -> tuple[Labels, Categories]:
        codes = to_codes(column.name, persons, column.order)
        code_of = {text: code for code, text in enumerate(codes.texts)}
        table = np.zeros((codes.n_values + 1, len(extents) + 1), dtype=np.bool_)
        domain = CategoryValues(column, codes)
        for at, extent in enumerate(extents):
            table[[code_of[value] for value in domain.values_in(extent) if value in code_of], at] = True
        return codes.codes, cls(table)

    def contain(self, values: Labels, extents: Labels) -> Mask:
        """Which of ``extents`` contain which of ``values``, by their numbers; both are broadcast."""
        found: Mask = self.table[values, extents]
        return found


class SameValues:
    """Values that were released as they are, with codes that persons and records share."""

    def contain(self, values: Labels, extents: Labels) -> Mask:
        found: Mask = values == extents
        return found


def extents_and_values(
    column: Column, persons: Cells, extents: Sequence[Extent]
) -> tuple[Labels, Intervals | Categories]:
    """The number of each person's value, -1 where missing, and which extents contain which values."""
    return (Intervals if column.kind in ("numeric", "date") else Categories).of(column, persons, extents)


@dataclass(frozen=True, eq=False)
class Containment:
    """One column: which extents contain which values."""

    known: Intervals | Categories | SameValues
    is_any: Mask  # (n_extents + 1,) extents that may be any value; the last entry is for a missing cell
    is_open: bool  # a missing value on either side may be any
    values: Labels  # (n_persons,) -1 where missing
    extents: Labels  # (n_released,) -1 where missing

    @classmethod
    def of(cls, column: Column, persons: Cells, released: Cells, truth: Labels) -> Containment:
        extent_column = ExtentColumn.of(column, released)
        values, known = extents_and_values(column, persons, extent_column.extents)
        is_any = np.array([*(isinstance(e, AnyExtent) for e in extent_column.extents), True], dtype=np.bool_)
        released_extents = extent_column.of_record[truth[truth >= 0]]
        is_open = not _missing_cells_unchanged(values[truth >= 0], released_extents, is_any)
        return cls(known, is_any, is_open, values, extent_column.of_record)

    @classmethod
    def of_unchanged(cls, column: Column, persons: Cells, released: Cells) -> Containment:
        """A column that is released as it is: a missing value is only in a missing cell."""
        codes = to_codes(column.name, join_column(column.name, persons, released))
        is_any = np.append(np.zeros(codes.n_values, dtype=np.bool_), True)
        return cls(SameValues(), is_any, False, codes.codes[: len(persons)], codes.codes[len(persons) :])

    def contain_all(self, extents: Labels) -> Mask:
        """Which of ``extents``, by their numbers, contain every value."""
        return np.where(extents >= 0, self.is_any[extents], self.is_open)

    def contain(self, values: Labels, extents: Labels) -> Mask:
        """Which of ``extents`` contain which of ``values``, by their numbers; both are broadcast."""
        found: Mask = self.known.contain(values, extents) | self.is_any[extents]
        is_known = (values >= 0) & (extents >= 0)
        if is_known.all():
            return found
        missing = np.where(values >= 0, self.is_open, self.is_any[extents] | self.is_open)
        return np.where(is_known, found, missing)


def _missing_cells_unchanged(values: Labels, released_extents: Labels, is_open: Mask) -> bool:
    """Whether no known value was blanked and no missing one filled in. ``is_open``: whether an extent may be any value;
    the last entry is for a missing cell."""
    blanked = (values >= 0) & (released_extents < 0)
    filled = (values < 0) & ~is_open[released_extents]
    return not (blanked | filled).any()


def containment_linkage(
    persons: pa.Table, released: pa.Table, schema: Schema, truth: Labels, unchanged: Collection[str] = ()
) -> Links:
    """By the quasi-identifiers of ``schema``, released as extents or ``unchanged``; ``truth``: -1 where there is no
    record."""
    columns = [
        Containment.of_unchanged(schema[name], persons[name], released[name])
        if name in unchanged
        else Containment.of(schema[name], persons[name], released[name], truth)
        for name in schema.quasi_identifiers
    ]
    class_of, firsts = classes_by_first_row([column.extents for column in columns], len(released))
    sizes = np.bincount(class_of)
    could_be_anybody = np.all([column.contain_all(column.extents[firsts]) for column in columns], axis=0)
    true_classes = np.where(truth >= 0, class_of[truth], -1)
    n_matches, is_match = np.zeros(len(persons), dtype=np.int64), np.zeros(len(persons), dtype=np.bool_)
    records = np.full(len(persons), -1, dtype=np.int64)
    step = max(1, BATCH_SIZE // len(sizes))
    for start in range(0, len(persons), step):
        batch = slice(start, min(start + step, len(persons)))
        is_contained = _contained(columns, batch, firsts)  # (n_batch, n_classes)
        _leave_out_anybody(is_contained, could_be_anybody, columns, batch)
        n_matches[batch] = is_contained @ sizes
        is_match[batch] = (true_classes[batch] >= 0) & is_contained[np.arange(len(is_contained)), true_classes[batch]]
        records[batch] = np.where(n_matches[batch] > 0, firsts[is_contained.argmax(axis=1)], -1)
    chances = is_match / np.maximum(n_matches, 1)
    return Links(records, np.zeros(len(persons)), n_matches, chances)


def link_by_extents(aligned: AlignedTables, intruder: Intruder, known: Schema) -> Linkage:
    """The linkage of an intruder who compares the columns of ``known``, released as extents or as they are."""
    original, roles = aligned.original, aligned.schema
    persons = intruder.known_persons(len(original))
    truth = aligned.truth[persons]
    unchanged = [name for name in known.quasi_identifiers if name not in aligned.by_extents]
    knowledge = intruder.knowledge(original, aligned.schema).take(persons)
    links = containment_linkage(knowledge, aligned.released, known, truth, unchanged)
    weights, households = person_weights(original, roles, persons), household_numbers(original, roles, persons)
    names = known.quasi_identifiers
    return Linkage(persons, truth, links, weights, households, len(aligned.released), 1, names, None)


def _contained(columns: Sequence[Containment], batch: slice, firsts: Labels) -> Mask:
    is_contained: Mask = np.ones((batch.stop - batch.start, len(firsts)), dtype=np.bool_)
    for column in columns:
        is_contained &= column.contain(column.values[batch, None], column.extents[None, firsts])
    return is_contained


def _leave_out_anybody(
    is_contained: Mask, could_be_anybody: Mask, columns: Sequence[Containment], batch: slice
) -> None:
    """Leaves out the classes that could be anybody for persons whom another class contains; not for persons of whom no
    value is known, whom every class may contain."""
    if could_be_anybody.any():
        is_known = np.any([column.values[batch] >= 0 for column in columns], axis=0)
        has_other = is_contained[:, ~could_be_anybody].any(axis=1)
        is_contained[np.ix_(is_known & has_other, could_be_anybody)] = False
