"""Speed of the main methods: CPU seconds, wall seconds and peak memory, beside sorts and published times.

    python benchmarks/speed.py            all workloads
    python benchmarks/speed.py mdav       those whose name begins so

Every workload is a process of its own, so that peak memory is that of one. Before it, the same process sorts the same
data by its first column: a table in DuckDB, and the indices in numpy. The sorts say how fast the machine is at that
moment: "x DuckDB" and "x numpy" are CPU seconds divided by theirs. CPU over wall is the number of cores in use.
"published" is the time that the paper of the method prints, on the machine of its authors. Adult needs SHOAL_DATA.
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
from itertools import pairwise
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from bench import workloads

import shoal
from shoal import datasets

K = 3


def uniform(n: float, d: int) -> Callable[[], pa.Table]:
    return lambda: datasets.uniform(int(n), d, seed=0)


def matrix(records: pa.Table) -> np.ndarray:
    return np.column_stack([column.to_numpy() for column in records.columns])


def exact_mdav(records: pa.Table) -> Callable[[], object]:
    X = matrix(records)
    return lambda: shoal.mdav(X, K)


def blocked_mdav(records: pa.Table) -> Callable[[], object]:
    X = matrix(records)

    def work() -> object:
        Z = shoal.standardize(X)
        return shoal.mdav(Z, K, blocks=shoal.twod_tree(Z, limit=10_000, k=K)).centroids(Z)

    return work


def vmdav(records: pa.Table) -> Callable[[], object]:
    X = matrix(records)
    return lambda: shoal.vmdav(X, K, gamma=0.2)


def micro_som(records: pa.Table) -> Callable[[], object]:
    X = shoal.standardize(matrix(records))
    return lambda: shoal.micro_som(X, K)


def distance_linkage(records: pa.Table) -> Callable[[], object]:
    X = matrix(records)
    released = X + np.random.default_rng(0).normal(0, 0.01, X.shape)
    return lambda: shoal.distance_linkage(X, released)


def gensearch(records: pa.Table) -> Callable[[], object]:
    return workloads.gensearch().work


@dataclass(frozen=True)
class Workload:
    name: str
    records: Callable[[], pa.Table]
    prepare: Callable[[pa.Table], Callable[[], object]]
    published: str = ""


WORKLOADS = [
    Workload("mdav 1e5 x 3", uniform(1e5, 3), exact_mdav),
    Workload("mdav 1e5 x 10", uniform(1e5, 10), exact_mdav),
    Workload("mdav 1e6 x 3", uniform(1e6, 3), exact_mdav),
    Workload("blocked mdav 2.5e6 x 2", uniform(2.5e6, 2), blocked_mdav),
    Workload("blocked mdav 2.5e6 x 10", uniform(2.5e6, 10), blocked_mdav),
    Workload("blocked mdav 1e6 x 3", uniform(1e6, 3), blocked_mdav),
    Workload("blocked mdav 1e7 x 3", uniform(1e7, 3), blocked_mdav),
    Workload("vmdav 1e5 x 3", uniform(1e5, 3), vmdav),
    Workload("micro-som 1e5 x 3", uniform(1e5, 3), micro_som, "102 s (Table 1)"),
    Workload("gensearch adult, k = 100", datasets.adult, gensearch),
    Workload("distance linkage 1e5 x 5", uniform(1e5, 5), distance_linkage),
]


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(next(workload for workload in WORKLOADS if workload.name == sys.argv[2]))))
        return
    print("| work | CPU s | wall s | CPU / wall | peak MB | x DuckDB | x numpy | published |")
    print("|---|---:|---:|---:|---:|---:|---:|---|")
    cpu = {}
    for workload in WORKLOADS:
        if workload.name.startswith(tuple(sys.argv[1:]) or ""):
            command = [sys.executable, str(Path(__file__)), "--one", workload.name]
            found = json.loads(
                subprocess.run(command, capture_output=True, text=True, env=os.environ, check=True).stdout
            )
            cpu[workload.name] = found["cpu"]
            print(line(workload, found), flush=True)
    for few, many in pairwise(name for name in cpu if name in ("blocked mdav 1e6 x 3", "blocked mdav 1e7 x 3")):
        print(f"\nTen times the records in {cpu[many] / cpu[few]:.1f} times the CPU seconds; n log n alone is 11.7.")


def measure(workload: Workload) -> dict[str, float]:
    """In this process; once on a few records before, so that all imports are done."""
    records = workload.records()
    by_duckdb, by_numpy = sort_by_duckdb(records), sort_by_numpy(records)
    workload.prepare(records.slice(0, 1000))()
    work = workload.prepare(records)
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    cost = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**cost, "mb": peak, "duckdb": by_duckdb, "numpy": by_numpy}


def sort_by_duckdb(records: pa.Table) -> float:
    connection = duckdb.connect()
    connection.execute("create table original as select * from records")
    begun = time.process_time()
    connection.execute(f'create table sorted as select * from original order by "{records.column_names[0]}"')
    return time.process_time() - begun


def sort_by_numpy(records: pa.Table) -> float:
    column = records.column(0).to_numpy()
    begun = time.process_time()
    np.argsort(column)
    return time.process_time() - begun


def line(workload: Workload, found: dict[str, float]) -> str:
    return (
        f"| {workload.name} | {found['cpu']:.2f} | {found['wall']:.2f} | {found['cpu'] / found['wall']:.1f} "
        f"| {found['mb']:.0f} | {found['cpu'] / found['duckdb']:.1f} | {found['cpu'] / found['numpy']:.1f} "
        f"| {workload.published} |"
    )


if __name__ == "__main__":
    main()
