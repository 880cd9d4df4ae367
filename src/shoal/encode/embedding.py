"""Embedding of quasi-identifiers of every kind as points in Euclidean space, so that one fast path serves all.

statistics of the whole table, then any of its records -> (n_records, d) float64

    numeric, date   z-scores
    ordinal         z-scores of the position in the order
    nominal         one-hot coordinates, scaled so that two different values have squared distance 1
    with taxonomy   the same for every level, scaled so that the squared distance of two values is the height of
                    their lowest common ancestor over the height of the tree

A missing value is a value of its own: two missing values are equal, and a missing and a known value have squared
distance 1. In numeric and ordinal columns that distance is on a coordinate of its own, and the missing value is placed
at the mean.

Blocking splits records along single coordinates, and a one-hot coordinate cannot be halved. For blocking, every column
therefore also has one coordinate on a line:

    with taxonomy   z-scores of the position in the order of the tree: values below one node are adjacent
    nominal         z-scores of the position among the sorted values: no order is better than another

The points of methods and blocks are weighted: the squared distance on a column is multiplied by its weight, and a
column of weight 0 has no coordinate. What measures a release is never weighted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from typing import Any, Protocol, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import positions_among, to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import to_numbers
from shoal.encode.standardize import z_scores
from shoal.encode.statistics import Moments, Sums, squares_of
from shoal.errors import TableError
from shoal.kernels import Ints, Matrix, Vector
from shoal.kernels.coded_points import CodedPoints
from shoal.schema import Column, Schema
from shoal.total import OfColumns, Total, total_of_table

Cells: TypeAlias = "pa.ChunkedArray[Any]"
ValueCounts = Callable[[str], CountTable]  # column -> number of records with each of its values

MAX_BYTES = 4 * 2**30  # of all points together
MAX_VALUES = 1000  # of a nominal column: each adds a coordinate to every record


class ColumnEmbedding(Protocol):
    """The coordinates of the values of one column."""

    @property
    def width(self) -> int:
        """Number of coordinates per record."""
        ...

    def points(self, cells: Cells) -> Matrix: ...  # (n_records, width), for distances

    def coded(self, cells: Cells) -> CodedPoints: ...  # the same with codes for one-hot coordinates

    def coordinate(self, cells: Cells) -> Vector: ...  # (n_records,), for blocking


@dataclass(frozen=True)
class Embedding:
    """Fitted to a table; a record has the same point, whatever piece of the table it is in."""

    names: tuple[str, ...]
    places: tuple[ColumnEmbedding, ...]

    @classmethod
    def fit(cls, schema: Schema, total: Total, value_counts: ValueCounts) -> Embedding:
        """Fits to the quasi-identifiers of all records."""
        names = schema.quasi_identifiers
        measured = _column_moments([name for name in names if schema[name].kind in ("numeric", "date")], total)
        places = [
            NumericEmbedding(name, measured[name])
            if name in measured
            else _categories(schema[name], value_counts(name))
            for name in names
        ]
        return cls(names, tuple(places))

    @property
    def width(self) -> int:
        return sum(place.width for place in self.places)

    def only(self, names: Sequence[str]) -> Embedding:
        """The embedding of some of the columns."""
        kept = [at for at, name in enumerate(self.names) if name in names]
        return Embedding(tuple(self.names[at] for at in kept), tuple(self.places[at] for at in kept))

    def weighted(self, schema: Schema) -> Embedding:
        """The embedding with coordinates multiplied by the square roots of the weights, without columns of weight 0."""
        kept = self.only([name for name in self.names if schema[name].weight > 0])
        weights = [schema[name].weight for name in kept.names]
        places: list[ColumnEmbedding] = [
            place if weight == 1 else ScaledEmbedding(place, float(np.sqrt(weight)))
            for place, weight in zip(kept.places, weights, strict=True)
        ]
        return replace(kept, places=tuple(places))

    def points(self, table: pa.Table) -> Matrix:
        """(n_records, width)"""
        self.check_size(len(table))
        if not self.names:
            return np.empty((len(table), 0))
        return np.hstack([place.points(table[name]) for name, place in zip(self.names, self.places, strict=True)])

    def coded(self, table: pa.Table) -> CodedPoints:
        """The points with codes for one-hot coordinates: a few numbers per record, however many the categories."""
        parts = [place.coded(table[name]) for name, place in zip(self.names, self.places, strict=True)]
        return CodedPoints.side_by_side(parts)

    def check_size(self, n_records: int) -> None:
        if n_records * self.width * 8 > MAX_BYTES:
            raise TableError.too_wide(n_records, self.width, MAX_BYTES)

    def coordinates(self, table: pa.Table) -> Matrix:
        """(n_records, n_columns) one coordinate per column, for blocking."""
        return np.column_stack(
            [place.coordinate(table[name]) for name, place in zip(self.names, self.places, strict=True)]
        )


def embed(table: pa.Table, schema: Schema) -> Matrix:
    """(n_records, width) the quasi-identifiers of every record as one point."""
    return fit_embedding(table, schema).points(table)


def fit_embedding(table: pa.Table, schema: Schema) -> Embedding:
    """The embedding fitted to a table in memory."""
    return Embedding.fit(schema, total_of_table(table), lambda name: _value_counts(table, name))


def _value_counts(table: pa.Table, name: str) -> CountTable:
    codes = to_codes(name, table[name])
    counts = np.bincount(codes.codes + 1, minlength=codes.n_values + 1)
    indices = pa.array([None, *range(codes.n_values)], pa.int32())
    values: Any = codes.values.take(indices)
    if pa.types.is_dictionary(table[name].type):  # keeps a declared order of categories
        values = pa.DictionaryArray.from_arrays(indices, codes.values, ordered=bool(table[name].type.ordered))
    return CountTable(pa.table([values], names=[name]), counts).only(counts > 0)


def _column_moments(names: Sequence[str], total: Total) -> dict[str, Moments]:
    if not names:
        return {}
    sums = total(names, OfColumns({name: partial(Sums.of, name) for name in names}))
    squares = total(names, OfColumns({name: partial(squares_of, name, sums[name].mean) for name in names}))
    return {name: sums[name].moments(squares[name]) for name in names}


def _scored(values: Vector, missing: NDArray[np.bool_], moments: Moments) -> Matrix:
    """z-scores of the known values, 0 for missing ones; if the table has missing values, a second coordinate marks
    them."""
    scores = z_scores(values[:, None], np.array([moments.mean]), np.array([moments.deviation]))
    scores[missing] = 0.0
    return np.hstack([scores, missing[:, None].astype(np.float64)]) if moments.n_missing else scores


@dataclass(frozen=True)
class NumericEmbedding:
    name: str
    moments: Moments

    @property
    def width(self) -> int:
        return 2 if self.moments.n_missing else 1

    def points(self, cells: Cells) -> Matrix:
        numbers = to_numbers(self.name, cells)
        return _scored(numbers.values, numbers.missing, self.moments)

    def coded(self, cells: Cells) -> CodedPoints:
        return CodedPoints.of_numbers(self.points(cells))

    def coordinate(self, cells: Cells) -> Vector:
        return self.points(cells)[:, 0]


@dataclass(frozen=True)
class OrdinalEmbedding:
    values: pa.Array[Any]  # in order
    moments: Moments  # of their positions

    @property
    def width(self) -> int:
        return 2 if self.moments.n_missing else 1

    def points(self, cells: Cells) -> Matrix:
        codes = positions_among(cells, self.values)
        return _scored(codes.astype(np.float64), codes < 0, self.moments)

    def coded(self, cells: Cells) -> CodedPoints:
        return CodedPoints.of_numbers(self.points(cells))

    def coordinate(self, cells: Cells) -> Vector:
        return self.points(cells)[:, 0]


@dataclass(frozen=True)
class ScaledEmbedding:
    """The coordinates of another embedding, multiplied by a factor."""

    place: ColumnEmbedding
    factor: float

    @property
    def width(self) -> int:
        return self.place.width

    def points(self, cells: Cells) -> Matrix:
        return self.place.points(cells) * self.factor

    def coded(self, cells: Cells) -> CodedPoints:
        return self.place.coded(cells).scaled(self.factor)

    def coordinate(self, cells: Cells) -> Vector:
        return self.place.coordinate(cells) * self.factor


@dataclass(frozen=True)
class OneHotEmbedding:
    """One-hot coordinates for every level of the taxonomy; without a taxonomy the values are the only level."""

    values: pa.Array[Any]
    nodes: Ints  # (n_values, n_levels) the node of every value at every level
    with_missing: bool
    along: OrdinalEmbedding  # the same values on a line, in the order of the tree

    @property
    def width(self) -> int:
        return int((self.nodes.max(axis=0) + 1 + self.with_missing).sum())

    def points(self, cells: Cells) -> Matrix:
        return self.coded(cells).coordinates()

    def coded(self, cells: Cells) -> CodedPoints:
        codes = positions_among(cells, self.values)
        n_nodes = self.nodes.max(axis=0) + 1
        nodes = np.where(codes[:, None] < 0, n_nodes, self.nodes[codes])  # missing: a node after all others
        heights = np.full(len(n_nodes), np.sqrt(0.5) * float(np.sqrt(1 / self.nodes.shape[1])))
        return CodedPoints(nodes.astype(np.float64), heights, n_nodes + self.with_missing)

    def coordinate(self, cells: Cells) -> Vector:
        return self.along.coordinate(cells)


def one_hot(codes: Ints, n_values: int, with_missing: bool) -> Matrix:
    """One-hot coordinates; any two values have squared distance 1. Code -1 (missing) indexes the last coordinate."""
    points = np.zeros((len(codes), n_values + with_missing))
    points[np.arange(len(codes)), codes] = np.sqrt(0.5)
    return points


def _categories(column: Column, counts: CountTable) -> OrdinalEmbedding | OneHotEmbedding:
    n = counts.n
    encoded = to_codes(column.name, counts.values, column.order, n)
    known = encoded.codes >= 0
    n_missing = int(n[~known].sum())
    if column.kind == "ordinal":
        return OrdinalEmbedding(encoded.values, _moments_of_positions(encoded.codes[known], n[known], n_missing))
    if encoded.n_values > MAX_VALUES:
        raise TableError.too_many_values(column.name, encoded.n_values, MAX_VALUES)
    nodes, order = np.arange(encoded.n_values)[:, None], np.arange(encoded.n_values)
    if column.taxonomy:
        nodes = column.taxonomy.nodes_above(encoded.texts)
        place = {path[0]: at for at, path in enumerate(column.taxonomy.depth_first)}
        order = np.argsort([place[text] for text in encoded.texts])
    moments = _moments_of_positions(np.argsort(order)[encoded.codes[known]], n[known], n_missing)
    return OneHotEmbedding(encoded.values, nodes, n_missing > 0, OrdinalEmbedding(encoded.values.take(order), moments))


def _moments_of_positions(positions: Ints, n: Ints, n_missing: int) -> Moments:
    """Moments as if every record were added separately: exact, and rounded once."""
    n_known = int(n.sum())
    if not n_known:
        return Moments(0, n_missing, 0.0, 0.0, 0.0, 0.0)
    mean = int((positions * n).sum()) / n_known
    bits = (n[:, None] >> np.arange(62)) & 1  # a square times a power of two is exact, and fsum rounds once
    squares = fsum((((positions - mean) ** 2)[:, None] * 2.0 ** np.arange(62))[bits == 1])
    deviation = float(np.sqrt(squares / n_known)) if len(positions) > 1 else 0.0
    return Moments(n_known, n_missing, float(positions.min()), float(positions.max()), mean, deviation)
