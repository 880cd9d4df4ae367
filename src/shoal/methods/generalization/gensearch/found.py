"""What a search found: a partition, its cost, what no partition costs less than, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from shoal.plan import CutTree


@dataclass(frozen=True)
class Moment:
    """The state of a search after some seconds and partitions looked at."""

    seconds: float
    n_nodes: int
    cost: float
    lower_bound: float

    @property
    def factor(self) -> float:
        return factor_of(self.cost, self.lower_bound)

    @property
    def told(self) -> str:
        return f"partitions: cost {self.cost:,.0f}, at least {self.lower_bound:,.0f}, factor {self.factor:.4f}"


@dataclass(frozen=True, eq=False)
class Found:
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
        return factor_of(self.cost, self.lower_bound)

    @property
    def gap(self) -> float:
        """The share of the cost that may be too much."""
        return 1 - self.lower_bound / self.cost if self.cost else 0.0

    @property
    def is_optimal(self) -> bool:
        """Proven."""
        return self.lower_bound >= self.cost


def factor_of(cost: float, lower_bound: float) -> float:
    return cost / lower_bound if lower_bound else (inf if cost else 1.0)
