"""Workloads against their bars: each in a separate process, so that peak memory is that of one workload."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

import shoal


class Workload(Protocol):
    """``bar``: (most CPU seconds, most information loss, most MB); None where there is none."""

    name: str
    bar: tuple[float | None, float | None, float | None]

    def records(self) -> np.ndarray: ...


Group = Callable[..., shoal.Partition]  # workload, records -> groups


def main(workloads: Sequence[Workload], group: Group, file: str) -> None:
    """All workloads whose name begins as an argument does; ``--one NAME`` runs one of them in this process."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(next(w for w in workloads if w.name == sys.argv[2]), group)))
        return
    print("| work | CPU s | wall s | peak MB | IL % | bar | holds |\n|---|---:|---:|---:|---:|---|---|")
    for workload in workloads:
        if workload.name.startswith(tuple(sys.argv[1:]) or ""):
            command = [sys.executable, file, "--one", workload.name]
            run = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=True)
            print(line(workload, json.loads(run.stdout)), flush=True)


def measure(workload: Workload, group: Group) -> dict[str, float]:
    """In this process, after the records are there."""
    X = workload.records()
    wall, cpu = time.perf_counter(), time.process_time()
    partition = group(workload, X)
    cost = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**cost, "mb": peak, "loss": partition.information_loss(X), "smallest": int(partition.sizes.min())}


def line(workload: Workload, found: dict[str, float]) -> str:
    pairs = zip(workload.bar, (found["cpu"], found["loss"], found["mb"]), ("s", "%", "MB"), strict=True)
    bars = [(bar, value, unit) for bar, value, unit in pairs if bar is not None]
    shown = ", ".join(f"<= {bar:g} {unit}" for bar, _, unit in bars)
    holds = "yes" if all(value <= bar for bar, value, _ in bars) else "NO"
    return (
        f"| {workload.name} | {found['cpu']:.2f} | {found['wall']:.2f} | {found['mb']:.0f} | {found['loss']:.5g} "
        f"| {shown} | {holds} |"
    )
