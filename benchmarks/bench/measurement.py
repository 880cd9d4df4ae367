"""One workload measured in a process of its own: CPU and wall seconds, peak memory and quality.

CPU seconds are those of the process and of the workers that it started. They are kept beside those of sorting the same
numbers in the same process: the sort says how fast the machine is at that moment, so figures of a busy hour can be
compared. Peak memory is that of the process, or of its largest worker, imports and records included.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.workloads import Workload

PACKAGES = Path(__file__).parent.parent
REPEATS = 3  # of quick workloads; the least CPU seconds count, since noise only adds to them
N_SORTED, N_SORTS = 2_000_000, 3
MEGABYTE = 1024 if sys.platform == "linux" else 1024**2  # the unit of ru_maxrss is 1024 bytes on Linux, bytes on macOS


@dataclass(frozen=True)
class Measurement:
    cpu: float  # seconds
    wall: float
    sort: float  # CPU seconds of the sort
    memory: float  # MB
    quality: float

    @property
    def sorts(self) -> float:
        """CPU seconds in units of the sort."""
        return self.cpu / self.sort


def measure(workload: Workload) -> Measurement:
    """The best of the repetitions, each in a new process; the largest memory of all."""
    found = [_in_process(workload.name) for _ in range(REPEATS if workload.is_quick else 1)]
    best = min(found, key=lambda one: one.sorts)
    return Measurement(best.cpu, best.wall, best.sort, max(one.memory for one in found), best.quality)


def _in_process(name: str) -> Measurement:
    command = [sys.executable, "-m", "bench", "--one", name]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGES)}
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    return Measurement(**json.loads(run.stdout.splitlines()[-1]))


def measured_here(workload: Workload) -> Measurement:
    """In this process, which should do nothing else."""
    task = workload.prepare()
    sort = sort_seconds()
    wall, cpu = time.perf_counter(), cpu_seconds()
    result = task.work()
    cpu, wall = cpu_seconds() - cpu, time.perf_counter() - wall
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return Measurement(cpu, wall, sort, memory / MEGABYTE, float(task.quality(result)))


def to_json(measurement: Measurement) -> str:
    return json.dumps(asdict(measurement))


def cpu_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)


def sort_seconds() -> float:
    import numpy as np

    numbers = np.random.default_rng(0).random(N_SORTED)
    return min(_sorted_in(numbers) for _ in range(N_SORTS))


def _sorted_in(numbers: object) -> float:
    import numpy as np

    begun = time.process_time()
    np.argsort(numbers)
    return time.process_time() - begun
