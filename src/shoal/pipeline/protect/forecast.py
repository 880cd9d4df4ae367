"""Estimate of a run before it starts: engine, time, memory and disk.

Rates are those of one core of a usual machine; an estimate is accurate within a factor of two or three.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.engines.choose import BYTES_OF_WORK, EngineName, choose
from shoal.engines.memory_budget import PROGRAM_BYTES
from shoal.errors import plural
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import load
from shoal.report.words import number_of
from shoal.sources import FormatName, ReadOptions
from shoal.sources.formats import format_of

CELLS_PER_SECOND = {"memory": 600_000, "duckdb": 500_000}
COPIES_ON_DISK = 4  # of the records, while they are sorted and written


@dataclass(frozen=True)
class Forecast:
    engine: str
    reason: str
    n_records: int | None  # approximate for a CSV; None: known only after reading the file
    n_columns: int
    seconds: float | None
    memory: int  # bytes at most
    disk: int  # bytes, without the release

    def __str__(self) -> str:
        records = "an unknown number of" if self.n_records is None else f"about {self.n_records:,}"
        time = "" if self.seconds is None else f"about {_duration(self.seconds)}, "
        return (
            f"{records} {plural(self.n_records or 0, 'record')} x {number_of(self.n_columns, 'column')}\n"
            f"engine {self.engine}: {self.reason}\n"
            f"{time}{self.memory / 1e9:.2g} GB of memory, {self.disk / 1e9:.2g} GB on disk besides the release"
        )


def forecast(
    source: Any,
    policy: PolicyLike,
    *,
    output: str | Path | None = None,
    memory: int | str | None = None,
    engine: EngineName = "auto",
) -> Forecast:
    """The estimate. Reads only the head of the file, writes nothing; without ``output`` a file is assumed."""
    loaded = load(policy)
    format_ = loaded.source.format
    choice = choose(source, engine, memory, [Path(output)] if output else [], format_=format_)
    n_records, n_columns = _shape(source, len(loaded.columns), choice.n_bytes, format_)
    on_disk = choice.name == "duckdb"
    return Forecast(
        choice.name,
        choice.reason,
        n_records,
        n_columns,
        None if n_records is None else n_records * n_columns / CELLS_PER_SECOND[choice.name],
        min(choice.budget.memory, PROGRAM_BYTES + BYTES_OF_WORK * choice.n_bytes)
        if on_disk
        else PROGRAM_BYTES + BYTES_OF_WORK * choice.n_bytes,
        COPIES_ON_DISK * choice.n_bytes if on_disk else 0,
    )


def _shape(source: Any, n_declared: int, n_bytes: int, format_: FormatName | None) -> tuple[int | None, int]:
    """Records and columns, without reading the records of a large file."""
    if n_bytes and format_of(Path(source), format_).name == "parquet":
        from shoal.sources.parquet import footer

        found = footer(Path(source), ReadOptions())
        return found.n_records, len(found.names)
    if n_bytes and format_of(Path(source), format_).name == "csv":
        return n_bytes // _bytes_per_line(Path(source)), n_declared
    return None, n_declared


def _bytes_per_line(path: Path) -> int:
    from shoal.sources.compression import open_bytes

    with open_bytes(path) as stream:
        head = stream.read(1 << 16)
    return max(1, len(head) // max(1, head.count(b"\n")))


def _duration(seconds: float) -> str:
    if seconds < 90:
        return number_of(max(round(seconds), 1), "second")
    return number_of(round(seconds / 60), "minute") if seconds < 5400 else f"{seconds / 3600:.1f} hours"
