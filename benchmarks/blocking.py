"""2^d-tree blocking: CPU seconds, peak memory and information loss of the same workload, one process each.

    python benchmarks/blocking.py            all workloads
    python benchmarks/blocking.py tree       those whose name begins so

A workload protects uniform records: standardize, tree, MDAV within its blocks (k = 3), centroids. "sort" is the same
relative to the time in which DuckDB sorts the same table by one column; "linear" the cost of ten times the records;
"repair" the loss after repair across borders relative to that of MDAV without blocks. blocking_rules.py compares rules
on fifteen tables.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import shoal
from shoal import datasets

K, LIMIT = 3, 10_000


@dataclass(frozen=True)
class Workload:
    """``bar`` is the most that ``figure`` may be."""

    name: str
    measure: Callable[[], dict[str, float]]
    figure: str
    bar: float


def masked(X: np.ndarray, whole: bool = True) -> tuple[np.ndarray, shoal.Partition]:
    Z = shoal.standardize(X)
    partition = shoal.mdav(Z, K, blocks=shoal.twod_tree(Z, limit=LIMIT, k=K, whole=whole))
    partition.centroids(Z)
    return Z, partition


def timed(work: Callable[[], object]) -> tuple[float, object]:
    masked(datasets.uniform_array(3 * K, 2, seed=0))  # whatever is imported on the way is there before the clock starts
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def tree(n: int, d: int) -> dict[str, float]:
    X = datasets.uniform_array(n, d, seed=0)
    cpu, (Z, partition) = timed(lambda: masked(X))
    return {"CPU s": cpu, "SSE": partition.sse(Z), "IL %": partition.information_loss(Z)}


def sort(n: int, d: int) -> dict[str, float]:
    import duckdb

    con = duckdb.connect()
    records = datasets.uniform(n, d, seed=0)
    con.execute("create table original as select * from records")
    sorting, _ = timed(lambda: con.execute("create table sorted as select * from original order by x1"))
    X = np.column_stack([column.to_numpy() for column in records.columns])
    cpu, _ = timed(lambda: masked(X))
    return {"CPU s": cpu, "sort CPU s": sorting, "times a sort": cpu / sorting}


def linear(n: int, d: int) -> dict[str, float]:
    small, large = datasets.uniform_array(n, d, seed=0), datasets.uniform_array(10 * n, d, seed=0)
    few, _ = timed(lambda: masked(small))
    many, _ = timed(lambda: masked(large))
    return {"CPU s": many, "CPU s of a tenth": few, "times a tenth": many / few}


def repair(n: int, d: int) -> dict[str, float]:
    Z = shoal.standardize(datasets.uniform_array(n, d, seed=0))
    whole = shoal.mdav(Z, K).information_loss(Z)
    cpu, blocked = timed(lambda: shoal.mdav(Z, K, blocks=shoal.twod_tree(Z, limit=1000, k=K)))
    more, repaired = timed(lambda: shoal.repair(Z, blocked, K))
    loss, after = blocked.information_loss(Z), repaired.information_loss(Z)
    costs = {"CPU s": cpu, "repair CPU s": more, "IL %": after, "blocked IL %": loss, "whole IL %": whole}
    return {**costs, "times whole": after / whole}


WORKLOADS = [
    Workload("tree 2.5e6 x 2", lambda: tree(2_500_000, 2), "CPU s", 4.0),
    Workload("tree 2.5e6 x 10", lambda: tree(2_500_000, 10), "CPU s", 18.0),
    Workload("sort 2.5e6 x 2", lambda: sort(2_500_000, 2), "times a sort", 8.0),
    Workload("linear 1e6 to 1e7 x 3", lambda: linear(1_000_000, 3), "times a tenth", 11.0),
    Workload("repair 1e6 x 3", lambda: repair(1_000_000, 3), "times whole", 1.03),
]


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        found = next(workload for workload in WORKLOADS if workload.name == sys.argv[2]).measure()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({**found, "peak MB": peak}))
        return
    print("| work | measured | bar | holds |\n|---|---|---|---|")
    for workload in WORKLOADS:
        if not workload.name.startswith(tuple(sys.argv[1:]) or ""):
            continue
        command = [sys.executable, __file__, "--one", workload.name]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, env=os.environ, check=True).stdout)
        shown = ", ".join(f"{name} {value:.4g}" for name, value in found.items())
        holds = "yes" if found[workload.figure] <= workload.bar else "NO"
        print(f"| {workload.name} | {shown} | {workload.figure} <= {workload.bar:g} | {holds} |", flush=True)


if __name__ == "__main__":
    main()
