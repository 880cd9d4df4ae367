"""The rounds of a search: the jobs of a kernel on threads, with the time limit and Ctrl-C in effect at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from shoal import kernels

SECONDS_BETWEEN_CHECKS = 0.1  # seconds between two checks of the time

Result = TypeVar("Result")


@dataclass(frozen=True)
class SearchBudget:
    """Where a search ends: at a time, or after a number of boxes."""

    until: float | None = None
    nodes: int | None = None

    @property
    def is_out_of_time(self) -> bool:
        return self.until is not None and time.monotonic() >= self.until

    def are_reached(self, n_nodes: int) -> bool:
        return self.is_out_of_time or (self.nodes is not None and n_nodes >= self.nodes)

    def first_of(self, n_parts: int, started_at: float, n_nodes: int, otherwise: int) -> SearchBudget:
        """One of ``n_parts`` of the budget from now on, after ``n_nodes``; of a search without limits, ``otherwise``
        boxes."""
        if self.until is not None:
            return replace(self, until=min(self.until, time.monotonic() + (self.until - started_at) / n_parts))
        if self.nodes is not None:
            return replace(self, nodes=min(self.nodes, n_nodes + self.nodes // n_parts))
        return replace(self, nodes=n_nodes + otherwise)


def run_round(kernel: kernels.AndOr, plan: Callable[[], int], pool: ThreadPoolExecutor, limits: SearchBudget) -> int:
    """The number of its jobs."""
    stop = kernel.stop
    [n_jobs] = _run([plan], stop, pool, limits)
    _run([partial(kernel.run, job) for job in range(n_jobs)], stop, pool, limits)
    _run([kernel.merge], stop, pool, limits)
    return n_jobs


def _run(
    work: Sequence[Callable[[], Result]], stop: Callable[[], None], pool: ThreadPoolExecutor, limits: SearchBudget
) -> list[Result]:
    """On other threads than this one: Ctrl-C and the time limit take effect at once, even in large boxes."""
    running = [pool.submit(one) for one in work]
    waiting = set(running)
    try:
        while waiting and not limits.is_out_of_time:
            _, waiting = wait(waiting, SECONDS_BETWEEN_CHECKS)
    finally:
        if waiting:
            stop()
            wait(running)
    return [one.result() for one in running]
