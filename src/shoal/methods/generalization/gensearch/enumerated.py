"""What an enumeration found: a partition, its cost, what no partition costs less than, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from shoal.methods.generalization.found import Moment
from shoal.plan import CutTree


@dataclass(frozen=True, eq=False)
class Enumerated:
    """``optima``: every optimal partition, where all were asked for and none can have been missed."""

    tree: CutTree
    cost: float
    lower_bound: float
    n_nodes: int  # partitions whose children were looked at
    n_dropped: int  # for want of memory; their least bound is in ``lower_bound``
    history: tuple[Moment, ...]
    optima: tuple[CutTree, ...] = ()

    @property
    def factor(self) -> float:
        """The cost is at most so many times that of the optimum."""
        return factor_of(self.history[-1])

    @property
    def gap(self) -> float:
        """How much more than the bound it costs, as a share of the bound."""
        return self.factor - 1

    @property
    def is_optimal(self) -> bool:
        """Proven."""
        return self.lower_bound >= self.cost


def factor_of(now: Moment) -> float:
    return now.cost / now.lower_bound if now.lower_bound else (inf if now.cost else 1.0)
