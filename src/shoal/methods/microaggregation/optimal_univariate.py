"""Optimal univariate microaggregation: the groups of one column with the least possible loss.

arrays of one block -> Partition, or one Partition per column

Hansen & Mukherjee (2003), doi:10.1109/TKDE.2003.1209020.

In one dimension some optimal partition has groups of k to 2k - 1 records that are consecutive in sorted order. So the
optimum is a shortest path over the sorted records, found in O(kn) steps: the cheapest way to cut the first i records
ends with one of k possible last groups.

Equal values are sorted by record; of equally cheap cuts the one with the smallest last group is taken. The error of a
group is summed around its running mean, starting from its last record, so a large offset of the column costs no digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.errors import ArrayError
from shoal.kernels import Vector
from shoal.plan import Partition


def optimal_univariate(x: ArrayLike, k: int) -> Partition:
    """Groups of at least ``k`` records with the least sum of squared errors; numbered from the lowest values up."""
    values = kernels.as_vector(x)
    return _best_groups(values, kernels.check_k(k, len(values)))


@dataclass(frozen=True)
class IndividualRanking:
    """Every column in its own optimal groups. Loss is low and so is protection: no two records need be equal."""

    columns: tuple[Partition, ...]

    def sse(self, X: ArrayLike) -> float:
        """Sum of squared errors of all columns, each in its own groups."""
        records = self._records(X)
        return sum(groups.sse(records[:, [j]]) for j, groups in enumerate(self.columns))

    def information_loss(self, X: ArrayLike) -> float:
        """100 * SSE / SST in percent. Zero for constant records."""
        records = self._records(X)
        together = Partition(np.zeros(len(records), dtype=np.int64))
        total = together.sse(records)
        return 100 * self.sse(records) / total if total > 0 else 0.0

    def _records(self, X: ArrayLike) -> kernels.Matrix:
        records = kernels.as_matrix(X)
        if records.shape[1] != len(self.columns):
            raise ArrayError.other_width(len(self.columns), records.shape[1])
        return records


def individual_ranking(X: ArrayLike, k: int) -> IndividualRanking:
    """Optimal groups of every column separately; Defays & Nanopoulos (1993) with optimal instead of fixed groups."""
    records = kernels.as_matrix(X)
    k = kernels.check_k(k, len(records))
    return IndividualRanking(tuple(_best_groups(column, k) for column in records.T))


def _best_groups(values: Vector, k: int) -> Partition:
    ascending = np.argsort(values, kind="stable").astype(np.int64)  # (n,)
    return Partition(kernels.best_cut(np.ascontiguousarray(values)[:, None], ascending, k))
