"""Partition of the records into groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.errors import ArrayError
from shoal.kernels import Ints, Labels, Matrix


@dataclass(frozen=True, eq=False)
class Partition:
    """The group of every record. Groups are numbered 0, 1, ... and none is empty."""

    labels: Labels  # int64 (n_records,)
    _noun: ClassVar[str] = "group"

    def __post_init__(self) -> None:
        labels = kernels.as_labels(self.labels).copy()
        labels.flags.writeable = False
        object.__setattr__(self, "labels", labels)

    @property
    def n_records(self) -> int:
        return int(self.labels.size)

    @property
    def n_groups(self) -> int:
        return int(self.sizes.size)

    @cached_property
    def sizes(self) -> Ints:
        """Number of records in every group, int64 (n_groups,)."""
        return np.bincount(self.labels).astype(np.int64)

    def check(self, k: int) -> Partition:
        """Returns itself; raises ArrayError if a group has fewer than ``k`` records."""
        small = self.sizes < k
        if small.any():
            raise ArrayError.group_below_k(k, int(self.sizes.min()), int(small.sum()))
        return self

    def centroids(self, X: ArrayLike) -> Matrix:
        """Centroid of every group, (n_groups, d)."""
        sums: Matrix = kernels.group_sums(self.records(X), self.labels, self.n_groups)
        return sums / self.sizes[:, None]

    def sse(self, X: ArrayLike) -> float:
        """Sum of squared distances of the records to their group's centroid."""
        return float(kernels.within_groups_sse(self.records(X), self.labels, self.n_groups))

    def information_loss(self, X: ArrayLike) -> float:
        """Information loss in percent: 100 * SSE / SST. Zero for constant records."""
        records = self.records(X)
        total = kernels.within_groups_sse(records, np.zeros_like(self.labels), 1)
        return 100 * self.sse(records) / total if total > 0 else 0.0

    def __repr__(self) -> str:
        sizes = f"{self.sizes.min()} to {self.sizes.max()}"
        return f"{type(self).__name__}({self.n_records} records in {self.n_groups} {self._noun}s of {sizes})"

    def records(self, X: ArrayLike) -> Matrix:
        """``X`` as a matrix for the kernels; an error unless it has one row for every record of the partition."""
        records = kernels.as_matrix(X)
        if len(records) != self.n_records:
            raise ArrayError.other_length(self.n_records, len(records))
        return records
