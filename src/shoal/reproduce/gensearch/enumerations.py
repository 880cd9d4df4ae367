"""The published search on one problem with several queues: all look at the same boxes, which are evaluated once."""

from __future__ import annotations

from time import perf_counter

from shoal.methods.generalization.enumeration.enumerate_partitions import run_search
from shoal.methods.generalization.enumeration.enumeration_result import EnumerationResult
from shoal.methods.generalization.enumeration.enumeration_search import EnumerationSearch, KeyName
from shoal.methods.generalization.enumeration.limits import SearchLimits
from shoal.methods.generalization.enumeration.problem import Problem


class Enumerations:
    def __init__(self, problem: Problem) -> None:
        self._problem, self._boxes = problem, problem.box_table(ties=False)

    def search(self, n_nodes: int, max_size: int, key: KeyName = "bound") -> EnumerationResult:
        """From the undivided space, over as many partitions, of which at most ``max_size`` wait."""
        search = EnumerationSearch(self._boxes, key, 1.0, max_size)
        return run_search(self._problem, search, None, SearchLimits(n_nodes=n_nodes), perf_counter())
