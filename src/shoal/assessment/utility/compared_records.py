"""The records of original and release that usefulness is measured on: all, or some drawn at random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from shoal.assessment.table_pair import AlignedTables, TablePair
from shoal.assessment.utility.extent_values import single_values
from shoal.encode.codes import has_codes
from shoal.encode.number_column import are_numbers
from shoal.kernels import Labels
from shoal.rng import sampled_places
from shoal.schema import Column, Role, Schema

MOST_RECORDS = 250_000  # of original and release each
MOST_CELLS = 5_000_000  # limit for tables with many columns
ROLES: tuple[Role, ...] = ("quasi_identifier", "sensitive", "other")


@dataclass(frozen=True, eq=False)
class ComparedRecords:
    """Both tables, whole or sampled. Original records that were suppressed are among them: an analyst misses them."""

    before: pa.Table
    after: pa.Table  # as written
    schema: Schema  # of the columns that can be compared
    by_extents: tuple[str, ...]
    sampled: Labels  # (n_before,) their places in the original
    of_original: Labels | None  # (n_after,) the record of ``before`` that each released one belongs to; None: unknown
    scale: float  # records of ``before`` that one of ``after`` stands for
    n_original: int
    n_released: int
    left_out: tuple[str, ...]  # columns that cannot be compared

    @classmethod
    def of(cls, tables: TablePair, most: int = MOST_RECORDS) -> ComparedRecords:
        """Numbers that top or bottom codes replaced are compared as they were."""
        original = tables.recoded.with_numbers(tables.original) if tables.recoded else tables.original
        n_original, n_released = len(original), len(tables.released)
        n_columns = len(tables.schema.columns)
        records, of_original = compared_places(n_original, n_columns, most), None
        if isinstance(tables, AlignedTables):
            of_original = np.flatnonzero(tables.truth[records] >= 0)
            positions, scale = tables.truth[records][of_original], 1.0
        else:
            positions = compared_places(n_released, n_columns, most)
            scale = _scale(n_original, records, n_released, positions)
        before, after = original.take(records), tables.released.take(positions)
        shared = [column for column in tables.schema.columns if column.role in ROLES]
        fit = [column for column in shared if _is_fit(column, before, after, column.name in tables.by_extents)]
        names = {column.name for column in fit}
        left_out = tuple(column.name for column in shared if column.name not in names)
        extents = tuple(name for name in tables.by_extents if name in names)
        return cls(before, after, Schema(fit), extents, records, of_original, scale, n_original, n_released, left_out)

    def some(self, most: int, purpose: str) -> ComparedSample:
        """All records, or ``most`` drawn at random: of the original, with the released records that belong to them, or
        of each table where pairs are not known."""
        before = sampled_places(len(self.before), most, purpose)
        if self.of_original is not None:
            return ComparedSample(before, np.flatnonzero(np.isin(self.of_original, before)), self.scale)
        after = sampled_places(len(self.after), most, purpose)
        return ComparedSample(before, after, self.scale * _scale(len(self.before), before, len(self.after), after))

    def of_all(self, n_original: int) -> ComparedRecords:
        """The same records as a sample of a larger table."""
        return replace(self, n_original=n_original)

    @cached_property
    def single_valued(self) -> pa.Table:
        """The release with one value for every extent, as everywhere (`table_pair.py`)."""
        table = self.after
        for name in self.by_extents:
            values = single_values(self.schema[name], self.before[name], table[name])
            table = table.set_column(table.schema.get_field_index(name), name, values)
        return table

    @property
    def numeric(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.schema.columns if column.kind in ("numeric", "date"))

    @property
    def is_sample(self) -> bool:
        return len(self.before) < self.n_original or (self.of_original is None and len(self.after) < self.n_released)


@dataclass(frozen=True, eq=False)
class ComparedSample:
    before: Labels  # (n,) places in the table of original records
    after: Labels  # (m,) places in the table of released records
    scale: float  # sampled original records that one sampled released record stands for


def _scale(n_original: int, original: Labels, n_released: int, released: Labels) -> float:
    """The share of the original that is in its sample, by that of the release."""
    return len(original) * n_released / max(n_original * len(released), 1)


def compared_places(n_records: int, n_columns: int, most: int = MOST_RECORDS) -> Labels:
    """Places of the records of a table that are compared, ascending."""
    return sampled_places(n_records, max(1, min(most, MOST_CELLS // max(n_columns, 1))), "usefulness")


def _is_fit(column: Column, before: pa.Table, after: pa.Table, by_extents: bool) -> bool:
    """Whether the cells of both tables are of the kind of the column, and some of the original are known."""
    original, released = before[column.name], after[column.name]
    if original.null_count == len(original):
        return False
    if column.kind in ("numeric", "date"):
        return are_numbers(original) and (by_extents or are_numbers(released))
    return has_codes(original.type) and has_codes(released.type)
