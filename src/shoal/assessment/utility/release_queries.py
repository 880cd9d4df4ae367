"""Count queries on a release of any kind: how far its counts are from those of the original.

Queries are those of `random_queries.py`: two or three columns, with a range or some values of each. A released number
or category is in the query or not. Of an extent a part is in it: as published (`queries.py`), values are uniform in the
extent; or they are distributed as in the whole release, whose other extents are narrower or wider. The margin of the
release is that of all extents with uniform values. Columns are taken to be independent within a record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.assessment.utility.column_change import number_unit, released_spread
from shoal.assessment.utility.extent_values import CategoryValues, ExtentColumn, expected_values, interval_ends, to_days
from shoal.assessment.utility.queries import CountQuery
from shoal.assessment.utility.random_queries import random_queries
from shoal.assessment.utility.spread import Spread
from shoal.encode.codes import Codes, to_codes
from shoal.encode.count_table import CountTable
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Matrix, Vector
from shoal.plan import CategoricalDomain, Domain, NumericDomain
from shoal.schema import Column, Schema

Cells: TypeAlias = "pa.ChunkedArray[Any]"

N_QUERIES = 100
MOST_VALUES = 100  # of a category that is queried
RARE = 0.002  # share of the records: queries that match fewer are left out
FEWEST = 10  # records that match a query at least
SEED = 9


@dataclass(frozen=True)
class QueryErrors:
    """Errors of counts in percent of the true ones; ``by_margins`` is None where nothing is released as extents."""

    uniform: tuple[float, ...]
    by_margins: tuple[float, ...] | None
    n_records: int

    def findings(self) -> Findings:
        text = (
            f"How far counts that are estimated from the release are from the true ones: the mean of "
            f"{len(self.uniform)} random queries of two or three columns."
        )
        found = [("count queries on the release", text, self.uniform)]
        if self.by_margins is not None:
            found = [
                ("count queries on the release, uniform", f"{text} Values are uniform in an extent.", self.uniform),
                (
                    "count queries on the release, by its margins",
                    f"{text} Values are distributed in an extent as in the whole release.",
                    self.by_margins,
                ),
            ]
        return Findings(
            tuple(Finding(name, float(np.mean(errors)), what, baseline=0, unit="%") for name, what, errors in found)
        )

    def to_dict(self) -> dict[str, Any]:
        readings = {"uniform": self.uniform, "by_margins": self.by_margins}
        return {
            "n_queries": len(self.uniform),
            "n_records": self.n_records,
            **{
                name: {"median": float(np.median(errors)), "mean": float(np.mean(errors))}
                for name, errors in readings.items()
                if errors is not None
            },
        }


def release_queries(
    original: pa.Table, released: pa.Table, schema: Schema, by_extents: Sequence[str], scale: float = 1.0
) -> QueryErrors | None:
    """Errors on the columns of ``schema``. ``scale``: the records of the original that one released record stands for,
    where both are samples. None where no query matches enough records."""
    columns = [column for column in schema.columns if _is_queried(column, original[column.name])]
    if not columns or not len(released):
        return None
    queries = _queries(original, columns)
    truth = _counts({c.name: _reading(c, original[c.name]) for c in columns}, queries, len(original))
    common = truth >= max(FEWEST, RARE * len(original))
    if not common.any():
        return None
    some = [query for query, kept in zip(queries, common, strict=True) if kept][:N_QUERIES]
    true = truth[common][:N_QUERIES]

    def errors(*, margins: bool) -> tuple[float, ...]:
        readings = {
            c.name: _extent_reading(c, original[c.name], released[c.name], margins=margins)
            if c.name in by_extents
            else _reading(c, released[c.name])
            for c in columns
        }
        found: Vector = 100 * np.abs(scale * _counts(readings, some, len(released)) - true) / true
        return tuple(found.tolist())

    has_extents = any(column.name in by_extents for column in columns)
    return QueryErrors(errors(margins=False), errors(margins=True) if has_extents else None, len(original))


def _is_queried(column: Column, original: Cells) -> bool:
    """Whether an analyst would count by some values of it: not where there are very many."""
    if column.kind in ("numeric", "date"):
        return original.null_count < len(original)
    return 0 < to_codes(column.name, original).n_values <= MOST_VALUES


def _queries(original: pa.Table, columns: Sequence[Column]) -> tuple[CountQuery, ...]:
    counts = CountTable(original.select([c.name for c in columns]), np.ones(len(original), dtype=np.int64))
    return random_queries(counts, [_domain(c, original[c.name]) for c in columns], 2 * N_QUERIES, SEED)


def _domain(column: Column, original: Cells) -> Domain:
    if column.kind in ("numeric", "date"):
        return NumericDomain(column.name, True, (), column.kind == "date")
    texts = to_codes(column.name, original, column.order).texts
    return CategoricalDomain(column.name, True, tuple((text,) for text in texts), column.kind == "ordinal")


class QueryPart(Protocol):
    """A column, prepared for many queries."""

    def inside(self, query: CountQuery) -> Vector | NDArray[np.bool_]:
        """(n_records,) the part of every record that is in the query."""


def _counts(readings: Mapping[str, QueryPart], queries: Sequence[CountQuery], n_records: int) -> Vector:
    """(n_queries,) records in each query."""

    def count(query: CountQuery) -> float:
        parts: Any = np.ones(n_records, dtype=bool)
        for name in (*query.ranges, *query.values):
            parts = parts * readings[name].inside(query)
        return float(parts.sum())

    return np.array([count(query) for query in queries])


def _reading(column: Column, cells: Cells) -> QueryPart:
    if column.kind in ("numeric", "date"):
        numbers = to_days(column.name, cells)
        return _Numbers(column.name, np.where(numbers.missing, np.nan, numbers.values))
    return _Categories(column.name, to_codes(column.name, cells))


@dataclass(frozen=True, eq=False)
class _Numbers:
    name: str
    numbers: Vector  # (n_records,) NaN where missing

    def inside(self, query: CountQuery) -> NDArray[np.bool_]:
        low, high = query.ranges[self.name]
        found: NDArray[np.bool_] = (self.numbers >= low) & (self.numbers < high)
        return found


@dataclass(frozen=True, eq=False)
class _Categories:
    name: str
    codes: Codes

    @cached_property
    def texts(self) -> list[str]:
        return self.codes.texts

    def inside(self, query: CountQuery) -> NDArray[np.bool_]:
        chosen = query.values[self.name]
        found: NDArray[np.bool_] = np.array([*(text in chosen for text in self.texts), False])[self.codes.codes]
        return found


def _extent_reading(column: Column, original: Cells, released: Cells, *, margins: bool) -> QueryPart:
    extents = ExtentColumn.of(column, released)
    if column.kind in ("numeric", "date"):
        numbers = to_days(column.name, original)
        unit = number_unit(numbers.values[~numbers.missing])
        ends = interval_ends(column, original, extents, unit)
        spread = released_spread(column, original, released, unit) if margins else None
        return _Intervals(column.name, ends, extents.known_of_record, spread)
    codes = to_codes(column.name, original, column.order)
    weights = expected_values(column, codes, extents) if margins else {}
    domain = CategoryValues(column, codes)
    return _Sets(column.name, tuple(map(domain.values_in, extents.extents)), extents.known_of_record, weights)


@dataclass(frozen=True, eq=False)
class _Intervals:
    name: str
    ends: Matrix  # (n_extents, 2)
    of_record: Labels
    spread: Spread | None  # of the values in the whole release; None: uniform in every interval

    def inside(self, query: CountQuery) -> Vector:
        low, high = query.ranges[self.name]
        parts = np.clip(np.array([[low, high]]), self.ends[:, :1], self.ends[:, 1:])
        length, mass = np.diff(self.ends)[:, 0], np.diff(self._below(self.ends))[:, 0]
        uniform = np.diff(parts)[:, 0] / np.where(length > 0, length, 1.0)
        by_mass = np.diff(self._below(parts))[:, 0] / np.where(mass > 0, mass, 1.0)
        is_inside = (self.ends[:, 0] >= low) & (self.ends[:, 0] < high)
        shares = np.where(length > 0, np.where(mass > 0, by_mass, uniform), is_inside)
        return np.append(shares, 0.0)[self.of_record]

    def _below(self, places: Matrix) -> Matrix:
        if self.spread is None:
            return places
        below: Matrix = self.spread.limits(places.ravel())[0].reshape(places.shape)
        return below


@dataclass(frozen=True, eq=False)
class _Sets:
    name: str
    values: tuple[tuple[str, ...], ...]  # of every extent
    of_record: Labels
    weights: Mapping[str, float]  # of the values in the whole release; empty: all alike

    def inside(self, query: CountQuery) -> Vector:
        chosen = query.values[self.name]
        shares = [self._mass(tuple(v for v in values if v in chosen), values) for values in self.values]
        return np.array([*shares, 0.0])[self.of_record]

    def _mass(self, inside: Sequence[str], values: Sequence[str]) -> float:
        whole = sum(self.weights.get(value, 0.0) for value in values)
        if not whole:
            return len(inside) / max(len(values), 1)
        return sum(self.weights.get(value, 0.0) for value in inside) / whole
