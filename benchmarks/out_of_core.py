"""A table larger than memory: time, peak memory and loss of a release that is made piece by piece.

    python benchmarks/out_of_core.py [N_RECORDS] [MEMORY] [FOLDER]

50,000,000 records x 6 numeric columns in Parquet, four of them quasi-identifiers, k = 3, 2 GB. Each run is a process of
its own, so that its peak is its own. Prints wall and CPU seconds, records per second, the peak of resident memory, the
most that lay on disk meanwhile, and what the gate proved. The bar: it finishes, and its peak stays below 3 GB.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pyarrow.parquet as pq

from shoal.datasets import uniform_batches

N_COLUMNS = 6
BAR = 3e9  # bytes, of a run that may take 2 GB

RUN = """
import json, sys
import shoal

data, release, memory = sys.argv[1:]
columns = {f"x{at}": {"role": "quasi_identifier" if at <= 4 else "other", "kind": "numeric"} for at in range(1, 7)}
policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]}
made = shoal.protect(data, policy, output=release, memory=memory, engine="duckdb").manifest
loss = next(f["estimate"] for f in made.findings if f["name"] == "information loss")
print(json.dumps({"cost": vars(made.cost), "k": made.k_reached, "loss": loss, "holds": made.proof["holds"],
                  "counts": made.counts, "notes": made.notes}))
"""


def write_table(path: Path, n: int) -> None:
    batches = uniform_batches(n, N_COLUMNS)
    first = next(batches)
    with pq.ParquetWriter(path, first.schema) as file:
        file.write_batch(first)
        for batch in batches:
            file.write_batch(batch)


class Disk:
    """The most bytes that lay in a folder at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._done, self.most = folder, threading.Event(), 0
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._done.wait(1):
            self.most = max(self.most, sum(_size(path) for path in self._folder.rglob("*")))

    def __enter__(self) -> Disk:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:  # gone in the meantime
        return 0


def main() -> None:
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 50_000_000
    memory = sys.argv[2] if len(sys.argv) > 2 else "2GB"
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as folder:
        data = Path(folder) / "table.parquet"
        write_table(data, n)
        print(f"{n:,} records x {N_COLUMNS} columns, {data.stat().st_size / 1e9:.2f} GB of Parquet, memory {memory}")
        with Disk(Path(folder)) as disk:
            words = [sys.executable, "-c", RUN, str(data), str(Path(folder) / "release.parquet"), memory]
            said = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
            found = json.loads(said.splitlines()[-1])
        cost = found["cost"]
        print(*found["notes"], sep="\n")
        print(f"{cost['seconds']:.0f} s wall, {cost['cpu_seconds']:.0f} s CPU, {n / cost['seconds']:,.0f} records/s")
        peak = cost["peak_memory_mib"] * 2**20
        print(f"peak memory {peak / 1e9:.2f} GB   (bar {BAR / 1e9:g} GB at memory 2GB)")
        print(f"disk besides the table {(disk.most - data.stat().st_size) / 1e9:.2f} GB")
        print(f"loss {found['loss']:.4f} %, k reached {found['k']}, gate {'passed' if found['holds'] else 'closed'}")


if __name__ == "__main__":
    main()
