"""Engines side by side: wall and CPU seconds, peak memory and the release, which must be the same.

    python benchmarks/engines.py [RECORDS] [MEMORY] [ENGINES]     by default 2e6 records x 6 columns and 4GB

Every engine runs in a process of its own, which is looked at ten times a second, together with its workers: the CPU
seconds of all of them, the largest sum of the memory that they held at a time, and the most that the driving process
held. Of Spark, the time until its session runs is measured apart, by a process that starts one and ends it.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ENGINES = ("memory", "duckdb", "processes", "spark")
POLICY: dict[str, Any] = {
    "columns": {
        **{f"x{at}": {"role": "quasi_identifier", "kind": "numeric"} for at in range(3)},
        "income": {"role": "sensitive", "kind": "numeric"},
        "region": {"role": "other"},
        "code": {"role": "other"},
    },
    "requirements": [{"name": "k_anonymity", "k": 3}],
    "blocking": {"method": "twod_tree", "limit": 1000},
}
RUN = """
import json, sys
import shoal

if __name__ == "__main__":
    source, output, engine, memory, policy = sys.argv[1:]
    limited = {} if engine == "memory" else {"memory": memory}
    shoal.protect(source, json.loads(policy), output=output, engine=engine, key=bytes(32), **limited)
"""

SESSION = """
from shoal.engines.lots.spark_session import without_pandas_warning

with without_pandas_warning():
    from pyspark.sql import SparkSession
session = SparkSession.builder.master("local[2]").getOrCreate()
session.range(2).count()
session.stop()
"""


def table(n: int) -> pa.Table:
    draw = np.random.default_rng(1)
    columns = {f"x{at}": draw.lognormal(3, 1, n).round(2) for at in range(3)}
    regions = np.array([f"region {at}" for at in range(20)])[draw.integers(0, 20, n)]
    return pa.table(
        {**columns, "income": draw.lognormal(9, 1, n).round(), "region": regions, "code": np.arange(n) % 97}
    )


def seen(pid: int) -> Iterator[tuple[int, int, float]]:
    """Process, bytes in memory that it shares with no other, and CPU seconds: of a process and its descendants."""
    try:
        _, resident, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[:3])
        ticks = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [child for thread in threads for child in (thread / "children").read_text().split()]
    except OSError:  # gone in the meantime
        return
    yield pid, (resident - shared) * resource.getpagesize(), ticks / os.sysconf("SC_CLK_TCK")
    for child in children:
        yield from seen(int(child))


def session_seconds() -> tuple[float, float]:
    """Wall and CPU seconds that a session of Spark takes to start and end."""
    words = [sys.executable, "-c", SESSION]
    started, cpu = time.perf_counter(), dict[int, float]()
    with subprocess.Popen(words) as running:
        while running.poll() is None:
            cpu |= {pid: seconds for pid, _, seconds in seen(running.pid)}
            time.sleep(0.1)
    return time.perf_counter() - started, sum(cpu.values())


def measured(source: Path, output: Path, engine: str, memory: str) -> dict[str, Any]:
    started, cpu, peak, driver = time.perf_counter(), dict[int, float](), 0, 0
    words = [sys.executable, "-c", RUN, str(source), str(output), engine, memory, json.dumps(POLICY)]
    with subprocess.Popen(words) as running:
        while running.poll() is None:
            now = list(seen(running.pid))
            cpu |= {pid: seconds for pid, _, seconds in now}
            peak = max(peak, sum(n_bytes for _, n_bytes, _ in now))
            driver = max(driver, *(n_bytes for pid, n_bytes, _ in now if pid == running.pid), 0)
            time.sleep(0.1)
    assert running.returncode == 0, engine
    return {
        "wall": time.perf_counter() - started,
        "cpu": sum(cpu.values()),
        "peak": peak,
        "driver": driver,
        "sha256": hashlib.sha256(output.read_bytes()).hexdigest(),
    }


def main() -> None:
    n, memory = int(float(sys.argv[1])) if len(sys.argv) > 1 else 2_000_000, sys.argv[2] if len(sys.argv) > 2 else "4GB"
    engines = sys.argv[3].split(",") if len(sys.argv) > 3 else ENGINES
    with TemporaryDirectory() as folder:
        source = Path(folder) / "records.parquet"
        pq.write_table(table(n), source, row_group_size=200_000)
        print(f"{n:,} records x 6 columns, {os.cpu_count()} cores, at most {memory} except for the engine memory\n")
        print("| engine | wall s | CPU s | peak GB | driver GB | release |\n|---|---|---|---|---|---|")
        for engine in engines:
            found = measured(source, Path(folder) / f"{engine}.parquet", engine, memory)
            print(
                f"| {engine} | {found['wall']:.1f} | {found['cpu']:.1f} | {found['peak'] / 1e9:.2f} "
                f"| {found['driver'] / 1e9:.2f} | {found['sha256'][:12]} |",
                flush=True,
            )
    if "spark" in engines:
        print("\nstart and end of a session of Spark: {:.1f} s wall, {:.1f} s CPU".format(*session_seconds()))


if __name__ == "__main__":
    main()
