"""The history: one line of JSON for every workload of every run, appended and never changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.machine import Machine, Source
from bench.measurement import Measurement


@dataclass(frozen=True)
class Entry:
    """``run``: when the run of which it is a part began, in UTC; it tells runs apart."""

    run: str
    workload: str
    figure: str  # the name of the quality figure
    measurement: Measurement
    machine: Machine
    source: Source


def read(path: Path) -> tuple[Entry, ...]:
    """In the order in which they were appended; none where there is no file."""
    if not path.exists():
        return ()
    return tuple(_entry(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line)


def _entry(found: dict[str, object]) -> Entry:
    parts = {"measurement": Measurement, "machine": Machine, "source": Source}
    return Entry(**{name: parts[name](**value) if name in parts else value for name, value in found.items()})


def append(path: Path, entry: Entry) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as history:
        history.write(json.dumps(asdict(entry)) + "\n")


def last_run(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.run == entries[-1].run)


def before(entries: Sequence[Entry], now: Entry, commit: str | None) -> Entry | None:
    """What the workload of ``now`` took earlier on the same machine: in the last run before, or of a commit."""
    found = [entry for entry in _earlier(entries, now) if commit is None or entry.source.commit.startswith(commit)]
    return found[-1] if found else None


def _earlier(entries: Sequence[Entry], now: Entry) -> Iterable[Entry]:
    return (
        entry
        for entry in entries
        if entry.run < now.run and entry.workload == now.workload and entry.machine == now.machine
    )
