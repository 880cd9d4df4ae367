"""Report on a cut tree and on the search that found it: figures, and the top of the tree for a drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.assessment.utility.cut_tree_summary import DrawnNode
from shoal.kernels import Labels
from shoal.methods.generalization.gensearch_result import GensearchResult, PlanLosses, SearchProgress
from shoal.plan import CutTree
from shoal.plan.cut_levels import cut_columns, depths, node_totals

MOST_HISTORY = 300  # of a search


@dataclass(frozen=True)
class SearchSummary:
    """Result of a search: its best cost, the proven lower bound, and how it got there."""

    loss: str
    cost: float
    lower_bound: float
    gap: float  # infinite where nothing is known
    is_optimal: bool
    n_nodes: int  # boxes explored
    history: tuple[SearchProgress, ...]  # begins with Mondrian's plan
    rests_on: tuple[str, ...] = ()  # what users declared of their rules
    losses: tuple[PlanLosses, ...] = ()  # of the best plan, then of Mondrian's
    was_searched: bool = True  # otherwise tree and bound are those of a certificate

    @classmethod
    def of(cls, search_result: GensearchResult) -> SearchSummary:
        step = -(-len(search_result.history) // MOST_HISTORY)
        history = (*search_result.history[:-1:step], search_result.history[-1])
        loss = search_result.certificate.loss
        return cls(
            loss,
            search_result.cost,
            search_result.lower_bound,
            search_result.gap,
            search_result.is_optimal,
            search_result.n_nodes,
            history,
            search_result.certificate.rests_on,
            search_result.losses,
            search_result.was_searched,
        )


@dataclass(frozen=True)
class CutPlan:
    """The tree of a key set within a stratum. Only released records are counted."""

    columns: tuple[str, ...]  # that are cut
    stratum: Mapping[str, str | None]  # the values that all records share; empty without strata
    n_records: int
    n_blocks: int  # with records
    depth: int  # cuts from all records to the deepest block
    smallest: int
    largest: int
    cuts: Mapping[str, int]  # how often every column is cut
    nodes: tuple[DrawnNode, ...] = ()  # the top, where it is drawn
    search: SearchSummary | None = None

    @classmethod
    def of(
        cls,
        tree: CutTree,
        totals: Labels,
        stratum: Mapping[str, str | None],
        search_result: GensearchResult | None = None,
        nodes: tuple[DrawnNode, ...] = (),
    ) -> CutPlan:
        """``totals``: (n_blocks,) released records."""
        is_filled = totals > 0
        columns = cut_columns(tree)[node_totals(tree, totals) > 0]
        n_cuts = np.bincount(columns[columns >= 0], minlength=len(tree.columns)).tolist()
        return cls(
            tree.columns,
            stratum,
            int(totals.sum()),
            int(is_filled.sum()),
            int(depths(tree)[tree.blocks][is_filled].max(initial=0)),
            int(totals[is_filled].min(initial=totals.max(initial=0))),
            int(totals.max(initial=0)),
            dict(zip(tree.columns, n_cuts, strict=True)),
            nodes,
            SearchSummary.of(search_result) if search_result else None,
        )

    def figures(self) -> dict[str, Any]:
        """Public figures, which the classes of the release show as well."""
        return {"columns": list(self.columns), "n_blocks": self.n_blocks, "depth": self.depth}

    def search_figures(self) -> dict[str, Any]:
        """For the owner: costs are computed from the original, and values could be derived from them. No infinity."""
        description = {"columns": list(self.columns), "stratum": dict(self.stratum)}
        if self.search is None:
            return description
        gap = self.search.gap if np.isfinite(self.search.gap) else None
        names = ("loss", "cost", "lower_bound", "is_optimal", "n_nodes")
        return {**description, **{name: getattr(self.search, name) for name in names}, "gap": gap}
