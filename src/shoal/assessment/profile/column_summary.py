"""Summary of a column of an original, without its extremes: counts, and the quartiles as round intervals.

totals over values -> ColumnSummary
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from shoal.assessment.utility.date_edges import calendar_step
from shoal.assessment.utility.distributions import MOST_BINS, choose_edges, inner_edges, interval_names
from shoal.assessment.utility.extent_values import to_days
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import are_numbers, to_numbers
from shoal.kernels import Ints, Vector
from shoal.schema import Column, Kind, Role

FEWEST = 5  # records of an interval that is shown, and of a value that is not rare
MOST_NUMBERS = 20_000_000  # records of a column whose quartiles are computed
QUARTILES = (0.25, 0.5, 0.75)
NO_NUMBER: Vector = np.zeros(0)
NO_COUNT: Ints = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class ColumnSummary:
    """Counts of a column, and where its values lie.

    n_missing   records without a value
    n_distinct  distinct values; None where cells are not single values
    n_unique    records whose value no other record has
    n_rare      records whose value fewer than five records share
    quartiles   the round intervals, of at least five records each, in which the quartiles lie; empty for categories and
                where the values cannot be divided so
    """

    name: str
    role: Role
    kind: Kind
    n_missing: int
    n_distinct: int | None
    n_unique: int = 0
    n_rare: int = 0
    quartiles: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ColumnCounts:
    """Accumulator of counts of the values of a column; those of two are of different values."""

    n_missing: int
    n_distinct: int
    n_unique: int
    n_rare: int
    numbers: Vector | None  # (n_distinct,) dates in days; None: no numbers, or those of too many records
    n: Ints  # (n_distinct,) records with each number; empty without numbers

    @classmethod
    def of(cls, column: Column, table: pa.Table) -> ColumnCounts:
        """Of counts by the one column."""
        counts = CountTable.of(table)
        known = counts.known
        n_unique, n_rare = int((known.n == 1).sum()), int(known.n[known.n < FEWEST].sum())
        n_missing, numbers = counts.n_records - known.n_records, _numbers(column, known)
        return cls(n_missing, len(known), n_unique, n_rare, None, NO_COUNT)._with(numbers, known.n)

    def _with(self, numbers: Vector | None, n: Ints) -> ColumnCounts:
        """Without the numbers, if they are those of too many records."""
        return self if numbers is None or n.sum() > MOST_NUMBERS else replace(self, numbers=numbers, n=n)

    def __add__(self, other: ColumnCounts) -> ColumnCounts:
        added = ColumnCounts(
            self.n_missing + other.n_missing,
            self.n_distinct + other.n_distinct,
            self.n_unique + other.n_unique,
            self.n_rare + other.n_rare,
            None,
            NO_COUNT,
        )
        if self.numbers is None or other.numbers is None:
            return added
        return added._with(np.concatenate([self.numbers, other.numbers]), np.concatenate([self.n, other.n]))

    def summary(self, column: Column) -> ColumnSummary:
        numbers = NO_NUMBER if self.numbers is None else np.repeat(self.numbers, self.n)
        return ColumnSummary(
            column.name,
            column.role,
            column.kind,
            self.n_missing,
            self.n_distinct,
            self.n_unique,
            self.n_rare,
            _quartiles(column.kind, numbers) if len(numbers) else (),
        )


def _numbers(column: Column, known: CountTable) -> Vector | None:
    """(n_distinct,) dates in days; None where the values are no numbers."""
    if not len(known):
        return NO_NUMBER
    if column.kind not in ("numeric", "date") or not are_numbers(known.values):
        return None
    read = to_days if column.kind == "date" else to_numbers
    return read(column.name, known.values).values


def _quartiles(kind: Kind, values: Vector) -> tuple[str, ...]:
    edges, names = _date_intervals(values) if kind == "date" else _number_intervals(values)
    if not edges.size:
        return ()
    places = np.searchsorted(edges, np.quantile(values, QUARTILES, method="inverted_cdf"), side="right")
    return tuple(names[place] for place in places)


def _number_intervals(values: Vector) -> tuple[Vector, tuple[str, ...]]:
    edges = inner_edges(values, FEWEST)
    return edges, interval_names([f"{edge:.12g}" for edge in edges])


def _date_intervals(values: Vector) -> tuple[Vector, tuple[str, ...]]:
    low, high = np.quantile(values, [0.01, 0.99])
    step = calendar_step((high - low) / MOST_BINS)
    edges = choose_edges(values, step.edges(low, high), FEWEST)
    return edges, interval_names([step.name(edge) for edge in edges])
