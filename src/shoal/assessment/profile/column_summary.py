"""Summary of a column of an original, without its extremes: counts, and the quartiles as round intervals.

counts by value, in pieces -> ColumnSummary
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shoal.assessment.utility.date_edges import calendar_step
from shoal.assessment.utility.distributions import MOST_BINS, choose_edges, inner_edges, interval_names
from shoal.assessment.utility.extent_values import to_days
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import are_numbers, to_numbers
from shoal.kernels import Vector
from shoal.schema import Column, Kind, Role

FEWEST = 5  # records of an interval that is shown, and of a value that is not rare
MOST_NUMBERS = 20_000_000  # records of a column whose quartiles are computed
QUARTILES = (0.25, 0.5, 0.75)


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


def column_summary(column: Column, pieces: Iterable[CountTable]) -> ColumnSummary:
    """From the counts of the values; equal values are in the same piece."""
    n_missing, n_distinct, n_unique, n_rare = 0, 0, 0, 0
    parts, n_numbers = list[Vector](), 0
    for counts in pieces:
        known = counts.known
        n_missing += counts.n_records - known.n_records
        n_distinct += len(known)
        n_unique += int((known.n == 1).sum())
        n_rare += int(known.n[known.n < FEWEST].sum())
        n_numbers += known.n_records
        if column.kind in ("numeric", "date") and n_numbers <= MOST_NUMBERS and are_numbers(known.values):
            parts.append(_numbers(column, known))
    quartiles = _quartiles(column.kind, np.concatenate(parts)) if sum(map(len, parts)) == n_numbers > 0 else ()
    return ColumnSummary(column.name, column.role, column.kind, n_missing, n_distinct, n_unique, n_rare, quartiles)


def _numbers(column: Column, known: CountTable) -> Vector:
    """The value of every record; dates in days."""
    read = to_days if column.kind == "date" else to_numbers
    return read(column.name, known.values).values.repeat(known.n)


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
