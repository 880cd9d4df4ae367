"""Quasi-identifiers of every kind as positions in an order, one coordinate each, so that blocking can halve them.

table, schema -> (n_records, n_quasi_identifiers) float64

    numeric, date   the number
    ordinal         the place in the order
    with taxonomy   the place in the order of the tree: values below one node stand side by side, node by node in the
                    order in which the taxonomy lists them
    nominal         the place among the sorted values: no order is better than another

All as z-scores of the known values; a missing value sits at the mean. Distances are left to embed.py: an order serves
to cut, not to measure.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import Codes, to_codes
from shoal.encode.numbers import to_numbers
from shoal.encode.standardize import moments, z_scores
from shoal.kernels import Labels, Matrix, Vector
from shoal.schema import Column, Schema, Taxonomy


def ordered_points(table: pa.Table, schema: Schema) -> Matrix:
    """The quasi-identifiers of every record as one point."""
    return np.column_stack([ordered_column(schema[name], table[name]) for name in schema.quasi_identifiers])


def ordered_column(column: Column, values: pa.ChunkedArray[Any]) -> Vector:
    """(n_records,)"""
    if column.kind in ("numeric", "date"):
        numbers = to_numbers(column.name, values)
        return _scores(numbers.values, ~numbers.missing)
    codes = to_codes(column.name, values, column.order)
    places = _places(codes, column.taxonomy) if column.taxonomy else np.arange(codes.n_values)
    known = codes.codes >= 0
    return _scores(np.append(places, 0)[codes.codes].astype(np.float64), known)  # code -1 counts from the end


def _places(codes: Codes, taxonomy: Taxonomy) -> Labels:
    """(n_values,) where each value stands among those of the column, in the order of the tree."""
    rank = {path[0]: at for at, path in enumerate(_in_order(taxonomy))}
    ranks = np.array([rank[text] for text in codes.texts], dtype=np.int64)
    return np.argsort(np.argsort(ranks)).astype(np.int64)


def _in_order(taxonomy: Taxonomy) -> list[tuple[str, ...]]:
    """Paths sorted by their nodes from the root down, nodes by their first line."""
    first: dict[tuple[int, str], int] = {}
    for line, path in enumerate(taxonomy.paths):
        for level, node in enumerate(path):
            first.setdefault((level, node), line)
    return sorted(
        taxonomy.paths, key=lambda path: [first[level, path[level]] for level in range(taxonomy.height, -1, -1)]
    )


def _scores(values: Vector, known: np.ndarray) -> Vector:
    scores = np.zeros(len(values))
    if known.any():
        among = np.ascontiguousarray(values[known, None])
        scores[known] = z_scores(among, *moments(among))[:, 0]
    return scores
