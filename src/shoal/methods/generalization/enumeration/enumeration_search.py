"""Best-first search of the partition enumeration tree.

BoxTable -> the best tree, its cost, a lower bound

Hore et al. (Fig. 13). The most promising partition is taken from the queue, its children are evaluated, and those are
queued that may still lead to a lower cost: their bound is below the best cost so far, or equal to it if all optima are
requested (the paper's strict test drops ties). With an approximation factor c, partitions that cost at most c times
their bound are not queued: nothing below them is better by more than that factor. When the queue is full, probes search
for a lower cost, and if that does not help the less promising half is dropped; the least bound of everything dropped
still counts, so the proven factor remains valid.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Literal, get_args

from shoal import kernels
from shoal.errors import PolicyError
from shoal.methods.generalization.enumeration.box_table import BoxTable
from shoal.methods.generalization.enumeration.enumeration import Enumeration, Priority
from shoal.methods.generalization.enumeration.partition_tree import Tree
from shoal.methods.generalization.enumeration.probe import Probe

KeyName = Literal["bound", "cost", "ratio"]
N_PROBES = 16  # below the most promising partitions


class EnumerationSearch:
    """The search; all optima are kept if ``ties`` of the box table is true."""

    def __init__(self, box_table: BoxTable, key: KeyName | Priority, approximation: float, max_size: int) -> None:
        self.box_table, self.max_size = box_table, max_size
        self._enumeration = Enumeration(box_table.space, *_key(key), approximation, ties=box_table.ties)
        self._probe = Probe(box_table)
        self._probed: Tree | None = None
        self.state = self._enumeration.state
        self._enter(0)
        self.state.start()

    @property
    def best(self) -> Tree | None:
        """The best tree; None if the best partition was not found by this search."""
        return self._probed if self.state.best is None else tuple(self.state.best)

    @property
    def optima(self) -> list[Tree]:
        """All optimal trees, or none if some may have been missed."""
        is_complete = not self.state.n_waiting and self.state.least_left_out > self.state.cost
        return [tuple(tree) for tree in self.state.optima] if is_complete else []

    def start_below(self, cost: float) -> None:
        """Registers that a partition of this cost is known from elsewhere."""
        self._probed = None
        self.state.start_below(cost)

    def step(self, n_nodes: int, is_over: Callable[[], bool]) -> bool:
        """Evaluates the children of up to ``n_nodes`` partitions, up to the first with boxes that are not known yet.

        Those are evaluated, so that the next step goes on. False when no partition is left. ``is_over``: whether the
        time is over, asked before every box.
        """
        for box in self.state.step(n_nodes, self.max_size):
            if is_over():
                return True
            self._enter(box)
        if self.state.n_waiting >= self.max_size:
            self._drop_half(is_over)
        return self.state.n_waiting > 0

    def _enter(self, box: int) -> None:
        entry = self.box_table[box]
        self._enumeration.enter(box, entry.cost, entry.floor, entry.choices)

    def _drop_half(self, is_over: Callable[[], bool]) -> None:
        """Makes room, unless the time is over before: the queue is as valid with all of its partitions."""
        for tree in self.state.first(N_PROBES):
            found = self._probe.divide_blocks(tuple(tree), is_over)
            if found is None:
                return
            if found.cost < self.state.cost:
                self.start_below(found.cost)
                self._probed = found.tree
        self.state.keep_promising()
        self.state.drop(self.max_size // 2)


def _key(key: KeyName | Priority) -> tuple[kernels.SearchKey, Priority | None]:
    if callable(key):
        return kernels.SearchKey.own, _finite(key)
    if key not in get_args(KeyName):
        raise PolicyError.unknown_choice("priority", key, get_args(KeyName))
    return kernels.SearchKey[key], None


def _finite(priority: Priority) -> Callable[[float, float, int], float]:
    def checked(cost: float, bound: float, n_splits: int) -> float:
        found = float(priority(cost, bound, n_splits))
        if not isfinite(found):
            raise PolicyError.no_priority()
        return found

    return checked
