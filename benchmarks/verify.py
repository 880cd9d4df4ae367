"""shoal.verify against the floor: DuckDB reading the same CSV and grouping it by the same columns, in one process.

    python benchmarks/verify.py [N_RECORDS]

1,000,000 records x 6 columns, four quasi-identifiers and two sensitive columns, released in groups of 5. Prints wall
and CPU seconds of both (the best of three, alternating), and the ratio; the bar is 3.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv

import shoal

POLICY = {
    "columns": {
        **{name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("age", "income", "hours")},
        "region": {"role": "quasi_identifier"},
        "disease": {"role": "sensitive"},
        "debt": {"role": "sensitive", "kind": "numeric"},
    },
    "requirements": [
        {"name": "k_anonymity", "k": 5},
        {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
    ],
}


def write_release(path: Path, n: int) -> None:
    chance = np.random.default_rng(0)
    group = np.repeat(np.arange(n // 5), 5)
    centroids = {"age": (18, 90), "income": (0, 90_000), "hours": (0, 60)}
    columns = {name: chance.uniform(low, high, n // 5).round(2)[group] for name, (low, high) in centroids.items()}
    columns["region"] = np.array([f"region {i}" for i in range(20)])[chance.integers(0, 20, n // 5)][group]
    columns["disease"] = np.array([f"disease {i}" for i in range(12)])[(np.arange(n) * 7 + group) % 12]
    columns["debt"] = chance.integers(0, 5000, n)
    pa.csv.write_csv(pa.table(columns), path)


def by_duckdb(path: Path) -> None:
    names = ", ".join(POLICY["columns"])
    duckdb.connect().execute(
        f"select min(n) from (select {names}, count(*) as n from read_csv('{path}') group by all)"
    ).fetchall()


def best_of_three(*functions):
    """(wall, cpu) of each; taken in turns, so that a noisy minute hits all alike."""
    best = [(float("inf"), float("inf"))] * len(functions)
    for _ in range(3):
        for at, function in enumerate(functions):
            wall, cpu = time.perf_counter(), time.process_time()
            function()
            best[at] = min(best[at], (time.perf_counter() - wall, time.process_time() - cpu))
    return best


def main() -> None:
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release.csv"
        write_release(path, n)
        assert shoal.verify(path, POLICY).holds
        floor, ours = best_of_three(lambda: by_duckdb(path), lambda: shoal.verify(path, POLICY))
        print(f"DuckDB read + group by  {floor[0]:.2f} s wall  {floor[1]:.2f} s CPU")
        print(f"shoal.verify            {ours[0]:.2f} s wall  {ours[1]:.2f} s CPU")
        print(f"ratio                   {ours[0] / floor[0]:.2f} wall    {ours[1] / floor[1]:.2f} CPU   (bar 3)")


if __name__ == "__main__":
    main()
