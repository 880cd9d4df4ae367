"""Result of a search for the best cut tree, and what was proven."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from shoal.methods.generalization.certificate import FULL, NEXT, Certificate
from shoal.plan import CutTree


@dataclass(frozen=True)
class SearchProgress:
    """Progress of the search at one time."""

    seconds: float
    n_nodes: int  # boxes examined
    cost: float
    lower_bound: float


@dataclass(frozen=True)
class PlanLosses:
    """Two losses of a plan: the least of one can be far from the least of the other."""

    plan: str
    discernibility: float
    certainty: float


@dataclass(frozen=True, eq=False)
class GensearchResult:
    """A cut tree whose blocks satisfy all requirements or are suppressed; its cost, and a lower bound on that of any
    other."""

    tree: CutTree
    cost: float
    lower_bound: float
    is_optimal: bool  # proven
    certificate: Certificate
    history: tuple[SearchProgress, ...]  # at the start, at every improvement of the cost or the bound, and at the end
    losses: tuple[PlanLosses, ...] = ()  # of this plan, then of Mondrian's
    was_searched: bool = True  # otherwise tree and bound are those of a certificate, and only the cost was counted

    @property
    def gap(self) -> float:
        """Cost in excess of the lower bound, as a share of the bound; 0 if optimal."""
        if self.is_optimal:
            return 0.0
        return self.cost / self.lower_bound - 1 if self.lower_bound > 0 else float("inf")

    def with_plan_of(self, other: GensearchResult) -> Self:
        """The plan of another search, which suppresses less, beside the bound of this one: it is a bound for that plan,
        too, but the proof that no plan costs less is lost where the two differ."""
        is_optimal = self.is_optimal and other.cost <= self.cost
        last = replace(self.history[-1], cost=other.cost)
        certificate = replace(
            self.certificate,
            cost=other.cost,
            is_optimal=is_optimal,
            how=self.certificate.how if is_optimal else NEXT,
            tree=other.certificate.tree,
            n_suppressed=other.n_suppressed,
        )
        plans = (other.losses[:1] + self.losses[1:], (*self.history, last))
        return replace(
            self,
            tree=other.tree,
            cost=other.cost,
            is_optimal=is_optimal,
            certificate=certificate,
            losses=plans[0],
            history=plans[1],
        )

    @property
    def n_suppressed(self) -> int:
        """Records in blocks that fail, which are not released."""
        return self.certificate.n_suppressed

    @property
    def is_out_of_memory(self) -> bool:
        """Whether it ended because the memory was full, not because of its budget."""
        return self.certificate.how == FULL

    @property
    def n_nodes(self) -> int:
        """Number of boxes examined; passed as ``nodes``, it reproduces the result."""
        return self.history[-1].n_nodes

    def __repr__(self) -> str:
        state = "proven to be the least" if self.is_optimal else f"at most {100 * self.gap:.2f} % above the least"
        full = ", the memory was full" if self.is_out_of_memory else ""
        if self.n_suppressed:
            state += f", {self.n_suppressed:,} records suppressed"
        return f"GensearchResult({self.tree!r}, {self.certificate.loss} {self.cost:,.0f}, {state}{full})"
