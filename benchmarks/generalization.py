"""Generalization of Adult: discernibility, NCP, CPU seconds and peak memory of the same workload, one process each.

    python benchmarks/generalization.py              all workloads
    python benchmarks/generalization.py strict       those whose name begins so

Eight quasi-identifiers of Adult (needs SHOAL_DATA). "ordered" takes nominal values in sorted order, "taxonomies" cuts
along the hierarchies, age always at its values. CPU is of the method alone, from the table of counts to the cut tree;
"1e6" are a million records resampled from Adult with jittered ages. Beside stand local recoding of ARX (8 columns, the
same hierarchies) and Mondrian of anonypy, both run on these records.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

import shoal
from shoal import datasets
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.losses import Certainty, measure
from shoal.methods.generalization.global_recoding import GlobalRecoding
from shoal.methods.generalization.mondrian import Mondrian

ARX = {5: 253_100, 10: 438_252, 50: 1_965_180, 100: 3_712_676}
ANONYPY = {5: 312_784, 10: 515_532, 50: 2_322_132, 100: 4_530_216}
STRICT_BAR = {5: 270_000, 10: 470_000, 50: 2_180_000, 100: 4_270_000}
SIZES = (5, 10, 50, 100, 500, 1000)

METHODS = {
    "strict, ordered": (False, Mondrian("strict")),
    "strict, taxonomies": (True, Mondrian("strict")),
    "greedy, ordered": (False, Mondrian("greedy")),
    "greedy, subsets": (False, Mondrian("greedy", unordered="subsets")),
    "greedy, taxonomies": (True, Mondrian("greedy")),
    "greedy by certainty, ordered": (False, Mondrian("greedy", "certainty")),
    "relaxed, ordered": (False, None),
    "global levels, taxonomies": (True, GlobalRecoding("levels")),
    "global levels, 2 % suppressed": (True, GlobalRecoding("levels", suppression=0.02)),
    "global cuts, taxonomies": (True, GlobalRecoding("cuts")),
}


@dataclass(frozen=True)
class Workload:
    method: str
    k: int
    n: int | None = None  # None: Adult itself

    @property
    def name(self) -> str:
        return f"{self.method}, k={self.k}" + (f", {self.n:.0e} records" if self.n else "")


WORKLOADS = [
    *(Workload(method, k) for method in METHODS for k in SIZES),
    *(Workload(method, k, 1_000_000) for method in ("strict, ordered", "greedy, ordered") for k in (5, 100)),
]


def schema_of(names: list[str], with_taxonomies: bool) -> shoal.Schema:
    files = datasets.adult_taxonomies()

    def column(name: str) -> shoal.Column:
        if name == "age":
            return shoal.Column(name, "quasi_identifier", "numeric")
        taxonomy = shoal.Taxonomy.read(files[name]) if with_taxonomies else None
        return shoal.Column(name, "quasi_identifier", "nominal", taxonomy)

    return shoal.Schema(map(column, names))


def records(n: int | None) -> pa.Table:
    table = datasets.adult().drop_columns("salary-class")
    return datasets.resample_and_jitter(table, n, seed=0) if n else table


def measure_workload(workload: Workload) -> dict[str, float]:
    """In this process, after the counts are there."""
    with_taxonomies, method = METHODS[workload.method]
    table = records(workload.n)
    schema, requirements = schema_of(table.column_names, with_taxonomies), [shoal.KAnonymity(workload.k)]
    counts = count_combinations(table, table.column_names)
    cut = (
        partial(shoal.relaxed_mondrian, table, schema, requirements)
        if method is None
        else partial(method.cut, counts, schema, requirements)
    )
    started = time.process_time()
    plan = cut()
    cost = {"cpu": time.process_time() - started, "rows": len(counts)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**cost, "mb": peak, **losses(plan, counts, workload.k)}


def losses(plan: shoal.CutTree | shoal.Partition, counts: CountTable, k: int) -> dict[str, float]:
    if isinstance(plan, shoal.Partition):
        return {"dm": float((plan.sizes.astype(float) ** 2).sum()), "ncp": float("nan"), "blocks": plan.n_groups}
    blocks = measure(plan, counts)
    kept = blocks.totals >= k
    n_suppressed = int(blocks.totals[~kept].sum())
    dm = float((blocks.totals[kept].astype(float) ** 2).sum()) + n_suppressed * blocks.n_records
    return {"dm": dm, "ncp": Certainty().percent(blocks), "blocks": int(np.count_nonzero(blocks.totals))}


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure_workload(next(w for w in WORKLOADS if w.name == sys.argv[2]))))
        return
    print("| work | blocks | DM | NCP % | CPU s | peak MB | ARX local DM | anonypy DM | bar |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|")
    for workload in WORKLOADS:
        if not workload.name.startswith(tuple(sys.argv[1:]) or ""):
            continue
        command = [sys.executable, __file__, "--one", workload.name]
        run = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=True)
        found = json.loads(run.stdout)
        peers = [f"{peer[workload.k]:,}" if workload.k in peer and not workload.n else "" for peer in (ARX, ANONYPY)]
        print(
            f"| {workload.name} | {found['blocks']:,} | {found['dm']:,.0f} | {found['ncp']:.2f} | {found['cpu']:.2f} "
            f"| {found['mb']:.0f} | {peers[0]} | {peers[1]} | {bar(workload, found)} |",
            flush=True,
        )


def bar(workload: Workload, found: dict[str, float]) -> str:
    if workload.n:
        return f"CPU <= 6 s: {'yes' if found['cpu'] <= 6 else 'NO'}"
    if workload.method != "strict, ordered" or workload.k not in STRICT_BAR:
        return ""
    holds = found["dm"] <= STRICT_BAR[workload.k] and found["cpu"] <= 0.5
    return f"DM <= {STRICT_BAR[workload.k]:,}, CPU <= 0.5 s: {'yes' if holds else 'NO'}"


if __name__ == "__main__":
    main()
