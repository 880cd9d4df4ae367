"""The prioritized search of the partition enumeration tree.

Ledger -> the best tree, its cost, a lower bound

Hore et al. (Fig. 13). The most promising partition that waits is taken, its children are looked at, and those wait that
may still lead to a lower cost: their bound is below the best cost so far, or equal to it where all optima are wanted
(the paper's strict test drops ties). In the mode of an approximation c, partitions that cost at most c times their bound
need not wait: what lies beneath is at most that much better. When too many wait, probes look for a lower cost, and if
that does not help the least promising half is dropped; the least bound of all that was dropped still counts, so the
proven factor stays true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf

from shoal.methods.generalization.gensearch.enumeration import members
from shoal.methods.generalization.gensearch.ledger import Ledger
from shoal.methods.generalization.gensearch.legality import Sequence
from shoal.methods.generalization.gensearch.partition_tree import LEAF, Tree, continued, leaves_of
from shoal.methods.generalization.gensearch.probe import Probe
from shoal.methods.generalization.gensearch.queue import Queue, Waiting

N_PROBES = 16  # beneath the most promising ones


@dataclass
class Search:
    """``best`` is a tree, or None while the best cost is that of a partition known from elsewhere."""

    ledger: Ledger
    queue: Queue
    cost: float = inf
    best: Tree | None = None
    approximation: float = 1.0
    n_nodes: int = 0
    optima: list[Tree] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ties = self.ledger.ties
        self.space, self.sequence = self.ledger.space, Sequence.of(self.ledger.space.splits)
        self.probe = Probe(self.ledger)
        root = self.ledger[0]
        self._consider(root.cost, root.floor, (), 0)

    @property
    def lower_bound(self) -> float:
        """No partition costs less."""
        return min(self.cost, self.queue.lower_bound, self.queue.least_left_out)

    @property
    def has_all_optima(self) -> bool:
        return self.ties and not self.queue and self.queue.least_left_out > self.cost

    def start_below(self, cost: float) -> None:
        """A partition of this cost is known from elsewhere."""
        self.cost, self.best = cost, None
        self.optima.clear()

    def step(self, n_nodes: int) -> bool:
        """Looks at the children of the next partitions; False when none is left."""
        for _ in range(n_nodes):
            if not self.queue:
                return False
            self._look_at(self.queue.pop())
            self.n_nodes += 1
            if self.queue.is_full:
                self._make_room()
        return bool(self.queue)

    def _look_at(self, one: Waiting) -> None:
        if not self._may_improve(one.bound):
            return
        for cost, bound, at, split in self._children(one):
            if self._may_improve(bound):
                self._consider(cost, bound, continued(one.tree, at, split), 1 + sum(s != LEAF for s in one.tree))

    def _children(self, one: Waiting) -> Iterator[tuple[float, float, int, int]]:
        """Cost, bound, leaf and split of every legal continuation that holds."""
        leaves = leaves_of(one.tree, self.space, self.sequence)
        entries = [self.ledger[box] for box, _ in leaves.open]
        settled = one.bound - sum(entry.floor for entry in entries)  # what the closed leaves cost
        after = list(accumulate((entry.floor for entry in reversed(entries)), initial=0.0))[-2::-1]
        for at, (entry, (_, forbidden)) in enumerate(zip(entries, leaves.open, strict=True)):
            for split in members(entry.allowed & ~forbidden):
                cost, floor = entry.choices[split]
                yield one.cost - entry.cost + cost, settled + floor + after[at], at, split
            settled += entry.cost

    def _consider(self, cost: float, bound: float, tree: Tree, n_splits: int) -> None:
        """A partition that holds: perhaps the best so far, and perhaps worth looking beneath."""
        if cost < self.cost:
            self.cost, self.best = cost, tree
            self.optima.clear()
        if self.ties and cost == self.cost:
            self.optima.append(tree)
        if cost <= self.approximation * bound and self.approximation > 1:
            self.queue.leave_out(bound)
        else:
            self.queue.push(cost, bound, tree, n_splits)

    def _may_improve(self, bound: float) -> bool:
        return bound < self.cost or (self.ties and bound == self.cost)

    def _make_room(self) -> None:
        for one in self.queue.first(N_PROBES):
            self._probe_beneath(one)
        self.queue.keep(self.cost, self.ties)
        if len(self.queue) > self.queue.max_size // 2:
            self.queue.drop()

    def _probe_beneath(self, one: Waiting) -> None:
        leaves = [box for box, _ in leaves_of(one.tree, self.space, self.sequence).open]
        divided = [self.probe(box) for box in leaves]
        cost = one.cost + sum(cost - self.ledger[box].cost for box, (cost, _) in zip(leaves, divided, strict=True))
        if cost < self.cost:
            self.cost, self.best = cost, (*one.tree, *(node for _, tree in divided for node in tree))
            self.optima.clear()
