"""Values as a reader of extents expects them: uniform in an interval, equally likely among the values below a node.

For numbers the reader knows the range of the column; an open end of an interval is taken to be the end of that range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from shoal.encode.codes import Codes, from_codes, to_codes
from shoal.encode.number_column import NumberColumn, from_numbers, to_numbers
from shoal.gate.extent_reader import read_extents
from shoal.kernels import Labels, Matrix, Vector
from shoal.plan import AnyExtent, Extent, Interval, MissingExtent, Span, TaxonomyNode, Values
from shoal.schema import Column
from shoal.schema.time_unit import units_of_a_day

Cells: TypeAlias = "pa.ChunkedArray[Any]"


@dataclass(frozen=True)
class ExtentColumn:
    """A column of extents: every different one is parsed once."""

    extents: tuple[Extent, ...]
    of_record: Labels  # (n_records,) -1 where the cell is missing

    @classmethod
    def of(cls, column: Column, released: Cells) -> ExtentColumn:
        codes = to_codes(column.name, released)
        read = read_extents(codes.values, column).extents
        return cls(tuple(_without_nodes(column, [extent or AnyExtent() for extent in read])), codes.codes)

    @cached_property
    def known_of_record(self) -> Labels:
        """(n_records,) the extent of every record; -1 where the value is missing, blank or written as such."""
        is_missing = np.array([*(isinstance(extent, MissingExtent) for extent in self.extents), True])
        return np.where(is_missing[self.of_record], -1, self.of_record)

    @property
    def n(self) -> Labels:
        """(n_extents,) records of each."""
        written = self.of_record[self.of_record >= 0]
        return np.bincount(written, minlength=len(self.extents)).astype(np.int64)


def _without_nodes(column: Column, extents: Sequence[Extent]) -> Sequence[Extent]:
    """Nodes of a taxonomy of numbers or dates as intervals, from the least to the greatest value below them: their
    labels, such as ``[20, 30[`` or ``young``, are only names."""
    if column.kind not in ("numeric", "date") or not any(isinstance(extent, TaxonomyNode) for extent in extents):
        return extents
    paths = column.taxonomy.paths if column.taxonomy else ()
    leaves = read_extents(pa.array([path[0] for path in paths]), replace(column, taxonomy=None)).extents
    below: dict[tuple[str, int], list[float]] = {}
    for path, leaf in zip(paths, leaves, strict=True):
        if isinstance(leaf, Interval) and leaf.low is not None:
            for level, label in enumerate(path):
                below.setdefault((label, level), []).append(leaf.low)
    return [_hull(below.get((e.label, e.level))) if isinstance(e, TaxonomyNode) else e for e in extents]


def _hull(numbers: Sequence[float] | None) -> Extent:
    return Interval(min(numbers), max(numbers), closed=True) if numbers else AnyExtent()


def certainty_penalty(column: Column, original: Cells, released: Cells) -> float:
    """Mean percent of the column that the extent of a record covers: 0 for a single value, 100 where it may be any.

    A value that was blanked may be any; records with a missing value in the original are not counted.
    """
    extent_column = ExtentColumn.of(column, released)
    known = original.is_valid().to_numpy()
    if not known.any():
        return 0.0
    widths = np.append(_widths(column, original, extent_column.extents), 1.0)  # the last is indexed by -1
    return 100 * float(widths[extent_column.of_record[known]].mean())


def _widths(column: Column, original: Cells, extents: tuple[Extent, ...]) -> Vector:
    """(n_extents,) share of the column covered, from 0 (one value) to 1 (all of them)."""
    if column.kind in ("numeric", "date"):
        low, high = _known_range(column, original)
        ends = _ends(extents, low, high)
        return (ends[:, 1] - ends[:, 0]) / (high - low) if high > low else np.zeros(len(extents))
    domain = CategoryValues(column, to_codes(column.name, original, column.order))
    n = np.array([len(domain.values_in(extent)) for extent in extents])
    return np.where(n > 1, n / max(domain.n, 1), 0.0)


def _known_range(column: Column, original: Cells) -> tuple[float, float]:
    """Range of the known values, dates in days."""
    numbers = to_days(column.name, original)
    known = numbers.values[~numbers.missing]
    return float(known.min()), float(known.max())


def to_days(name: str, column: Cells) -> NumberColumn:
    """The column as numbers, timestamps in days like dates."""
    numbers = to_numbers(name, column)
    return NumberColumn(numbers.values / units_of_a_day(column.type), numbers.missing)


def _ends(extents: tuple[Extent, ...], low: float, high: float) -> Matrix:
    """(n_extents, 2) ends of the intervals, clipped to the range from ``low`` to ``high``."""
    intervals = [extent if isinstance(extent, Interval) else Interval(None, None) for extent in extents]
    ends = [(low if i.low is None else i.low, high if i.high is None else i.high) for i in intervals]
    return np.clip(np.array(ends, dtype=np.float64).reshape(-1, 2), low, high)


def single_values(column: Column, original: Cells, released: Cells) -> pa.Array[Any]:
    """One value for every extent, in the type of the original: the middle of an interval or a span, and of the whole
    column for ``*``, else the only value that the extent contains. Missing where it may be one of several without an
    order.
    """
    extent_column = ExtentColumn.of(column, released)
    if column.kind in ("numeric", "date"):
        return _midpoints(column, original, extent_column)
    codes = to_codes(column.name, original, column.order)
    domain = CategoryValues(column, codes)
    middle = np.array([*(_single_code(domain, extent) for extent in extent_column.extents), -1], dtype=np.int64)
    return from_codes(middle[extent_column.of_record], codes.values)


def _single_code(domain: CategoryValues, extent: Extent) -> int:
    """The code of the value that represents an extent; -1 where there is none."""
    if isinstance(extent, MissingExtent):
        return -1
    codes_inside = domain.codes_in(extent)
    if domain.column.kind == "ordinal":
        return (codes_inside[0] + codes_inside[-1]) // 2 if codes_inside else -1
    return codes_inside[0] if len(codes_inside) == 1 else -1


def _midpoints(column: Column, original: Cells, extent_column: ExtentColumn) -> pa.Array[Any]:
    unit = units_of_a_day(original.type)
    is_range = np.array([*(isinstance(extent, Interval | AnyExtent) for extent in extent_column.extents), False])
    middle = np.append(_ends(extent_column.extents, *_known_range(column, original)).mean(axis=1) * unit, 0.0)
    return from_numbers(
        NumberColumn(middle[extent_column.of_record], ~is_range[extent_column.of_record]), original.type
    )


def expected_numbers(column: Column, original: Cells, extent_column: ExtentColumn, edges: Vector) -> Vector:
    """(n_edges + 1,) number of records that a reader expects below, between and above the edges."""
    expected: Vector = extent_column.n @ interval_shares(column, original, extent_column, edges)
    return expected


def interval_shares(column: Column, original: Cells, extent_column: ExtentColumn, edges: Vector) -> Matrix:
    """(n_extents, n_edges + 1) share of each interval that is below, between and above the edges."""
    low, high = _known_range(column, original)
    ends = _ends(extent_column.extents, low, high)
    inner = np.clip(edges[None, :], ends[:, :1], ends[:, 1:])  # (n_extents, n_edges)
    borders = np.hstack([ends[:, :1], inner, ends[:, 1:]])
    width = ends[:, 1:] - ends[:, :1]
    shares: Matrix = np.diff(borders, axis=1) / np.where(width > 0, width, 1.0)
    points = np.flatnonzero(width[:, 0] == 0)
    shares[points, np.searchsorted(edges, ends[points, 0], side="right")] = 1.0
    return shares


def interval_ends(column: Column, original: Cells, extent_column: ExtentColumn, unit: float) -> Matrix:
    """(n_extents, 2) where every interval begins and ends within the range of the column. ``unit``: the step of whole
    numbers, which an interval covers up to the next one; 0 for other numbers."""
    low, high = _known_range(column, original)
    ends = _ends(extent_column.extents, low, high + unit)
    is_closed = [isinstance(extent, Interval) and extent.closed for extent in extent_column.extents]
    ends[:, 1] = np.minimum(ends[:, 1] + unit * np.array(is_closed, dtype=np.float64), high + unit)
    return ends


def value_shares(column: Column, original: Codes, extent_column: ExtentColumn, values: Sequence[str]) -> Matrix:
    """(n_extents, n_values + 1) share of each extent that every value has; last, that of all other values."""
    domain, place = CategoryValues(column, original), {value: at for at, value in enumerate(values)}
    shares = np.zeros((len(extent_column.extents), len(values) + 1))
    for row, extent in enumerate(extent_column.extents):
        inside = domain.values_in(extent)
        for value in inside:
            shares[row, place.get(value, len(values))] += 1 / len(inside)
    return shares


def expected_values(column: Column, original: Codes, extent_column: ExtentColumn) -> dict[str, float]:
    """Number of records that a reader expects for every value."""
    domain, n_anywhere = CategoryValues(column, original), 0
    expected: dict[str, float] = {}
    for extent, n in zip(extent_column.extents, extent_column.n.tolist(), strict=True):
        inside = domain.values_in(extent)
        if inside is domain.values:
            n_anywhere += n
            continue
        for value in inside:
            expected[value] = expected.get(value, 0.0) + n / len(inside)
    share = n_anywhere / max(domain.n, 1)
    return {value: expected.get(value, 0.0) + share for value in domain.values}


@dataclass(frozen=True)
class CategoryValues:
    """The values of a categorical column, and which of them an extent contains."""

    column: Column
    codes: Codes

    @cached_property
    def values(self) -> tuple[str, ...]:
        if self.column.taxonomy:
            return tuple(path[0] for path in self.column.taxonomy.paths)
        return self.column.order or tuple(self.codes.texts)

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.values)

    @property
    def n(self) -> int:
        return len(self.values)

    @cached_property
    def code_of(self) -> Mapping[str, int]:
        return {text: code for code, text in enumerate(self.codes.texts)}

    @cached_property
    def all_codes(self) -> list[int]:
        return self._codes(self.values)

    def codes_in(self, extent: Extent) -> list[int]:
        """Those of the values that an extent contains and the original has, ascending."""
        inside = self.values_in(extent)
        return self.all_codes if inside is self.values else self._codes(inside)

    def _codes(self, values: Sequence[str]) -> list[int]:
        return sorted(self.code_of[value] for value in values if value in self.code_of)

    def values_in(self, extent: Extent) -> tuple[str, ...]:
        """The values that an extent contains; an unknown word may be any: then these are ``values`` themselves."""
        match extent:
            case Span(values) | Values(values):
                return tuple(value for value in values if value in self.known) or self.values
            case TaxonomyNode(label, level) if self.column.taxonomy:
                return tuple(path[0] for path in self.column.taxonomy.paths if path[level] == label)
            case _:
                return self.values
