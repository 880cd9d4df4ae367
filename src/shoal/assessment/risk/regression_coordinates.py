"""Columns of any type as coordinates of a regression.

table -> RegressionTable -> (n_records, width)

Numbers and dates are z-scores, and z-scores of their ranks; of all other columns, and of numbers with few values, each
of the most frequent values has a coordinate of its own. Texts that all are numbers or dates, as in a CSV whose policy
declares no kind, are both. A missing value is a value of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import has_codes, to_codes
from shoal.encode.number_column import to_numbers
from shoal.encode.standardize import standardize
from shoal.errors import TableError
from shoal.kernels import Labels, Matrix, Vector
from shoal.schema import Column, Schema
from shoal.sources.kinds import with_inferred_kind

MOST_VALUES = 12  # of a column that have a coordinate


@dataclass(frozen=True, eq=False)
class RegressionTable:
    """A table as coordinates of a regression; each column is converted once."""

    table: pa.Table
    schema: Schema

    def only(self, rows: Labels) -> RegressionTable:
        """Of some rows, in any order."""
        if np.array_equal(rows, np.arange(len(self.table))):
            return self
        return RegressionTable(self.table.take(rows), self.schema)

    def coordinates(self, names: Sequence[str], *, ranks: bool = False) -> Matrix:
        """(n_records, width); ``ranks``: with the ranks of numbers besides."""
        return np.hstack([np.empty((len(self.table), 0)), *(self._of_column(name, ranks) for name in names)])

    @cached_property
    def _known(self) -> dict[tuple[str, bool], Matrix]:
        """The columns that were converted before, by name and with ranks or without."""
        return {}

    def _of_column(self, name: str, ranks: bool) -> Matrix:
        if (name, ranks) not in self._known:
            self._known[name, ranks] = self._converted(name, ranks)
        return self._known[name, ranks]

    def _converted(self, name: str, ranks: bool) -> Matrix:
        lines, values = _coordinates(self.table[name], self.schema[name], ranks)
        parts = [*(line for line in lines if np.ptp(line) > 0), values]
        return standardize(np.column_stack(parts)) if len(parts) > 1 or values.shape[1] else values


def _coordinates(cells: pa.ChunkedArray[Any], column: Column, ranks: bool) -> tuple[list[Vector], Matrix]:
    """(n_records,) each: on lines; (n_records, n_values): the most frequent values."""
    none = np.empty((len(cells), 0))
    if not has_codes(cells.type):
        return [], none
    name, order = column.name, column.order
    codes = to_codes(name, cells)
    if order and set(order).issuperset(codes.texts):  # not the values of a column before it was recoded
        codes = to_codes(name, cells, order)
    places, read = codes.codes.astype(np.float64), with_inferred_kind(cells)
    numbers, is_text = _numbers(read), read.type != cells.type
    if numbers is None and column.kind != "ordinal":
        return [], _frequent_values(codes.codes)
    numbers = places if numbers is None else numbers
    known = (codes.codes >= 0) & np.isfinite(numbers)
    lines = [numbers, _ranks(numbers) if is_text else places] if ranks else [numbers]
    filled = [np.where(known, line, line[known].mean() if known.any() else 0.0) for line in lines]
    if is_text or codes.n_values <= MOST_VALUES:
        return filled, _frequent_values(codes.codes)
    return [*filled, (~known).astype(np.float64)], none


def _numbers(cells: pa.ChunkedArray[Any]) -> Vector | None:
    """None where they are no numbers."""
    try:
        return to_numbers("", cells).values
    except TableError:
        return None


def _ranks(numbers: Vector) -> Vector:
    """The place of each number among the different ones."""
    return np.unique(numbers, return_inverse=True)[1].astype(np.float64)


def _frequent_values(codes: Labels) -> Matrix:
    """(n_records, n_values) whether a record has each of the most frequent values, except for the most frequent of
    all."""
    n = np.bincount(codes + 1)
    chosen = np.argsort(-n, kind="stable")[1 : min(MOST_VALUES + 1, np.count_nonzero(n))] - 1
    has_value: Matrix = (codes[:, None] == chosen).astype(np.float64)
    return has_value
