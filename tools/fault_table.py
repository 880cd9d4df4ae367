"""The faults of tools/faults, and the table of what notices each (tools/faults/noticed.txt)."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from fault_server import TIERS

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tools/faults"
TABLE = FAULTS / "noticed.txt"
VERDICTS = (*TIERS, "none", "stale")
HEAD = """\
# Which tests notice the faults of tools/faults: written by make mutants, one line a fault.
# room | the first tier with a test that goes red: test, gate, long, spark; or none, stale | fault | the test
"""
ENOUGH, ENOUGH_BY_TEST = 0.98, 0.90
# What protects somebody, or writes what is published: make test itself notices each of these faults.
ALWAYS_ROOMS = ("kernels", "methods", "encode", "gate", "rng")
ALWAYS_FILES = (
    "src/shoal/release/", "src/shoal/sources/write.py", "src/shoal/sources/csv_out.py", "src/shoal/sources/atomic.py",
    "src/shoal/sources/journal.py", "src/shoal/sources/table_parts.py", "src/shoal/sources/target.py",
)  # fmt: skip


@dataclass(frozen=True)
class Fault:
    room: str
    name: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...]

    @property
    def is_compiled(self) -> bool:
        return self.file.startswith("src/kernels/")

    @property
    def is_for_every_run(self) -> bool:
        return self.room in ALWAYS_ROOMS or self.file.startswith(ALWAYS_FILES)


@dataclass(frozen=True)
class Row:
    """A line of the table that is kept."""

    room: str
    verdict: str
    name: str
    test: str  # that goes red, or why none does

    def __str__(self) -> str:
        return f"{self.room:<15} | {self.verdict:<5} | {self.name} | {self.test}"

    @property
    def is_noticed(self) -> bool:
        return self.verdict in TIERS


def read_faults(folder: Path) -> list[Fault]:
    return [
        Fault(path.stem, **{**entry, "tests": tuple(entry["tests"])})
        for path in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    ]


def read_rows(path: Path) -> list[Row]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    parts = [line.split(" | ", 3) for line in lines if line and not line.startswith("#")]
    return [Row(room.strip(), verdict.strip(), name, test) for room, verdict, name, test in parts]


def write_rows(path: Path, rows: Sequence[Row], faults: Sequence[Fault]) -> None:
    """In the order of the faults; a row of what is no longer a fault is left out."""
    found = {(row.room, row.name): row for row in rows}
    kept = [found[fault.room, fault.name] for fault in faults if (fault.room, fault.name) in found]
    path.write_text(HEAD + "".join(f"{row}\n" for row in kept), encoding="utf-8")


def complaints(rows: Sequence[Row], faults: Sequence[Fault]) -> list[str]:
    """What the rows lack: 98 % are noticed, 90 % by make test, and there all that protects somebody."""
    always = {(fault.room, fault.name) for fault in faults if fault.is_for_every_run}
    said = [
        f"make test itself has to notice: {row.room}: {row.name} ({row.verdict})"
        for row in rows
        if (row.room, row.name) in always and row.verdict != "test"
    ]
    for enough, n, by in (
        (ENOUGH, sum(row.is_noticed for row in rows), ""),
        (ENOUGH_BY_TEST, sum(row.verdict == "test" for row in rows), " by make test"),
    ):
        if n < enough * len(rows):
            said.append(f"{n} of {len(rows)} faults are noticed{by}, less than {enough:.0%}")
    return said


def counts(rows: Sequence[Row]) -> str:
    """Per room, how many faults each tier notices."""
    lines = ["".join(f"{word:>7}" for word in ("faults", *VERDICTS))]
    by_room = groupby(sorted(rows, key=lambda row: row.room), lambda row: row.room)
    for room, of_room in [*((room, list(of_room)) for room, of_room in by_room), ("all", list(rows))]:
        n = Counter(row.verdict for row in of_room)
        lines.append(
            "".join(f"{count:>7}" for count in (n.total(), *(n[verdict] for verdict in VERDICTS))) + f"  {room}"
        )
    return "\n".join(lines)
