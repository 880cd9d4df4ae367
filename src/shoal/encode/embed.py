"""Quasi-identifiers of every kind as points in Euclidean space, so that one fast path serves all.

table, schema -> (n_records, d) float64

    numeric, date   z-scores
    ordinal         z-scores of the position in the order
    nominal         one coordinate per value, scaled so that two different values are 1 apart (squared)
    with taxonomy   the same for every level, scaled so that the squared distance of two values is the height of
                    their lowest common ancestor over the height of the tree

Missing is a value of its own: missing and missing are alike, missing and known differ by 1 (squared), and for
numeric and ordinal columns the missing value sits at the mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import Codes, to_codes
from shoal.encode.numbers import to_numbers
from shoal.encode.standardize import moments, z_scores
from shoal.errors import TableError
from shoal.kernels import Labels, Matrix, Vector
from shoal.schema import Column, Schema, Taxonomy

MOST_BYTES = 4 * 2**30  # of all points together
MOST_VALUES = 1000  # of a nominal column: each is a coordinate of every record


def embed(table: pa.Table, schema: Schema) -> Matrix:
    """The quasi-identifiers of every record as one point."""
    parts: list[Matrix] = []
    for name in schema.quasi_identifiers:
        parts.append(embed_column(schema[name], table[name]))
        d = sum(part.shape[1] for part in parts)
        if len(table) * d * 8 > MOST_BYTES:
            raise TableError.too_wide(len(table), d, MOST_BYTES)
    return np.hstack(parts)


def embed_column(column: Column, values: pa.ChunkedArray[Any]) -> Matrix:
    """(n_records, d_column)"""
    if column.kind in ("numeric", "date"):
        numbers = to_numbers(column.name, values)
        return _line(numbers.values, numbers.missing)
    codes = to_codes(column.name, values, column.order)
    if column.kind == "ordinal":
        return _line(codes.codes.astype(np.float64), codes.codes < 0)
    if codes.n_values > MOST_VALUES:
        raise TableError.too_many_values(column.name, codes.n_values, MOST_VALUES)
    return _levels(codes, column.taxonomy) if column.taxonomy else corners(codes.codes, codes.n_values)


def _line(values: Vector, missing: NDArray[np.bool_]) -> Matrix:
    """z-scores of the known values; where some are missing a second coordinate tells them apart."""
    scores = np.zeros((len(values), 1))
    known = ~missing
    if known.any():
        among = np.ascontiguousarray(values[known, None])
        scores[known] = z_scores(among, *moments(among))
    return np.hstack([scores, missing[:, None].astype(np.float64)]) if missing.any() else scores


def corners(codes: Labels, n_values: int) -> Matrix:
    """A corner for every value, missing among them; all are 1 apart (squared)."""
    points = np.zeros((len(codes), n_values + 1))  # the last one is missing: code -1 counts from the end
    points[np.arange(len(codes)), codes] = np.sqrt(0.5)
    return points if (codes < 0).any() else points[:, :-1]


def _levels(codes: Codes, taxonomy: Taxonomy) -> Matrix:
    """Corners for the nodes of every level, weighted so that all levels together are 1 apart (squared)."""
    nodes = taxonomy.nodes_above(codes.texts)  # (n_values, height)
    node_of = np.where(codes.codes[:, None] < 0, -1, nodes[codes.codes])  # (n_records, height)
    levels: Matrix = np.hstack([corners(level, int(level.max()) + 1) for level in node_of.T])
    return levels * float(np.sqrt(1 / taxonomy.height))
