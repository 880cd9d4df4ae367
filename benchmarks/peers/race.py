"""One race run: both sides in turns, each in a process of its own; the least CPU seconds of each side count."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from peers.environments import Place
from peers.races import Race

MEGABYTE = 1024 if sys.platform == "linux" else 1024**2  # the unit of ru_maxrss is 1024 bytes on Linux, bytes on macOS


@dataclass(frozen=True)
class Side:
    """What one side took and found."""

    cpu: float
    wall: float
    memory: float  # MB, of the process with all that it loaded
    figures: dict[str, float]


@dataclass(frozen=True)
class Result:
    """``theirs``: None where the peer did not run, for the reason ``absence``."""

    race: Race
    ours: Side | None
    theirs: Side | None
    absence: str = ""

    @property
    def cpu_ratio(self) -> float | None:
        """CPU seconds of the peer over ours: above 1 where Shoal is faster."""
        return self.theirs.cpu / self.ours.cpu if self.ours and self.theirs else None

    @property
    def memory_ratio(self) -> float | None:
        return self.theirs.memory / self.ours.memory if self.ours and self.theirs else None

    @property
    def quality_ratio(self) -> float | None:
        if not self.ours or not self.theirs:
            return None
        return self.race.quality_ratio(self.ours.figures, self.theirs.figures)


def run(race: Race, place: Place, folder: Path, repeats: int) -> Result:
    missing = [name for name in race.files if not (folder / name).exists()]
    if missing:
        return Result(race, None, None, f"the data are not here: {', '.join(missing)}")
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(measured(race.our_command(folder)))
        if not place.absence:
            theirs.append(measured(race.their_command(place, folder)))
    failure = next((found for found in (*ours, *theirs) if isinstance(found, str)), "")
    if failure:
        return Result(race, None, None, f"it did not run through: {failure}")
    return Result(race, best(ours), best(theirs), place.absence)


def best(found: Sequence[Side | str]) -> Side | None:
    return min((side for side in found if isinstance(side, Side)), key=lambda side: side.cpu, default=None)


def measured(command: Sequence[str]) -> Side | str:
    """A side, or the last line of what it said when it failed."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        environment = {**os.environ, "TQDM_DISABLE": "1"}
        process = subprocess.Popen(command, stdout=output, stderr=errors, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            lines = errors.read().splitlines() or [f"exit status {process.returncode}"]
            return lines[-1]
        found = json.loads(output.read().splitlines()[-1])
    return Side(found["cpu"], found["wall"], usage.ru_maxrss / MEGABYTE, found["figures"])
