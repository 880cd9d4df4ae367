"""The partitions still to be looked at, the most promising first, and no more of them than memory allows.

Hore et al. (Section 4.2): the key of a partition is its lower bound, its cost, or their ratio; any other function of
both will do. What is left out for good, be it dropped or close enough, leaves its bound behind.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import inf
from typing import Literal, NamedTuple, get_args

from shoal.errors import PolicyError
from shoal.methods.generalization.gensearch.partition_tree import Tree

Priority = Callable[[float, float, int], float]  # cost, lower bound, number of splits -> key, the least first
KeyName = Literal["bound", "cost", "ratio"]


class Waiting(NamedTuple):
    """In the order of the queue: of equal keys the cheaper one, then the first."""

    key: float
    cost: float
    number: int
    bound: float
    tree: Tree


class Queue:
    def __init__(self, priority: Priority, max_size: int) -> None:
        self.priority, self.max_size = priority, max_size
        self.least_left_out = inf
        self.n_dropped = 0
        self._heap: list[Waiting] = []
        self._number = 0

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def is_full(self) -> bool:
        return len(self._heap) >= self.max_size

    @property
    def lower_bound(self) -> float:
        """Of all partitions that were not looked at."""
        return min((one.bound for one in self._heap), default=inf)

    def push(self, cost: float, bound: float, tree: Tree, n_splits: int) -> None:
        self._number += 1
        heapq.heappush(self._heap, Waiting(self.priority(cost, bound, n_splits), cost, self._number, bound, tree))

    def pop(self) -> Waiting:
        return heapq.heappop(self._heap)

    def first(self, n: int) -> list[Waiting]:
        return heapq.nsmallest(n, self._heap)

    def leave_out(self, bound: float) -> None:
        self.least_left_out = min(self.least_left_out, bound)

    def keep(self, below: float, ties: bool) -> None:
        """Only those that may still lead below a cost, or to it."""
        self._heap = [one for one in self._heap if one.bound < below or (ties and one.bound == below)]
        heapq.heapify(self._heap)

    def drop(self) -> None:
        """The least promising ones, until half of the room is free."""
        kept = max(self.max_size // 2, 1)
        self._heap.sort()
        for one in self._heap[kept:]:
            self.leave_out(one.bound)
        self.n_dropped += max(len(self._heap) - kept, 0)
        del self._heap[kept:]


def priority_of(key: KeyName | Priority) -> Priority:
    known: dict[str, Priority] = {
        "bound": lambda cost, bound, n_splits: bound,
        "cost": lambda cost, bound, n_splits: cost,
        "ratio": lambda cost, bound, n_splits: bound / cost if cost else 1.0,
    }
    if callable(key):
        return key
    if key not in known:
        raise PolicyError.unknown_choice("key", key, get_args(KeyName))
    return known[key]
