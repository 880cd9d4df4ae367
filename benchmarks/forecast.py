"""Forecasts of `shoal protect --dry-run` beside what the runs take: CPU seconds and peak memory.

    python benchmarks/forecast.py            all workloads
    python benchmarks/forecast.py mdav       those whose name begins so

Each forecast and each run is a process of its own. CPU seconds are user and system time, without the start of Python
and the import of the package. The bar: a factor of 2.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
from register import register

from shoal import datasets

BAR = 2.0

FORECAST = """
import json, sys, time
import shoal
from shoal.pipeline.protect.forecast import forecast

policy = json.loads(sys.argv[2])
started_at = time.process_time()
found = forecast(sys.argv[1], policy)
print(json.dumps({"cpu": found.seconds, "bytes": found.memory, "own": time.process_time() - started_at,
                  "n_records": found.n_records, "n_blocks": found.n_blocks, "stages": dict(found.stages),
                  "basis": found.basis}))
"""
RUN = """
import json, resource, sys, time
import shoal
from shoal import progress
from shoal.pipeline.protect.pilot import StageClock

policy, clock = json.loads(sys.argv[2]), StageClock()
started_at = time.process_time()
with progress.report_to(clock):
    made = shoal.protect(sys.argv[1], policy, output=sys.argv[3], key=bytes(32))
cpu = time.process_time() - started_at
stages = {" > ".join(stage): seconds for stage, seconds in clock.seconds().items() if seconds > 0.3}
print(json.dumps({"cpu": cpu, "bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "stages": stages}))
"""


@dataclass(frozen=True)
class Workload:
    name: str
    table: Callable[[], pa.Table]
    keys: dict[str, str]  # quasi-identifiers and their kinds; all other columns are kept
    rules: dict[str, Any] = field(default_factory=dict)

    def policy(self, names: list[str]) -> dict[str, Any]:
        columns: dict[str, Any] = {name: {"role": "other"} for name in names}
        columns |= {name: {"role": "quasi_identifier", "kind": kind} for name, kind in self.keys.items()}
        columns |= {name: {"role": "identifier"} for name in names if name == "person"}
        return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 5}], **self.rules}


def uniform(n: int, d: int = 5) -> pa.Table:
    X = np.round(datasets.uniform_array(n, d, seed=0), 4)
    return pa.table({f"x{at}": X[:, at] for at in range(d)})


NUMBERS = {f"x{at}": "numeric" for at in range(4)}
PERSONS = {"age": "numeric"} | dict.fromkeys(
    ("sex", "marital_status", "education", "occupation", "municipality"), "nominal"
)
FEW = {"age": "numeric", "sex": "nominal", "marital_status": "nominal", "education": "nominal"}
WORKLOADS = [
    Workload("mdav 10k numbers", lambda: uniform(10_000), NUMBERS),
    Workload("mdav 200k numbers", lambda: uniform(200_000), NUMBERS),
    Workload("mdav 1e6 register", lambda: register(1_000_000), PERSONS),
    Workload("micro_som 200k", lambda: uniform(200_000), NUMBERS, {"method": {"name": "micro_som"}}),
    Workload(
        "mondrian 300k",
        lambda: register(300_000),
        FEW,
        {"method": {"name": "mondrian"}},
    ),
    Workload("local suppression 50k", lambda: register(50_000), FEW, {"local_suppression": {}}),
    Workload(
        "rank swap 200k",
        lambda: register(200_000),
        {"age": "numeric", "income": "numeric"},
        {"requirements": [], "perturbations": [{"name": "rank_swap", "columns": ["age", "income"], "p": 5}]},
    ),
    Workload("vmdav 20k", lambda: uniform(20_000), NUMBERS, {"method": {"name": "vmdav"}}),
]


def measured(script: str, *words: str) -> dict[str, Any]:
    said = subprocess.run([sys.executable, "-c", script, *words], check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def main() -> None:
    print("| workload | said CPU s | measured | ratio | said GB | measured | ratio | forecast took | holds |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    for workload in WORKLOADS:
        if workload.name.startswith(tuple(each for each in sys.argv[1:] if each[0] != "-") or ""):
            with tempfile.TemporaryDirectory() as folder:
                data, table = Path(folder) / "table.csv", workload.table()
                pacsv.write_csv(table, data)
                policy = json.dumps(workload.policy(table.column_names))
                said = measured(FORECAST, str(data), policy)
                run = measured(RUN, str(data), policy, str(Path(folder) / "release.csv"))
            ratios = [said[what] / run[what] for what in ("cpu", "bytes")]
            holds = all(1 / BAR <= ratio <= BAR for ratio in ratios)
            print(
                f"| {workload.name} | {said['cpu']:.1f} | {run['cpu']:.1f} | {ratios[0]:.2f} "
                f"| {said['bytes'] / 1e9:.2f} | {run['bytes'] / 1e9:.2f} | {ratios[1]:.2f} | {said['own']:.1f} s "
                f"| {'yes' if holds else 'NO'} |",
                flush=True,
            )
            if "--stages" in sys.argv:
                for name, found in (("said", said["stages"]), ("measured", run["stages"])):
                    print(f"    {name}: " + ", ".join(f"{stage} {s:.1f}" for stage, s in found.items() if s > 0.1))


if __name__ == "__main__":
    main()
