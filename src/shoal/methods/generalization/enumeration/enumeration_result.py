"""Result of an enumeration: a partition, its cost, a lower bound on the cost of any partition, and the history."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from shoal.methods.generalization.gensearch_result import SearchProgress
from shoal.plan import CutTree


@dataclass(frozen=True, eq=False)
class EnumerationResult:
    """An enumeration's result. ``optima``: every optimal partition, if requested and none can have been missed."""

    tree: CutTree
    cost: float
    lower_bound: float
    n_nodes: int  # partitions whose children were examined
    n_dropped: int  # for lack of memory; their least bound is included in ``lower_bound``
    history: tuple[SearchProgress, ...]
    optima: tuple[CutTree, ...] = ()

    @property
    def factor(self) -> float:
        """The cost is at most this many times the optimum."""
        return factor_of(self.history[-1])

    @property
    def gap(self) -> float:
        """Cost in excess of the lower bound, as a share of the bound."""
        return self.factor - 1

    @property
    def is_optimal(self) -> bool:
        """Whether the partition is proven to be optimal."""
        return self.lower_bound >= self.cost


def factor_of(now: SearchProgress) -> float:
    return now.cost / now.lower_bound if now.lower_bound else (inf if now.cost else 1.0)
