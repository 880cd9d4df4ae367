"""What a search for the best cut tree has found, and what it has proved."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.methods.generalization.certificate import FULL, Certificate
from shoal.plan import CutTree


@dataclass(frozen=True)
class Moment:
    """How far the search was."""

    seconds: float
    n_nodes: int  # boxes looked into
    cost: float
    lower_bound: float


@dataclass(frozen=True, eq=False)
class Found:
    """A cut tree that holds all that was asked, what it costs, and what no other can go below."""

    tree: CutTree
    cost: float
    lower_bound: float
    is_optimal: bool  # proven
    certificate: Certificate
    history: tuple[Moment, ...]  # at the start, wherever the cost or the bound got better, and at the end

    @property
    def gap(self) -> float:
        """How much more than the bound it costs, as a share of the bound; 0 where it is optimal."""
        if self.is_optimal:
            return 0.0
        return self.cost / self.lower_bound - 1 if self.lower_bound > 0 else float("inf")

    @property
    def is_out_of_memory(self) -> bool:
        """Whether it ended because the memory was full, and not by its budget."""
        return self.certificate.how == FULL

    @property
    def n_nodes(self) -> int:
        """Boxes looked into; given as ``nodes`` the search comes to the same result again."""
        return self.history[-1].n_nodes

    def __repr__(self) -> str:
        state = "proven to be the least" if self.is_optimal else f"at most {100 * self.gap:.2f} % above the least"
        full = ", the memory was full" if self.is_out_of_memory else ""
        return f"Found({self.tree!r}, {self.certificate.loss} {self.cost:,.0f}, {state}{full})"
