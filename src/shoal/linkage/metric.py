"""Unscaled coordinates for quasi-identifiers of every kind, and the weights that turn them into a distance.

two tables, schema -> WeightedPoints

The distances are those of the embedding, but without a division or square root before they are compared: a z-score is a
value with the weight 1 / variance, a one-hot coordinate is 0 or 1 with the weight 1 / (2 levels). Weights are
fractions, so that equal distances can be distinguished from nearly equal ones: every weight comes with its residue
modulo 2^61 - 1, for the fingerprints of `src/kernels/linkage/metric.hpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal import kernels
from shoal.encode.codes import positions_among
from shoal.encode.embedding import (
    ColumnEmbedding,
    Embedding,
    NumericEmbedding,
    OneHotEmbedding,
    OrdinalEmbedding,
    one_hot,
)
from shoal.encode.number_column import LARGEST_EXACT, to_numbers
from shoal.encode.statistics import Moments
from shoal.encode.steps import MOST_PLACES
from shoal.kernels import Labels, Matrix, Vector

PRIME = 2**61 - 1

Mask = NDArray[np.bool_]
Residues = NDArray[np.uint64]


@dataclass(frozen=True)
class Weight:
    """A fraction, as a float and as a residue modulo the prime."""

    value: float
    residue: int

    @classmethod
    def of(cls, numerator: int, denominator: int) -> Weight:
        return cls(numerator / denominator, numerator * pow(denominator, -1, PRIME) % PRIME)

    @classmethod
    def of_variance(cls, values: Vector, deviation: float) -> Weight:
        """1 / variance of the values; 0 where they are constant."""
        n, (total, squares) = len(values), kernels.residue_sums(np.ascontiguousarray(values))
        spread = (n * squares - total * total) % PRIME  # n^2 times the variance
        if deviation == 0 or not spread:
            return cls(0.0, 0)
        return cls(1 / deviation**2, n * n * pow(spread, -1, PRIME) % PRIME)


ONE = Weight(1.0, 1)

Coordinates = tuple[Matrix, Sequence[Weight]]  # (n, d) of the records of both files, and d weights


@dataclass(frozen=True, eq=False)
class WeightedPoints:
    """The records of two files, and the weights of the squared differences of their coordinates."""

    original: Matrix  # (n_original, d)
    released: Matrix  # (n_released, d)
    weights: Vector  # (d,)
    residues: Residues  # (d,), or empty: then distances tie only where they are equal to the last bit
    counts: Labels  # (n_released,) records at every released point

    @classmethod
    def of(cls, parts: Iterable[Coordinates], n_original: int) -> WeightedPoints:
        """From columns that hold the records of both files, the original ones first."""
        matrices, weights = zip(*parts, strict=True)
        points = np.ascontiguousarray(np.hstack(matrices))
        all_weights = [weight for some in weights for weight in some]
        return cls(
            points[:n_original],
            points[n_original:],
            np.array([weight.value for weight in all_weights]),
            np.array([weight.residue for weight in all_weights], dtype=np.uint64),
            np.ones(len(points) - n_original, dtype=np.int64),
        )

    @classmethod
    def unscaled(cls, original: Matrix, released: Matrix) -> WeightedPoints:
        """The Euclidean distance of the arrays without scaling; ties are exact where all columns are decimals."""
        both = np.vstack([original, released])
        columns, counts = [Decimals.of(column) for column in both.T], np.ones(len(released), dtype=np.int64)
        if any(column.places is None for column in columns):
            return cls(original, released, np.ones(both.shape[1]), np.empty(0, dtype=np.uint64), counts)
        parts = ((c.values[:, None], [Weight.of(1, c.unit * c.unit)]) for c in columns)
        return cls.of(parts, len(original))


@dataclass(frozen=True, eq=False)
class Decimals:
    """Numbers with a few decimal places, as whole numbers: 0.1, 0.2 and 0.3 are as far apart as 1, 2 and 3."""

    values: Vector
    places: int | None  # None: not such numbers, left as they are

    @classmethod
    def of(cls, values: Vector) -> Decimals:
        for places in range(MOST_PLACES + 1):
            unit = 10.0**places
            integers = np.rint(values * unit)
            if (np.abs(integers) < LARGEST_EXACT).all() and (integers / unit == values).all():
                return cls(integers, places)
        return cls(values, None)

    @property
    def unit(self) -> int:
        """How many units make 1: 10^``places``."""
        return int(10 ** (self.places or 0))


def weighted_points(both: pa.Table, embedding: Embedding, original: Labels, released: Labels) -> WeightedPoints:
    """Coordinates of some records of ``both``, by their numbers, and the weights by an embedding that was fitted to
    all of them."""
    records = np.concatenate([original, released])
    embedding.check_size(len(records))
    parts = zip(embedding.names, embedding.places, strict=True)
    coordinates = (_coordinates(column, both[name], records) for name, column in parts)
    return WeightedPoints.of(coordinates, len(original))


def _coordinates(column: ColumnEmbedding, cells: pa.ChunkedArray[Any], records: Labels) -> Coordinates:
    match column:
        case NumericEmbedding():
            numbers = to_numbers(column.name, cells)
            return _linear_coordinates(numbers.values, numbers.missing, column.moments, records)
        case OrdinalEmbedding():
            codes = positions_among(cells, column.values)
            return _linear_coordinates(codes.astype(np.float64), codes < 0, column.moments, records)
        case OneHotEmbedding():
            codes = positions_among(cells, column.values)[records]
            levels = [(np.where(codes < 0, -1, level[codes]), int(level.max()) + 1) for level in column.nodes.T]
            return one_hot_coordinates(levels, column.with_missing)
    raise AssertionError(f"no coordinates of {column}")


def one_hot_coordinates(levels: Sequence[tuple[Labels, int]], with_missing: bool) -> Coordinates:
    """One-hot coordinates (0 or 1). ``levels``: the codes and the number of values, level by level."""
    points = np.hstack([one_hot(codes, n_values, with_missing) > 0 for codes, n_values in levels]).astype(np.float64)
    return points, [Weight.of(1, 2 * len(levels))] * points.shape[1]


def _linear_coordinates(values: Vector, missing: Mask, moments: Moments, records: Labels) -> Coordinates:
    known = Decimals.of(values[~missing])
    if not moments.n_missing:
        return known.values[records, None], [Weight.of_variance(known.values, moments.deviation * known.unit)]
    known_values, mean, scale = _with_mean(known, moments)
    coordinates = np.full(len(values), mean)
    coordinates[~missing] = known_values
    weight = Weight.of_variance(known_values, moments.deviation * known.unit * scale)
    return np.column_stack([coordinates[records], missing[records].astype(np.float64)]), [weight, ONE]


def _with_mean(known: Decimals, moments: Moments) -> tuple[Vector, float, int]:
    """The known values and their mean, where gaps are placed, times their number: the mean is then a whole number.
    Where that is not exact, the values as they are."""
    n, values = len(known.values), known.values
    if known.places is None or n * float(np.abs(values).sum()) >= LARGEST_EXACT:
        return values, moments.mean * known.unit, 1
    return values * n, float(values.sum()), n
