"""Pool of candidate groups, from searches or from pricing, out of which the best partition is chosen.

A partition is a choice of groups that covers every record once: a set-partitioning problem, solved by HiGHS
(doi:10.1007/s12532-017-0130-5). Its linear relaxation yields prices of the records; the integer problem starts from the
best known partition, without which it finds none.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Matrix, Vector

Group = tuple[int, ...]  # records, ascending


class Pool:
    """Distinct groups of records in order of arrival, with the SSE of each."""

    def __init__(self, records: Matrix) -> None:
        self.records = records
        self.groups: list[Group] = []
        self.costs: list[float] = []
        self._number: dict[Group, int] = {}

    def __len__(self) -> int:
        return len(self.groups)

    def add(self, groups: NDArray[np.integer]) -> int:
        """Adds groups of equal size, (n_groups, size). Returns how many are new."""
        ordered = np.sort(groups, axis=1)
        members = self.records[ordered]  # (n_groups, size, d)
        costs = ((members - members.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).sum(axis=1)  # (n_groups,)
        n_before = len(self)
        for group, cost in zip(map(tuple, ordered.tolist()), costs.tolist(), strict=True):
            if group not in self._number:
                self._number[group] = len(self.groups)
                self.groups.append(group)
                self.costs.append(cost)
        return len(self) - n_before

    def add_partition(self, labels: Labels) -> int:
        """Adds all groups of a partition. Returns how many are new."""
        sizes = np.bincount(labels)
        by_group = np.argsort(labels, kind="stable")
        start = np.cumsum(sizes) - sizes
        return sum(
            self.add(by_group[start[sizes == size][:, None] + np.arange(size)]) for size in np.unique(sizes).tolist()
        )

    def numbers(self, labels: Labels) -> list[int]:
        """The positions in the pool of the groups of a partition."""
        members: dict[int, list[int]] = {}
        for record, group in enumerate(labels.tolist()):
            members.setdefault(group, []).append(record)
        return [self._number[tuple(group)] for group in members.values()]

    def labels(self, numbers: Iterable[int]) -> Labels:
        """The partition consisting of these groups."""
        labels = np.full(len(self.records), -1, dtype=np.int64)
        for label, number in enumerate(numbers):
            labels[list(self.groups[number])] = label
        return labels

    def reduced_costs(self, duals: Vector) -> Vector:
        """SSE of every group minus the duals of its records, (n_groups,)."""
        sizes = np.fromiter(map(len, self.groups), dtype=np.int64, count=len(self))
        members = np.fromiter(
            (record for group in self.groups for record in group), dtype=np.int64, count=int(sizes.sum())
        )
        return np.asarray(self.costs) - np.add.reduceat(duals[members], np.cumsum(sizes) - sizes)
