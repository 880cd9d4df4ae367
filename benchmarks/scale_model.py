"""What a release costs on many workers: measured at three sizes on two cores and at the smallest on one, then
extrapolated.

    python benchmarks/scale_model.py [RECORDS,RECORDS,RECORDS]     by default 6e6,9e6,12e6: a table that memory does not
                                                                   hold at once, as on a cluster

Measured on the engine `processes`, whose tasks are those of Spark, primitive by primitive
(`engines/lots/lot_carrier.py`): how often it is called, bytes that it moves between tasks or keeps, and seconds; of
workers and of the driving process the CPU seconds. Each is fitted by a line in the number of records: what does not
depend on it, and what every record adds.

Assumptions of the extrapolation, none of them measured here:
- a task takes as long on a worker of the cluster as on a core of this machine, and Spark adds SPARK_FACTOR to the CPU
  seconds of workers for its own work and SECONDS_PER_JOB to every call of a primitive;
- moved bytes are written once, sent once and read once, at BYTES_PER_SECOND per core, without contention;
- nothing is retried; the driver works alone while no task runs;
- blocks are spread over parts by a hash: the longest part is simulated, and so is the core that ends last.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from engines import POLICY, table
from shoal.engines.lots.lots_engine import LotsEngine
from shoal.engines.lots.openers import InFiles, InParquet
from shoal.engines.lots.processes import Processes, ProcessLots
from shoal.engines.memory_budget import Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.sources.piece_sizes import USUAL

SPARK_FACTOR = 2.0
SECONDS_PER_JOB = 0.3
BYTES_PER_SECOND = 50e6
CLUSTERS = ((1e9, 25, 4), (1e9, 100, 4), (1e10, 100, 4), (1e10, 500, 4))  # records, executors, cores of each
RECORDS_PER_BLOCK = 1000.0


class MeteredCarrier(Processes):
    """Counts calls, seconds and bytes of every primitive that does work."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.calls: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.n_bytes: Counter[str] = Counter()
        self.passes = 0  # over the source

    def _metered(self, what: str, lots: ProcessLots, work: Callable[[], Any]) -> Any:
        self.calls[what] += 1
        self.passes += any(isinstance(task.opener, InParquet) for task in lots.tasks)
        began = time.perf_counter()
        try:
            return work()
        finally:
            self.seconds[what] += time.perf_counter() - began

    def to_parts(self, lots: ProcessLots, part_of: Any, n_parts: int) -> ProcessLots:
        moved: ProcessLots = self._metered(
            "to_parts", lots, lambda: super(MeteredCarrier, self).to_parts(lots, part_of, n_parts)
        )
        self.n_bytes["to_parts"] += stored_bytes(moved)
        return moved

    def kept(self, lots: ProcessLots) -> ProcessLots:
        stored: ProcessLots = self._metered("kept", lots, lambda: super(MeteredCarrier, self).kept(lots))
        self.n_bytes["kept"] += stored_bytes(stored)
        return stored

    def results(self, lots: ProcessLots, of: Any) -> Iterator[Any]:
        return iter(self._metered("results", lots, lambda: list(super(MeteredCarrier, self).results(lots, of))))

    def tables(self, lots: ProcessLots) -> Iterator[Any]:
        found = self._metered("tables", lots, lambda: list(super(MeteredCarrier, self).tables(lots)))
        self.n_bytes["tables"] += sum(piece.nbytes for piece in found)
        return iter(found)

    def worker_seconds(self) -> float:
        """CPU seconds of all workers, which still run."""
        ticks = 0
        for pid in self._pool._processes or {}:
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")


def stored_bytes(lots: ProcessLots) -> int:
    files = {path for task in lots.tasks if isinstance(task.opener, InFiles) for path, _ in task.opener.files}
    return sum(path.stat().st_size for path in files)


@dataclass(frozen=True)
class Run:
    n: int
    n_cores: int
    wall: float
    driver: float  # CPU seconds
    workers: float
    calls: Mapping[str, int]
    seconds: Mapping[str, float]
    n_bytes: Mapping[str, int]
    passes: int


def measured(n: int, n_cores: int) -> Run:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "records.parquet"
        pq.write_table(table(n), source, row_group_size=100_000)
        private = PrivateFolder.create_in(Path(folder))
        carrier = MeteredCarrier(private, n_cores, USUAL.lot_records)
        engine = LotsEngine(carrier, private, Budget.of("4GB"), n_cores)
        began, cpu = time.perf_counter(), time.process_time()
        try:
            targets = Targets.of(Path(folder) / "release.parts", None, None)
            protect_by(engine, source, load(POLICY), targets, bytes(32), force=False)
            wall, driver = time.perf_counter() - began, time.process_time() - cpu
            workers = carrier.worker_seconds()
        finally:
            carrier.close()
            private.remove()
    return Run(n, n_cores, wall, driver, workers, carrier.calls, carrier.seconds, carrier.n_bytes, carrier.passes)


def line(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """What does not depend on the records, at least 0, and what each of them adds."""
    slope, constant = np.polyfit(sizes, values, 1)
    return max(float(constant), 0.0), max(float(slope), 0.0)


def longest(n_parts: int, n_cores: int, n_blocks: int) -> float:
    """Time until the last core ends, relative to a perfect division: parts by a hash of blocks, each on the next free
    core."""
    draw = np.random.default_rng(0)
    sizes = draw.multinomial(n_blocks, np.full(n_parts, 1 / n_parts)) if n_blocks < 1e12 else np.full(n_parts, 1.0)
    free = [0.0] * n_cores
    heapify(free)
    for size in sizes:
        heapreplace(free, free[0] + float(size))
    return max(free) * n_cores / float(sizes.sum())


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else "6e6,9e6,12e6"
    sizes = [int(float(each)) for each in given.split(",")]
    runs = [measured(n, n_cores) for n, n_cores in ((sizes[0], 1), *((n, 2) for n in sizes))]
    titles = "wall s | driver CPU s | workers CPU s | passes over the source | moved B/record | kept B/record"
    print(f"| records | cores | {titles} |\n|---|---|---|---|---|---|---|---|")
    for run in runs:
        moved, stored = (run.n_bytes[what] / run.n for what in ("to_parts", "kept"))
        print(
            f"| {run.n:,} | {run.n_cores} | {run.wall:.1f} | {run.driver:.1f} | {run.workers:.1f} | {run.passes} "
            f"| {moved:.0f} | {stored:.0f} |"
        )
    print("\n| primitive | calls | seconds at each size, two cores |\n|---|---|---|")
    two = [run for run in runs if run.n_cores == 2]
    for what in two[-1].calls:
        print(f"| {what} | {two[-1].calls[what]} | {' / '.join(f'{run.seconds[what]:.1f}' for run in two)} |")
    extrapolated(two)


def extrapolated(runs: Sequence[Run]) -> None:
    sizes = [float(run.n) for run in runs]
    driver, workers = (line(sizes, [getattr(run, name) for run in runs]) for name in ("driver", "workers"))
    n_moved = sum(runs[-1].n_bytes[what] for what in ("to_parts", "kept")) / runs[-1].n
    n_calls = sum(runs[-1].calls.values())
    seconds_each = f"driver {driver[1] * 1e6:.2f} us, workers {workers[1] * 1e6:.1f} us CPU"
    print(f"\nper record: {seconds_each}, {n_moved:.0f} B moved and kept\n")
    print("| records | executors x cores | workers s | disks and network s | driver s | jobs s | skew |")
    print("|---|---|---|---|---|---|---|")
    for n, executors, cores in CLUSTERS:
        n_cores = executors * cores
        n_parts = min(USUAL.most_parts, max(n_cores, int(n * 50 / USUAL.part_bytes)))
        skew = longest(n_parts, n_cores, int(n / RECORDS_PER_BLOCK))
        seconds = SPARK_FACTOR * workers[1] * n / n_cores * skew
        moving = 3 * n_moved * n / (BYTES_PER_SECOND * n_cores)
        print(
            f"| {n:.0e} | {executors} x {cores} | {seconds:,.0f} | {moving:,.0f} | {driver[0] + driver[1] * n:,.0f} "
            f"| {n_calls * SECONDS_PER_JOB:,.0f} | {skew:.2f} |"
        )


if __name__ == "__main__":
    main()
