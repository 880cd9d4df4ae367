"""Perturbation and its measures: CPU seconds, peak memory and quality of the same workload, one process each.

    python benchmarks/perturbation.py                all workloads
    python benchmarks/perturbation.py rank_swap      those whose name begins so

Records are uniform; codes have 2 to 90 values a column. IL1s is of the masked records; interval disclosure is shown
next to its baseline. Peak memory is that of the whole process, imports and records included.
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

VALUES = (2, 90, 5, 20, 7, 16, 3, 9, 50, 4)


@dataclass(frozen=True)
class Workload:
    name: str
    n: int
    d: int
    run: Callable[[np.ndarray], np.ndarray | None]  # the masked records, if that is what comes out
    bar: float | None = None  # most CPU seconds

    def records(self) -> np.ndarray:
        if not self.name.startswith("suda"):
            return datasets.uniform_array(self.n, self.d, seed=0)
        chance = np.random.default_rng(0)
        return np.column_stack([chance.integers(0, values, self.n) for values in VALUES[: self.d]])


def swapped_households(X: np.ndarray) -> None:
    households = np.arange(len(X)) // 3
    regions, age = households * 7919 % 400, (X[:, 0] * 90).astype(np.int64)
    shoal.record_swap(regions, households, [age], k=3, rate=0.05)


def measured(X: np.ndarray) -> None:
    shoal.interval_disclosure(X, X[::-1])


def lost(X: np.ndarray) -> None:
    shoal.mean_variation(X, X[::-1])
    shoal.probabilistic_loss(X, X[::-1])


def with_codes(X: np.ndarray) -> None:
    matrix = shoal.invariant_matrix(np.full((20, 20), 0.01) + 0.8 * np.eye(20), np.ones(20))
    shoal.pram((X[:, 0] * 20).astype(np.int64), matrix)


WORKLOADS = [
    Workload("rank_swap 1e6 x 5", 10**6, 5, lambda X: shoal.rank_swap(X, p=10), 3.0),
    Workload("rank_swap centered 1e6 x 5", 10**6, 5, lambda X: shoal.rank_swap(X, p=10, window="centered"), 3.0),
    Workload("noise independent 1e6 x 5", 10**6, 5, lambda X: shoal.noise(X, alpha=0.1)),
    Workload(
        "noise correlated 1e6 x 5", 10**6, 5, lambda X: shoal.noise(X, alpha=0.1, kind="correlated", corrected=True)
    ),
    Workload("lossy_image 1e6 x 5", 10**6, 5, lambda X: shoal.lossy_image(X, quality=10)),
    Workload("pram 1e6, 20 values", 10**6, 1, with_codes),
    Workload("record_swap 1e6 records", 10**6, 1, swapped_households),
    Workload("interval 1e6 x 5", 10**6, 5, measured),
    Workload("moments 1e6 x 5", 10**6, 5, lost),
    Workload("suda 1e5 x 10, sets of 3", 10**5, 10, lambda codes: shoal.suda(codes, max_size=3) and None),
    Workload("suda 1e5 x 10, sets of 4", 10**5, 10, lambda codes: shoal.suda(codes, max_size=4) and None),
]


def measure(workload: Workload) -> dict[str, float]:
    """In this process, after the records are there."""
    X = workload.records()
    cpu, wall = time.process_time(), time.perf_counter()
    masked = workload.run(X)
    cost = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    cost["mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if masked is not None:
        interval = shoal.interval_disclosure(X, masked)
        cost.update(il1s=shoal.il1s(X, masked), interval=interval.estimate, baseline=interval.baseline)
    return cost


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(next(w for w in WORKLOADS if w.name == sys.argv[2]))))
        return
    print("| work | CPU s | wall s | peak MB | IL1s % | interval % (baseline) | bar | holds |")
    print("|---|---:|---:|---:|---:|---:|---|---|")
    for workload in WORKLOADS:
        if not workload.name.startswith(tuple(sys.argv[1:]) or ""):
            continue
        command = [sys.executable, __file__, "--one", workload.name]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, env=os.environ, check=True).stdout)
        quality = f"{found['il1s']:.3g} | {found['interval']:.3g} ({found['baseline']:.3g})" if "il1s" in found else "|"
        bar = "" if workload.bar is None else f"<= {workload.bar:g} s"
        holds = "" if workload.bar is None else ("yes" if found["cpu"] <= workload.bar else "NO")
        print(
            f"| {workload.name} | {found['cpu']:.2f} | {found['wall']:.2f} | {found['mb']:.0f} | {quality} "
            f"| {bar} | {holds} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
