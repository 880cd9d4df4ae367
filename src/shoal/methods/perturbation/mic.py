"""MIC-vm-k: microaggregation of v columns at a time, one set of columns after the other.

arrays of one block -> masked columns

Domingo-Ferrer & Mateo-Sanz (2002), doi:10.1109/69.979982; the name is from the comparison by Domingo-Ferrer & Torra.

The first v columns are grouped by MDAV and every record gets the mean of its group, then the next v columns are grouped
independently, and so on; the last set may be smaller. Loss is lower than when grouping all columns at once, and so is
protection: a record shares its values with k - 1 others in every set, but not with the same ones, so there is no
k-anonymity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.encode.embedding import embed
from shoal.encode.number_column import NumberColumn
from shoal.errors import PerturbationError
from shoal.kernels import Matrix
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.perturbation.perturbation_method import NUMBERS, PerturbationMethod, numbers_of, with_rounded_numbers
from shoal.plan import Partition
from shoal.rng import Rng
from shoal.schema import Column, Schema


def mic(X: ArrayLike, k: int, *, v: int) -> Matrix:
    """The group means of ``X``, with separate groups of ``k`` for every ``v`` columns. Standardize ``X`` first."""
    records = kernels.as_matrix(X)
    sets = [np.ascontiguousarray(records[:, list(columns)]) for columns in _sets(records.shape[1], v)]
    partitions = [mdav(part, k) for part in sets]
    return np.hstack([found.centroids(part)[found.labels] for found, part in zip(partitions, sets, strict=True)])


@dataclass(frozen=True)
class Mic(PerturbationMethod):
    """MIC-vm-k as the method of a policy.

    v  columns that are grouped together
    k  records per group
    """

    v: int = 3
    k: int = 3
    name: Literal["mic"] = "mic"

    applies_to: ClassVar = NUMBERS
    produces_numbers: ClassVar = True
    replaces_all: ClassVar = True
    groups_columns: ClassVar = True

    def __post_init__(self) -> None:
        _check_v(self.v)
        if self.k < 2:
            raise PerturbationError.outside("mic.k", "2 or more", self.k)

    @property
    def is_replayable(self) -> bool:
        return True

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        """Distances are of z-scores; missing values stay missing, and means are of the known values."""
        chosen, released = self.target_columns(table, schema), table
        for places in _sets(len(chosen), self.v):
            together = [chosen[place] for place in places]
            partition = mdav(embed(table, _as_quasi_identifiers(together)), self.k)
            for column in together:
                released = with_rounded_numbers(released, column, _means(numbers_of(table, column), partition))
        return released


def _sets(d: int, v: int) -> Iterator[range]:
    _check_v(v)
    return (range(first, min(first + v, d)) for first in range(0, d, v))


def _check_v(v: int) -> None:
    if v < 1:
        raise PerturbationError.outside("mic.v", "1 or more columns", v)


def _as_quasi_identifiers(columns: list[Column]) -> Schema:
    return Schema([Column(column.name, "quasi_identifier", column.kind) for column in columns])


def _means(numbers: NumberColumn, partition: Partition) -> NumberColumn:
    """(n_records,) the mean of the group's known values; missing where only one is known, as it would be disclosed."""
    sums = kernels.group_sums(numbers.values[:, None], partition.labels, partition.n_groups)[:, 0]
    n_known = np.bincount(partition.labels, weights=~numbers.missing, minlength=partition.n_groups)
    means = sums / np.maximum(n_known, 1)
    return NumberColumn(means[partition.labels], numbers.missing | (n_known < 2)[partition.labels])
