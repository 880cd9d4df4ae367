"""Merging of groups that fail a requirement other than k-anonymity with a neighboring group, until all satisfy it.

arrays of one block, Partition -> Partition

Every failing group considers its nearest groups and chooses the one whose merging adds least to the SSE; the cheapest
merges are done first, and no group takes part in two of them before requirements are checked again. Requirements that
the whole block satisfies are met in the end; if even the whole block fails, one group remains and the caller must
decide.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.kernels import Ints, Matrix, Vector
from shoal.plan import Partition

CANDIDATES = 8  # nearest groups that a failing group considers

Holds = Callable[[Partition], NDArray[np.bool_]]  # -> (n_groups,)


def merge_failing(X: Matrix, partition: Partition, holds: Holds) -> Partition:
    """The partition with failing groups merged until ``holds`` is true for all groups, or one group is left."""
    while True:
        failing = np.flatnonzero(~holds(partition))
        if not failing.size or partition.n_groups == 1:
            return partition
        partition = _merge(partition, *cheapest_partners(X, partition, failing))


def cheapest_partners(X: Matrix, partition: Partition, failing: Ints) -> tuple[Ints, Ints]:
    """(group, partner) for every failing group, the cheapest pair first; lower groups first on ties."""
    near, costs = _near_groups(X, partition, failing)
    best = np.lexsort((near, costs), axis=1)[:, 0]
    rows = np.arange(failing.size)
    order = np.lexsort((failing, costs[rows, best]))
    return failing[order], near[rows, best][order]


def nearest_partners(X: Matrix, partition: Partition, failing: Ints) -> Ints:
    """(n_failing, n_near) near groups of every failing group, the cheapest to merge first, last the group itself."""
    near, costs = _near_groups(X, partition, failing)
    return np.take_along_axis(near, np.lexsort((near, costs), axis=1), axis=1)


def _near_groups(X: Matrix, partition: Partition, failing: Ints) -> tuple[Ints, Vector]:
    """(n_failing, n_near) the nearest groups of every failing group, itself among them, and the cost of merging."""
    centroids, sizes = partition.centroids(X), partition.sizes
    near = kernels.nearest_neighbors(centroids, failing, min(CANDIDATES + 1, partition.n_groups))
    return near, _cost_of_merging(centroids, sizes, failing[:, None], near)


def _cost_of_merging(centroids: Matrix, sizes: Ints, group: Ints, others: Ints) -> Vector:
    """Increase of the SSE; infinite for a group with itself."""
    squared = np.zeros(others.shape)
    for column in centroids.T:  # column by column, so that every machine adds in the same order
        squared += (column[group] - column[others]) ** 2
    weight = sizes[group] * sizes[others] / (sizes[group] + sizes[others])
    return np.where(group == others, np.inf, weight * squared)


def _merge(partition: Partition, groups: Ints, partners: Ints) -> Partition:
    """Merges the pairs in their order; a group that already has a partner waits for the next round."""
    into = np.arange(partition.n_groups)
    is_merged = np.zeros(partition.n_groups, dtype=bool)
    for group, partner in zip(groups.tolist(), partners.tolist(), strict=True):
        if not is_merged[group] and not is_merged[partner]:
            into[max(group, partner)] = min(group, partner)
            is_merged[[group, partner]] = True
    return Partition(np.unique(into, return_inverse=True)[1][partition.labels])
