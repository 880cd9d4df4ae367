"""Two files of the same persons, with their columns encoded alike for blocking, comparison and record linkage.

two tables, schema -> LinkageTables;  two arrays -> LinkageTables

Numbers are not changed; the values of all other columns get codes that both files share, in their order.
Standardization uses the moments of both files together, so that equal values stay equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import has_codes, to_codes
from shoal.encode.embedding import embed, fit_embedding
from shoal.encode.number_column import is_time, timestamp_type, to_numbers
from shoal.errors import LinkageError
from shoal.kernels import Labels, Matrix, Vector
from shoal.linkage.metric import WeightedPoints, weighted_points
from shoal.linkage.text_position import text_positions
from shoal.schema import Column, Schema
from shoal.schema.column import Kind

SMALLEST_SQUARABLE = 1e-100  # the squares of smaller numbers, and of their differences, would underflow to 0


@dataclass(frozen=True, eq=False)
class LinkageColumn:
    """One column of one file.

    values   numbers; for ordinal columns the position in the order, 0 to 1; for nominal ones the mean letter, 0 to 1
    codes    for non-numeric columns: equal codes mean equal values; -1 where missing
    texts    the values of the codes, shared by both files
    """

    name: str
    kind: Kind
    values: Vector  # (n_records,) 0 where missing
    missing: NDArray[np.bool_]  # (n_records,)
    codes: Labels | None = None  # (n_records,)
    texts: tuple[str, ...] = ()

    @cached_property
    def scaled(self) -> Vector:
        """(n_records,) from 0 to 1: numbers relative to the range of their own file; NaN where missing."""
        scaled = np.where(self.missing, np.nan, self.values)
        if self.codes is not None or self.missing.all():
            return scaled
        low, high = float(np.nanmin(scaled)), float(np.nanmax(scaled))
        return (scaled - low) / (high - low) if high > low else scaled - low

    @property
    def sort_keys(self) -> Vector:
        """(n_records,) numbers by size, all other values by their order; missing values last."""
        values = self.values if self.codes is None else self.codes.astype(np.float64)
        return np.where(self.missing, np.inf, values)

    def take(self, records: Labels | slice) -> LinkageColumn:
        codes = None if self.codes is None else self.codes[records]
        return LinkageColumn(self.name, self.kind, self.values[records], self.missing[records], codes, self.texts)


@dataclass(frozen=True, eq=False)
class LinkageTables:
    """The columns that both files have. Record i of one file is not related to record i of the other."""

    original: tuple[LinkageColumn, ...]
    released: tuple[LinkageColumn, ...]
    embed_points: Callable[[], tuple[Matrix, Matrix]]  # computed when points are requested
    weigh_points: Callable[[Labels, Labels], WeightedPoints]  # of some original and released records
    counts: Labels  # (n_released,) records of the release that every one here stands for
    everybody: tuple[LinkageColumn, ...] | None = (
        None  # whom the intruder knows, where ``original`` is a sample of them
    )

    @property
    def n_original(self) -> int:
        return len(self.original[0].values)

    @property
    def n_released(self) -> int:
        return len(self.released[0].values)

    @cached_property
    def points(self) -> tuple[Matrix, Matrix]:
        """(n_original, d) and (n_released, d), in one Euclidean space."""
        return self.embed_points()

    @cached_property
    def weighted_points(self) -> WeightedPoints:
        """The same space, with distances whose ties are exact."""
        points = self.weigh_points(np.arange(self.n_original), np.arange(self.n_released))
        return replace(points, counts=self.counts)

    def column_index(self, name: str) -> int:
        names = [column.name for column in self.original]
        if name not in names:
            raise LinkageError.unknown_key(name, names)
        return names.index(name)

    def take(self, original: Labels, released: Labels, counts: Labels | None = None) -> LinkageTables:
        """Some records of both files. ``counts``: how many of the release each of ``released`` stands for; if not
        given, as many as here."""

        def embed_points() -> tuple[Matrix, Matrix]:
            return self.points[0][original], self.points[1][released]

        def weigh_points(some: Labels, others: Labels) -> WeightedPoints:
            return self.weigh_points(original[some], released[others])

        return LinkageTables(
            _take_records(self.original, original),
            _take_records(self.released, released),
            embed_points,
            weigh_points,
            self.counts[released] if counts is None else counts,
            self.everybody,
        )

    def sample(self, persons: Labels) -> LinkageTables:
        """Some persons of the original file, with all records; the others are still known."""

        def embed_points() -> tuple[Matrix, Matrix]:
            return self.points[0][persons], self.points[1]

        def weigh_points(some: Labels, others: Labels) -> WeightedPoints:
            return self.weigh_points(persons[some], others)

        sampled = _take_records(self.original, persons)
        return LinkageTables(sampled, self.released, embed_points, weigh_points, self.counts, self.original)


def _take_records(columns: Iterable[LinkageColumn], records: Labels) -> tuple[LinkageColumn, ...]:
    return tuple(column.take(records) for column in columns)


def encode_linkage_arrays(original: Matrix, released: Matrix) -> LinkageTables:
    """Numeric columns, named by their position, without scaling."""
    if original.shape[1] != released.shape[1]:
        raise LinkageError.other_width(original.shape[1], released.shape[1])

    def columns(X: Matrix) -> tuple[LinkageColumn, ...]:
        known = np.zeros(len(X), dtype=np.bool_)
        return tuple(LinkageColumn(str(j), "numeric", np.ascontiguousarray(X[:, j]), known) for j in range(X.shape[1]))

    def weigh_points(some: Labels, others: Labels) -> WeightedPoints:
        points = WeightedPoints.unscaled(original, released)
        return replace(points, original=points.original[some], released=points.released[others])

    return LinkageTables(
        columns(original), columns(released), lambda: (original, released), weigh_points, _ones(len(released))
    )


def encode_linkage_tables(original: pa.Table, released: pa.Table, schema: Schema) -> LinkageTables:
    """The quasi-identifiers of ``schema``, which both tables must have."""
    names = schema.quasi_identifiers
    both = pa.table({name: join_column(name, original[name], released[name]) for name in names})
    n = len(original)
    pairs = [_split_column(schema[name], both[name], n) for name in names]

    def embed_points() -> tuple[Matrix, Matrix]:
        points = embed(both, schema)
        return points[:n], points[n:]

    def weigh_points(some: Labels, others: Labels) -> WeightedPoints:
        return weighted_points(both, fit_embedding(both, schema), some, n + others)

    of_original, of_released = zip(*pairs, strict=True)
    return LinkageTables(of_original, of_released, embed_points, weigh_points, _ones(len(released)))


def _ones(n: int) -> Labels:
    return np.ones(n, dtype=np.int64)


def _split_column(column: Column, both: pa.ChunkedArray[Any], n: int) -> tuple[LinkageColumn, LinkageColumn]:
    """Splits a column that holds the records of both files into one of each file; raises LinkageError where it is all
    missing in a file or constant in the original."""
    if column.kind in ("numeric", "date"):
        numbers = to_numbers(column.name, both)
        joined = LinkageColumn(column.name, column.kind, numbers.values, numbers.missing)
    else:
        codes = to_codes(column.name, both, column.order)
        missing = codes.codes < 0
        positions = np.linspace(0, 1, codes.n_values) if column.kind == "ordinal" else text_positions(codes.values)
        values = np.where(missing, 0.0, np.append(positions, 0.0)[codes.codes])
        joined = LinkageColumn(column.name, column.kind, values, missing, codes.codes, tuple(codes.texts))
    for name, part in (("original", joined.missing[:n]), ("release", joined.missing[n:])):
        if part.all():
            raise LinkageError.all_missing(column.name, name)
    if (joined.sort_keys[:n] == joined.sort_keys[0]).all():
        raise LinkageError.constant(column.name)
    return joined.take(slice(n)), joined.take(slice(n, None))


def have_comparable_types(original: pa.ChunkedArray[Any], released: pa.ChunkedArray[Any]) -> bool:
    """Whether the column has comparable types in both files."""
    one, other = _without_dictionary(original).type, _without_dictionary(released).type
    return bool(one == other) or any(are(one) and are(other) for are in (_is_number, is_time))


def join_column(name: str, original: pa.ChunkedArray[Any], released: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """The column of both files, original records first, in a type that holds both."""
    one, other = _without_dictionary(original), _without_dictionary(released)
    if not have_comparable_types(one, other):
        raise LinkageError.other_type(name, str(one.type), str(other.type))
    if one.type != other.type:
        wider = timestamp_type(one.type, other.type) if is_time(one.type) else pa.float64()
        one, other = one.cast(wider, safe=False), other.cast(wider, safe=False)
    return _scale_up_tiny_values(pa.chunked_array([*one.chunks, *other.chunks], type=one.type))


def _scale_up_tiny_values(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Numbers so small that their squares would underflow, times a power of two: nothing is rounded, and distances are
    measured in standard deviations."""
    if not pa.types.is_float64(column.type):
        return column
    values: Vector = column.to_numpy()
    largest = float(np.max(np.abs(values), where=~np.isnan(values), initial=0.0))
    if not 0 < largest < SMALLEST_SQUARABLE:
        return column
    larger = np.ldexp(values, -int(np.frexp(largest)[1]))
    return pa.chunked_array([pa.array(larger, mask=column.is_null().to_numpy())])


def _without_dictionary(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Without a dictionary, since each file has its own; text as ``string``."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_large_string(column.type):
        return column.cast(pa.string())
    return column


def _is_number(type_: pa.DataType) -> bool:
    return pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_)


def check_single_values(name: str, *tables: pa.Table) -> None:
    """Raises LinkageError for a column of lists, structures and the like."""
    if not all(has_codes(table[name].type) for table in tables):
        raise LinkageError.no_single_values(name)
