"""When a search stops before the optimum is proven: after a time, a number of partitions, or within a factor."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from shoal import progress
from shoal.errors import PolicyError
from shoal.methods.generalization.gensearch.found import Moment, factor_of
from shoal.methods.generalization.gensearch.search import Search

STRIDE = 256  # partitions between two looks at the clock


@dataclass(frozen=True)
class Limits:
    """``n_nodes`` is the same on every machine, ``seconds`` is not."""

    seconds: float | None = None
    n_nodes: int | None = None
    factor: float = 1.0

    def __post_init__(self) -> None:
        if self.factor < 1:
            raise PolicyError.too_small("factor", 1, self.factor, "nothing is better than the optimum")

    def run(self, search: Search) -> tuple[Moment, ...]:
        """Searches until something says stop. Ctrl-C does, too: what was found so far is valid."""
        began, history = perf_counter(), [Moment(0.0, 0, search.cost, search.lower_bound)]
        with progress.stage("enumerating partitions", self.n_nodes or 0) as at:
            try:
                while not self._is_over(history[-1]) and search.step(self._stride(search)):
                    history.append(Moment(perf_counter() - began, search.n_nodes, search.cost, search.lower_bound))
                    at(search.n_nodes)
            except KeyboardInterrupt:
                pass
        return *history, Moment(perf_counter() - began, search.n_nodes, search.cost, search.lower_bound)

    def _is_over(self, now: Moment) -> bool:
        return (
            (self.seconds is not None and now.seconds >= self.seconds)
            or (self.n_nodes is not None and now.n_nodes >= self.n_nodes)
            or (self.factor > 1 and factor_of(now.cost, now.lower_bound) <= self.factor)
        )

    def _stride(self, search: Search) -> int:
        return STRIDE if self.n_nodes is None else min(STRIDE, self.n_nodes - search.n_nodes)
