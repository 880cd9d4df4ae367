"""Aggregation: the quasi-identifiers of every record are replaced by the centroid of its group.

numeric, date: mean (of days, rounded to the nearest day); ordinal: lower median; nominal: most frequent value, the
first in order on ties; where the policy asks for it, a controlled category, which keeps the shares of all. A group
releases a missing value where at least half of its records have one; otherwise the centroid is that of the known
values, which must be of at least two records and two units. Where the table has a weight, means are weighted.

A mean with all of its digits discloses the sum of its group, from which whole numbers can be solved. So means of
numbers and times are rounded to the steps of the original, randomly up or down such that the (weighted) total of the
table changes by less than the largest amount that one step of one group adds to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal import kernels
from shoal.encode.codes import Codes, from_codes, to_codes
from shoal.encode.number_column import NumberColumn, from_numbers, to_numbers
from shoal.encode.steps import exact_last_digit, from_last_digit
from shoal.errors import TableError
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.plan import Partition
from shoal.release.controlled_categories import CategoryPairs, controlled_categories, random_shares
from shoal.release.controlled_rounding import controlled_rounding
from shoal.rng import RandomStream, Rng
from shoal.schema import Column, Schema

AS_GOOD_AS_WHOLE = 2.0**-50  # floating-point error of a whole mean, relative to the largest number
FARTHEST_FROM_WHOLE = 2.0**-10  # largest error that is tolerated, in steps


@dataclass(frozen=True)
class Centroids:
    """Centroids of the groups of a partition, column by column. Without ``rng`` no mean is rounded.

    weights   (n_records,) weights of the means; None: all are 1
    released  (n_records,) which records are released: rounding preserves the totals of these; None: all
    units     (n_records,) unit of each record; None: each record is a unit of its own
    controlled  categories are chosen such that their shares hardly change, instead of modes and medians
    """

    partition: Partition
    weights: Vector | None = None
    rng: Rng | None = None
    released: NDArray[np.bool_] | None = None
    units: Labels | None = None
    controlled: bool = False

    def group_weights(self) -> Vector:
        """(n_groups,) what each group adds to a total of the release per step of its mean: its released weight."""
        added = self._record_weights if self.released is None else self._record_weights * self.released
        column = np.ascontiguousarray(added[:, None])
        return kernels.group_sums(column, self.partition.labels, self.partition.n_groups)[:, 0]

    @property
    def _record_weights(self) -> Vector:
        return np.ones(self.partition.n_records) if self.weights is None else self.weights

    def column(self, column: Column, values: pa.ChunkedArray[Any]) -> pa.Array[Any]:
        """(n_records,) the centroid of the record's group."""
        partition = self.partition
        if column.kind in ("numeric", "date"):
            return from_numbers(self._means(column, values), values.type, column.decimals).take(partition.labels)
        codes = to_codes(column.name, values, column.order)
        center = (_medians if column.kind == "ordinal" else _modes)(codes.codes, partition)
        without = self._without_centroid(codes.codes < 0)
        if self.controlled and self.rng is not None:
            draws = self.rng.for_purpose(f"categories of {column.name}")
            center = self._controlled(codes, center, ~without, draws, is_ordered=column.kind == "ordinal")
        released_codes = np.where(without, -1, center)
        return from_codes(released_codes[partition.labels], codes.values)

    def _controlled(
        self, codes: Codes, center: Labels, shown: NDArray[np.bool_], draws: RandomStream, *, is_ordered: bool
    ) -> Labels:
        """(n_groups,) controlled categories of the groups that are released with one; ``center`` of all others."""
        sizes, labels, known = self.group_weights(), self.partition.labels, codes.codes >= 0
        shown = shown & (sizes > 0)
        if not shown.any():
            return center
        rows = known & shown[labels]
        number = np.cumsum(shown) - 1
        pairs = CategoryPairs.of(number[labels[rows]], codes.codes[rows], self._record_weights[rows])
        column = np.ascontiguousarray(self._record_weights[known][:, None])
        in_block = kernels.group_sums(column, codes.codes[known], codes.n_values)[:, 0]
        shares = random_shares(in_block / in_block.sum(), int(np.count_nonzero(shown)), draws)
        found = center.copy()
        found[shown] = controlled_categories(pairs, sizes[shown], shares, draws, is_ordered=is_ordered)
        return found

    def _without_centroid(self, missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n_groups,) whether a group releases no centroid: at least half of its values are missing, or all known
        values are of one unit."""
        n_groups, labels = self.partition.n_groups, self.partition.labels
        mostly: NDArray[np.bool_] = 2 * np.bincount(labels[missing], minlength=n_groups) >= self.partition.sizes
        if self.units is None:
            return mostly
        first, last = np.full(n_groups, len(labels)), np.full(n_groups, -1)
        np.minimum.at(first, labels[~missing], self.units[~missing])
        np.maximum.at(last, labels[~missing], self.units[~missing])
        return mostly | (first >= last)

    def _means(self, column: Column, values: pa.ChunkedArray[Any]) -> NumberColumn:
        """(n_groups,) the means, rounded where the column has a step."""
        numbers = to_numbers(column.name, values)
        step, decimals = column.step_of_means, column.decimals or 0
        if self.rng is None or step is None:
            return self._known_means(numbers)
        narrow = values.type.to_pandas_dtype() if pa.types.is_floating(values.type) else np.float64
        units = exact_last_digit(numbers.values.astype(narrow), decimals)
        apart, offset = (int(each * Fraction(10) ** decimals) for each in (step, column.offset_of_means))
        steps = NumberColumn((units - offset) / apart, numbers.missing)
        means = self._known_means(steps)
        draws = self.rng.for_purpose(f"rounding of {column.name}")
        added = np.where(means.missing, 0.0, self.group_weights())
        whole = controlled_rounding(_snapped_to_whole(means.values, steps.values), added, draws)
        return NumberColumn(from_last_digit(whole * apart + offset, decimals), means.missing)

    def _known_means(self, numbers: NumberColumn) -> NumberColumn:
        """(n_groups,) the means of the known values; missing where a group releases no centroid."""
        return NumberColumn(_means(numbers, self.partition, self.weights), self._without_centroid(numbers.missing))


def aggregate(
    table: pa.Table,
    schema: Schema,
    partition: Partition,
    rng: Rng | None = None,
    released: NDArray[np.bool_] | None = None,
    *,
    controlled: bool = False,
) -> pa.Table:
    """The table with its quasi-identifiers replaced by centroids; means are rounded where there is ``rng``.

    ``controlled``: the categories of groups keep the shares of all records.
    """
    centroids = Centroids(partition, _weights(table, schema), rng, released, _units(table, schema), controlled)
    for at, name in enumerate(table.column_names):
        if name in schema.quasi_identifiers:
            table = table.set_column(at, name, centroids.column(schema[name], table[name]))
    return table


def _snapped_to_whole(means: Vector, steps: Vector) -> Vector:
    """(n_groups,) the means, with those replaced by a whole number that differ from it only by floating-point error."""
    near = min(AS_GOOD_AS_WHOLE * float(np.abs(steps).max()), FARTHEST_FROM_WHOLE)
    whole = np.rint(means)
    return np.where(np.abs(means - whole) <= near, whole, means)


def _weights(table: pa.Table, schema: Schema) -> Vector | None:
    """(n_records,) the first weight column; None where there is none."""
    for column in schema.with_role("weight"):
        weights = to_numbers(column.name, table[column.name])
        n_unfit = int(np.count_nonzero(weights.missing | (weights.values <= 0)))
        if n_unfit:
            raise TableError.invalid_weights(column.name, n_unfit)
        return weights.values
    return None


def _units(table: pa.Table, schema: Schema) -> Labels | None:
    """(n_records,) unit codes of the records, a new one for a record without a unit; None without a unit column."""
    if schema.unit is None:
        return None
    codes = to_codes(schema.unit.name, table[schema.unit.name]).codes
    alone = codes < 0
    return np.where(alone, codes.max(initial=-1) + np.cumsum(alone), codes)


def _means(numbers: NumberColumn, partition: Partition, weights: Vector | None) -> Vector:
    """(n_groups,) (weighted) means. A missing value is stored as 0 with weight 0, and so adds nothing to the sums."""
    known = ~numbers.missing
    known_weights = known * (1.0 if weights is None else weights)
    columns = np.column_stack([numbers.values * known_weights, known_weights])
    sums, total = kernels.group_sums(columns, partition.labels, partition.n_groups).T
    low, high = np.full(partition.n_groups, np.inf), np.full(partition.n_groups, -np.inf)
    np.minimum.at(low, partition.labels[known], numbers.values[known])
    np.maximum.at(high, partition.labels[known], numbers.values[known])
    means = np.where(total > 0, sums, 0.0) / np.where(total > 0, total, 1.0)
    # Rounding must not move a mean out of the range of its group: the mean of equal values is that value.
    return np.where(total > 0, np.clip(means, low, high), 0.0)


def _medians(codes: Labels, partition: Partition) -> Labels:
    """(n_groups,) lower median of the known codes."""
    known = codes >= 0
    if not known.any():
        return np.full(partition.n_groups, -1, dtype=np.int64)
    labels, codes_known = partition.labels[known], codes[known]
    order = np.lexsort((codes_known, labels))
    n_known = np.bincount(labels, minlength=partition.n_groups)
    start = np.cumsum(n_known) - n_known
    middle = np.where(n_known > 0, start + (n_known - 1) // 2, 0)
    return codes_known[order][middle]


def _modes(codes: Labels, partition: Partition) -> Labels:
    """(n_groups,) most frequent known code, the lowest on ties, -1 where none is known."""
    known = codes >= 0
    labels, codes_known = partition.labels[known], codes[known]
    first, pair = distinct_combinations([labels, codes_known], labels.size)
    group, code, counts = labels[first], codes_known[first], np.bincount(pair)
    order = np.lexsort((code, -counts, group))  # the mode of every group first
    modes = np.full(partition.n_groups, -1, dtype=np.int64)
    modes[group[order[::-1]]] = code[order[::-1]]  # written in reverse, so that the first of a group prevails
    return modes
