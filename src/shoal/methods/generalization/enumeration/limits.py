"""Limits of a search before the optimum is proven: a time, a number of partitions, or a factor."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from time import perf_counter

from shoal import progress
from shoal.errors import PolicyError
from shoal.methods.generalization.enumeration.enumeration_result import factor_of
from shoal.methods.generalization.enumeration.enumeration_search import EnumerationSearch
from shoal.methods.generalization.gensearch_result import SearchProgress

NODES_PER_CHECK = 256  # partitions between two checks of the time, at most; the first new box ends a step, too
SECONDS_PER_ENTRY = 1.0  # seconds between two entries of the history


@dataclass(frozen=True)
class SearchLimits:
    """Limits. ``n_nodes`` has the same effect on every machine, ``seconds`` has not."""

    seconds: float | None = None
    n_nodes: int | None = None
    factor: float = 1.0

    def __post_init__(self) -> None:
        if self.factor < 1:
            raise PolicyError.too_small("factor", 1, self.factor, "nothing is better than the optimum")

    def run(self, search: EnumerationSearch, began: float) -> tuple[SearchProgress, ...]:
        """Searches until a limit is reached, ``seconds`` counted from ``began``.

        Ctrl-C stops it, too: the best result so far is valid.
        """
        history = [_progress(began, search)]
        try:
            while not self._is_over(history[-1]) and self._search_on(search, history[-1], began):
                history.append(_progress(began, search))
        except KeyboardInterrupt:
            pass
        return *history, _progress(began, search)

    def _search_on(self, search: EnumerationSearch, now: SearchProgress, began: float) -> bool:
        """Searches for about a second; False when nothing is left to do."""
        end = inf if self.seconds is None else began + self.seconds
        goes_on, until = True, min(end, perf_counter() + SECONDS_PER_ENTRY)
        with progress.stage(_progress_text(now), self.n_nodes or 0) as at:
            while goes_on and perf_counter() < until and self._stride(search):
                goes_on = search.step(self._stride(search), lambda: perf_counter() >= end)
                at(search.state.n_nodes)
        return goes_on

    def _is_over(self, now: SearchProgress) -> bool:
        return (
            (self.seconds is not None and now.seconds >= self.seconds)
            or (self.n_nodes is not None and now.n_nodes >= self.n_nodes)
            or (self.factor > 1 and factor_of(now) <= self.factor)
        )

    def _stride(self, search: EnumerationSearch) -> int:
        return NODES_PER_CHECK if self.n_nodes is None else min(NODES_PER_CHECK, self.n_nodes - search.state.n_nodes)


def _progress(began: float, search: EnumerationSearch) -> SearchProgress:
    state = search.state
    return SearchProgress(perf_counter() - began, state.n_nodes, state.cost, state.lower_bound)


def _progress_text(now: SearchProgress) -> str:
    return f"partitions: cost {now.cost:,.0f}, at least {now.lower_bound:,.0f}, factor {factor_of(now):.4f}"
