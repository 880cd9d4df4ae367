"""Set partitioning over a pool of groups, by HiGHS: the linear relaxation and the integer problem."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from shoal.kernels import Labels, Vector
from shoal.methods.microaggregation.pool import Group, Pool

if TYPE_CHECKING:
    import highspy


class Relaxation:
    """The linear relaxation, warm-started while the pool grows."""

    def __init__(self, pool: Pool, threads: int = 1) -> None:
        self._pool = pool
        self._n_columns = 0
        self._scale = scale_of(pool)
        self._solver = _solver(threads)
        _add_rows(self._solver, len(pool.records))

    def solve(self, seconds: float) -> tuple[float, Vector]:
        """Its value and the dual of every record, (n_records,); the current ones when time is up."""
        self._solver.setOptionValue("time_limit", self._solver.getRunTime() + max(0.1, seconds))
        fresh = slice(self._n_columns, None)
        _add_columns(self._solver, self._pool.groups[fresh], [self._scale * cost for cost in self._pool.costs[fresh]])
        self._n_columns = len(self._pool)
        _run(self._solver)
        duals = np.asarray(self._solver.getSolution().row_dual, dtype=np.float64)
        return float(self._solver.getInfo().objective_function_value) / self._scale, duals / self._scale


@dataclass(frozen=True, eq=False)
class PoolSolution:
    """The best partition found in a pool, and a lower bound on all partitions composed of its groups."""

    labels: Labels
    bound: float
    is_optimal: bool


def choose(
    pool: Pool, numbers: Sequence[int], start: Labels, seconds: float | None, n_nodes: int | None = None
) -> PoolSolution:
    """The best partition composed of the groups ``numbers`` of the pool and those of ``start``, the first solution."""
    import highspy

    start_groups = pool.numbers(start)
    columns = sorted({*numbers, *start_groups})
    solver = _solver(threads=1)
    _add_rows(solver, len(pool.records))
    scale = scale_of(pool)
    _add_columns(solver, [pool.groups[at] for at in columns], [scale * pool.costs[at] for at in columns])
    every = np.arange(len(columns), dtype=np.int32)
    solver.changeColsIntegrality(len(columns), every, np.ones(len(columns), dtype=np.uint8))
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.0)
    if seconds is not None:
        solver.setOptionValue("time_limit", max(0.1, float(seconds)))
    if n_nodes is not None:
        solver.setOptionValue("mip_max_nodes", n_nodes)
    first = highspy.HighsSolution()
    in_start = set(start_groups)
    first.col_value = [float(at in in_start) for at in columns]
    solver.setSolution(first)
    _run(solver)
    values = np.asarray(solver.getSolution().col_value)
    chosen = [columns[at] for at in np.flatnonzero(values > 0.5)] if len(values) == len(columns) else start_groups
    labels = pool.labels(chosen)
    if labels.min() < 0:
        labels = pool.labels(start_groups)
    status = solver.getModelStatus()
    return PoolSolution(
        labels, float(solver.getInfo().mip_dual_bound) / scale, status == highspy.HighsModelStatus.kOptimal
    )


def scale_of(pool: Pool) -> float:
    """A power of two that brings the variance of a record close to 1, as the solver's tolerances are absolute."""
    spread = float(np.mean(np.var(pool.records, axis=0)))
    return float(2.0 ** -round(np.log2(spread))) if spread > 0 else 1.0


def _run(solver: highspy.Highs) -> None:
    """Runs to the end or the limits. The main thread waits in small steps, so that Ctrl-C is handled."""
    if threading.current_thread() is not threading.main_thread():
        solver.run()
        return
    solver.HandleUserInterrupt = True
    solver.startSolve()
    try:
        while not solver.wait(0.1)[0]:
            pass
    except BaseException:
        solver.cancelSolve()  # type: ignore[no-untyped-call]
        solver.wait(-1)
        raise


def _solver(threads: int) -> highspy.Highs:
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", threads)
    return solver


def _add_rows(solver: highspy.Highs, n_records: int) -> None:
    ones, zeros = np.ones(n_records), np.zeros(n_records, dtype=np.int32)
    nothing = np.array([], dtype=np.int32)
    solver.addRows(n_records, ones, ones, 0, zeros, nothing, nothing.astype(np.float64))


def _add_columns(solver: highspy.Highs, groups: Sequence[Group], costs: Sequence[float]) -> None:
    n = len(groups)
    if n == 0:
        return
    sizes = np.fromiter(map(len, groups), dtype=np.int32, count=n)
    members = np.fromiter((record for group in groups for record in group), dtype=np.int32, count=int(sizes.sum()))
    starts = (np.cumsum(sizes) - sizes).astype(np.int32)
    solver.addCols(n, np.asarray(costs), np.zeros(n), np.ones(n), len(members), starts, members, np.ones(len(members)))
