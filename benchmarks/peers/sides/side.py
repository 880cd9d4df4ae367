"""One side of a race: the work is measured in this process, and its cost and figures are printed as JSON.

Runs in the environment of a peer as well, so it knows neither Shoal nor any library.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def table_file(place: int = 1) -> Path:
    """A file that both sides read."""
    return Path(sys.argv[place])


def report(work: Callable[[], Any], figures: Callable[[Any], dict[str, float]]) -> None:
    """The second of two times is measured, when all is loaded and compiled. ``figures``: computed from its result,
    not measured."""
    work()
    wall, cpu = time.perf_counter(), _cpu_seconds()
    result = work()
    cost = {"cpu": _cpu_seconds() - cpu, "wall": time.perf_counter() - wall}
    print(json.dumps({**cost, "figures": figures(result)}))


def _cpu_seconds() -> float:
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)
