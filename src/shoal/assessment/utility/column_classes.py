"""Classes of the values of a column, as tables and models of several columns use them, and who belongs to which.

Numbers and dates fall into classes that hold about the same number of original records; categories are classes
themselves, with the rarer ones together. A released extent belongs to several classes in parts: uniformly in an
interval, equally among the values of a node or set (`extent_values.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from shoal.assessment.utility.distributions import MERGED, MISSING, interval_names
from shoal.assessment.utility.extent_values import ExtentColumn, interval_shares, to_days, value_shares
from shoal.encode.codes import Codes, to_codes
from shoal.kernels import Labels, Matrix
from shoal.schema import Column

Cells: TypeAlias = "pa.ChunkedArray[Any]"

N_OF_NUMBERS = 10  # classes of a numeric column, at most
N_OF_CATEGORIES = 14  # categories that are a class of their own, at most
MOST_STATES = 1_000_000  # pairs of states that are counted; where there are more, records are added up


@dataclass(frozen=True, eq=False)
class Membership:
    """The classes of every record of one table: record i has the shares of its state."""

    states: Labels  # (n_records,)
    shares: Matrix  # (n_states, n_classes)

    def of(self, records: slice) -> Matrix:
        """(n, n_classes) shares of these records."""
        return self.shares[self.states[records]]

    @property
    def margin(self) -> Matrix:
        """(n_classes,) the expected number of records of every class."""
        n = np.bincount(self.states, minlength=len(self.shares)).astype(np.float64)
        expected: Matrix = n @ self.shares
        return expected

    def take(self, records: Labels) -> Membership:
        return Membership(self.states[records], self.shares)


@dataclass(frozen=True, eq=False)
class NumberClasses:
    """Between edges that are values of the original; the last class is for missing values."""

    column: Column
    original: Cells
    edges: Matrix  # (n_classes - 2,)

    @classmethod
    def of(cls, column: Column, original: Cells, n_classes: int = N_OF_NUMBERS) -> NumberClasses:
        numbers = to_days(column.name, original)
        known = numbers.values[~numbers.missing]
        if not known.size:
            return cls(column, original, np.empty(0))
        quantiles = np.quantile(known, np.arange(1, n_classes) / n_classes, method="inverted_cdf")
        return cls(column, original, np.unique(quantiles[quantiles > known.min()]))

    @property
    def names(self) -> tuple[str, ...]:
        return (*interval_names([f"{edge:.12g}" for edge in self.edges]), MISSING)

    def membership(self, cells: Cells, *, by_extents: bool) -> Membership:
        n_classes = len(self.edges) + 2
        if not by_extents:
            numbers = to_days(self.column.name, cells)
            states = np.searchsorted(self.edges, numbers.values, side="right")
            return Membership(np.where(numbers.missing, n_classes - 1, states), np.eye(n_classes))
        extents = ExtentColumn.of(self.column, cells)
        return _of_extents(extents, interval_shares(self.column, self.original, extents, self.edges))


@dataclass(frozen=True, eq=False)
class CategoryClasses:
    """The frequent values, then all others together, last the missing values."""

    column: Column
    codes: Codes  # of the original
    frequent: tuple[str, ...]

    @classmethod
    def of(cls, column: Column, original: Cells, n_classes: int = N_OF_CATEGORIES, fewest: int = 1) -> CategoryClasses:
        """``fewest``: original records of a class of its own, at least."""
        codes = to_codes(column.name, original, column.order)
        counts = np.bincount(codes.codes[codes.codes >= 0], minlength=codes.n_values)
        shown = np.sort(np.argsort(-counts, kind="stable")[:n_classes])
        texts = codes.texts
        return cls(column, codes, tuple(texts[at] for at in shown.tolist() if counts[at] >= fewest))

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.frequent, MERGED, MISSING)

    def membership(self, cells: Cells, *, by_extents: bool) -> Membership:
        if by_extents:
            extents = ExtentColumn.of(self.column, cells)
            return _of_extents(extents, value_shares(self.column, self.codes, extents, self.frequent))
        codes, place = to_codes(self.column.name, cells), {value: at for at, value in enumerate(self.frequent)}
        n = len(self.frequent)
        states = np.array([*(place.get(text, n) for text in codes.texts), n + 1], dtype=np.int64)
        return Membership(states[codes.codes], np.eye(n + 2))


Classes = NumberClasses | CategoryClasses


def classes_of(column: Column, original: Cells) -> Classes:
    return (NumberClasses if column.kind in ("numeric", "date") else CategoryClasses).of(column, original)


def _of_extents(extents: ExtentColumn, shares: Matrix) -> Membership:
    """``shares``: (n_extents, n_classes - 1) of the known classes; a missing extent is in the last one."""
    known = np.hstack([shares, np.zeros((len(shares), 1))])
    missing = np.zeros((1, known.shape[1]))
    missing[0, -1] = 1.0
    of_record = extents.known_of_record
    return Membership(np.where(of_record < 0, len(known), of_record), np.vstack([known, missing]))


def table_of_two(one: Membership, other: Membership, n_at_once: int = 20_000) -> Matrix:
    """(n_classes, n_classes) the expected number of records in every class of one column and of the other."""
    n_states = len(one.shares), len(other.shares)
    if n_states[0] * n_states[1] <= MOST_STATES:
        pairs = np.bincount(one.states * n_states[1] + other.states, minlength=n_states[0] * n_states[1])
        counted: Matrix = one.shares.T @ pairs.reshape(n_states).astype(np.float64) @ other.shares
        return counted
    table = np.zeros((one.shares.shape[1], other.shares.shape[1]))
    for start in range(0, len(one.states), n_at_once):
        records = slice(start, start + n_at_once)
        table += one.of(records).T @ other.of(records)
    return table
