"""Every record gets the quasi-identifiers of its group's centroid.

numeric: mean; date: mean, to the nearest day; ordinal: (lower) median; nominal: most frequent value, the first in
order on ties. A group releases a missing value where at least half of its records miss it; otherwise the centroid
is that of the known values, of two at least. Where the table has a weight, means are weighted, so that weighted
totals are kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal import kernels
from shoal.encode.codes import from_codes, to_codes
from shoal.encode.numbers import Numbers, from_numbers, to_numbers
from shoal.errors import TableError
from shoal.kernels import Labels, Vector
from shoal.plan import Partition
from shoal.schema import Column, Schema


def aggregate(table: pa.Table, schema: Schema, partition: Partition) -> pa.Table:
    """The table with its quasi-identifiers replaced by centroids."""
    weights = _weights(table, schema)
    for at, name in enumerate(table.column_names):
        if name in schema.quasi_identifiers:
            table = table.set_column(at, name, centroid_column(schema[name], table[name], partition, weights))
    return table


def centroid_column(
    column: Column, values: pa.ChunkedArray[Any], partition: Partition, weights: Vector | None = None
) -> pa.Array[Any]:
    """(n_records,) the centroid of the record's group."""
    if column.kind in ("numeric", "date"):
        means = _means(to_numbers(column.name, values), partition, weights)
        return from_numbers(means, values.type, column.decimals).take(partition.labels)
    codes = to_codes(column.name, values, column.order)
    center = _medians if column.kind == "ordinal" else _modes
    return from_codes(center(codes.codes, partition)[partition.labels], codes.values)


def _mostly_missing(missing: NDArray[np.bool_], partition: Partition) -> NDArray[np.bool_]:
    """(n_groups,)"""
    return 2 * np.bincount(partition.labels[missing], minlength=partition.n_groups) >= partition.sizes


def _weights(table: pa.Table, schema: Schema) -> Vector | None:
    """(n_records,) of the first weight column, where there is one."""
    for column in schema.with_role("weight"):
        weights = to_numbers(column.name, table[column.name])
        n_unfit = int(np.count_nonzero(weights.missing | (weights.values <= 0)))
        if n_unfit:
            raise TableError.unfit_weights(column.name, n_unfit)
        return weights.values
    return None


def _means(numbers: Numbers, partition: Partition, weights: Vector | None) -> Numbers:
    """(n_groups,) A missing value holds 0 and weighs 0, and so adds nothing to the sums."""
    known = ~numbers.missing
    weighing = known * (1.0 if weights is None else weights)
    columns = np.column_stack([numbers.values * weighing, weighing])
    sums, total = kernels.group_sums(columns, partition.labels, partition.n_groups).T
    low, high = np.full(partition.n_groups, np.inf), np.full(partition.n_groups, -np.inf)
    np.minimum.at(low, partition.labels[known], numbers.values[known])
    np.maximum.at(high, partition.labels[known], numbers.values[known])
    means = np.where(total > 0, sums, 0.0) / np.where(total > 0, total, 1.0)
    # Rounding must not carry a mean out of the range of its group: of equal values it is that value.
    return Numbers(np.where(total > 0, np.clip(means, low, high), 0.0), _mostly_missing(numbers.missing, partition))


def _medians(codes: Labels, partition: Partition) -> Labels:
    """(n_groups,) lower median of the known codes, -1 where half or more are missing."""
    known = codes >= 0
    if not known.any():
        return np.full(partition.n_groups, -1, dtype=np.int64)
    labels, codes_known = partition.labels[known], codes[known]
    order = np.lexsort((codes_known, labels))
    n_known = np.bincount(labels, minlength=partition.n_groups)
    start = np.cumsum(n_known) - n_known
    middle = np.where(n_known > 0, start + (n_known - 1) // 2, 0)
    return np.where(_mostly_missing(~known, partition), -1, codes_known[order][middle])


def _modes(codes: Labels, partition: Partition) -> Labels:
    """(n_groups,) most frequent known code, the lowest on ties, -1 where half or more are missing."""
    known = codes >= 0
    n_values = int(codes.max()) + 1
    pairs, counts = np.unique(partition.labels[known] * n_values + codes[known], return_counts=True)
    group, code = np.divmod(pairs, n_values)
    order = np.lexsort((code, -counts, group))  # the best of every group first
    modes = np.full(partition.n_groups, -1, dtype=np.int64)
    modes[group[order[::-1]]] = code[order[::-1]]  # the first of a group is written last
    return np.where(_mostly_missing(~known, partition), -1, modes)
