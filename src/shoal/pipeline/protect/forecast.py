"""Forecast of a run before it starts: engine, CPU time, memory and disk.

The table is read, or the beginning of a large one, and the stages are run on samples of it (`pilot.py`). Where samples
cannot be protected, which the forecast says, the seconds are those of a usual machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.engines.catalog_table import CatalogTable, catalog_table
from shoal.engines.choose import BYTES_OF_WORK, EngineChoice, EngineName, choose
from shoal.engines.lots.spark_session import is_spark_dataframe
from shoal.engines.memory import MemoryEngine
from shoal.engines.memory_budget import PROGRAM_BYTES
from shoal.errors import EngineError, ShoalError, TableError, listed, plural
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.pilot import Pilot, TableSize
from shoal.pipeline.protect.undivided_steps import check_undivided
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, ReleasePlan, load
from shoal.report.words import number_of
from shoal.sources import ReadOptions
from shoal.sources.formats import format_of
from shoal.sources.pieces import open_pieces

# CPU seconds of an engine, compared with those of a pilot.
ENGINE_FACTORS = {"memory": 1.0, "duckdb": 1.2, "processes": 1.2, "spark": 3.0}
CELLS_PER_SECOND = 300_000  # where no pilot could run
MOST_READ = 300 * 10**6  # bytes of a file that a forecast reads as a whole
READ_TWICE = 20 * 10**6  # bytes of a file that is read so fast that loading modules takes most of the time
RECORDS_OF_HEAD = 200_000  # that are read of a larger one, about
COPIES_ON_DISK = 4  # of the records, while they are sorted and written
COPIES_OF_POINTS = 3  # of the coordinates of a block, while it is grouped
WRITTEN_AND_READ = 2  # a release is written, and read again to be proven: each takes about as long as reading the table


@dataclass(frozen=True)
class Forecast:
    engine: str
    reason: str
    n_records: int  # approximate for a large CSV
    n_columns: int
    n_blocks: int | None  # None: not known
    seconds: float  # of CPU time, of all cores together
    memory: int  # bytes at most
    disk: int  # bytes, without the release
    stages: Mapping[str, float] = field(default_factory=dict)  # CPU seconds by stage
    basis: str = ""  # what the seconds are based on
    budget: str | None = None  # of a search

    def __str__(self) -> str:
        blocks = "" if self.n_blocks is None or self.n_blocks == 1 else f", in {self.n_blocks:,} blocks"
        shape = f"{self.n_records:,} {plural(self.n_records, 'record')} x {number_of(self.n_columns, 'column')}"
        lines = [
            f"about {shape}{blocks}",
            f"engine {self.engine}: {self.reason}",
            f"about {_duration(self.seconds)} of CPU time, {self.memory / 1e9:.2g} GB of memory, "
            f"{self.disk / 1e9:.2g} GB on disk besides the release",
            *([f"the search examines at most {self.budget}"] if self.budget else []),
            *([f"most of it: {self._longest}"] if self._longest else []),
            self.basis,
        ]
        return "\n".join(lines)

    @property
    def _longest(self) -> str:
        """The stages that take a tenth of the time and more, longest first."""
        by_time = sorted(self.stages.items(), key=lambda stage: -stage[1])
        return listed([f"{name} ({_duration(s)})" for name, s in by_time if s >= max(1.0, 0.1 * self.seconds)])


@dataclass(frozen=True)
class _Head:
    """Records of the source, all or the first ones, and the CPU seconds that reading all of them takes."""

    table: pa.Table
    n_records: int  # of the whole source
    seconds: float
    seconds_again: float  # once the modules are loaded

    @property
    def is_whole(self) -> bool:
        return len(self.table) == self.n_records


def forecast(
    source: Any,
    policy: PolicyLike,
    *,
    output: str | Path | None = None,
    memory: int | str | None = None,
    engine: EngineName = "auto",
    master: str | None = None,
) -> Forecast:
    """The forecast. Writes nothing; without ``output`` a file is assumed."""
    rules = load(policy)
    written, source = [Path(output)] if output else [], catalog_table(source)
    if isinstance(source, CatalogTable) or is_spark_dataframe(source):
        raise EngineError.no_forecast()
    choice = choose(source, engine, memory, written, format_=rules.source.format, master=master)
    check_undivided(ReleasePlan.of(rules), choice)
    head = _read_head(source, rules, choice.n_bytes)
    if not head.n_records:
        raise TableError.no_records()
    size, n_blocks, dividing = _size(head, rules)
    stages, basis = _stages(head, rules, size)
    stages = {"reading the table": head.seconds, **stages}
    if choice.n_bytes:
        stages["writing and proving the release"] = (
            stages.get("writing and proving the release", 0.0) + WRITTEN_AND_READ * head.seconds_again
        )
    if dividing:
        stages["dividing records into blocks"] = dividing
    stages = {name: seconds * ENGINE_FACTORS[choice.name] for name, seconds in stages.items()}
    budget = rules.method.budget
    return Forecast(
        choice.name,
        choice.reason,
        head.n_records,
        head.table.num_columns,
        n_blocks,
        sum(stages.values()),
        _memory(choice, head, size),
        COPIES_ON_DISK * choice.n_bytes if choice.name != "memory" else 0,
        stages,
        basis,
        None if budget is None else budget.words,
    )


def _stages(head: _Head, policy: Policy, size: TableSize) -> tuple[dict[str, float], str]:
    """CPU seconds by stage, without reading, and a sentence that says what they are based on."""
    try:
        pilot = Pilot.of(head.table, policy, size)
    except ShoalError as reason:
        cells = head.n_records * head.table.num_columns
        return {"all stages": cells / CELLS_PER_SECOND}, f"no pilot, since samples cannot be protected: {reason}"
    stages = {name: seconds for name, seconds in pilot.forecast(size).items() if name != "reading the table"}
    where = "the table" if head.is_whole else f"its first {len(head.table):,} records"
    return stages, f"by a pilot on {pilot.n_small:,} and {number_of(pilot.n_large, 'record')} of {where}"


def _read_head(source: Any, policy: Policy, n_bytes: int) -> _Head:
    started_at = time.process_time()
    if n_bytes <= MOST_READ or not format_of(Path(source), policy.source.format).in_pieces:
        frame = MemoryEngine().read(source, policy.source, columns=None, kinds=policy.cell_kinds)
        seconds = again = time.process_time() - started_at
        if n_bytes <= READ_TWICE:
            frame = MemoryEngine().read(source, policy.source, columns=None, kinds=policy.cell_kinds)
            again = time.process_time() - started_at - seconds
        return _Head(MemoryEngine().collect(frame), frame.n_records, seconds, again)
    pieces, read = open_pieces(source, policy.source, kinds=policy.cell_kinds), list[pa.Table]()
    for piece in pieces.read(pieces.names):
        read.append(piece)
        if sum(map(len, read)) >= RECORDS_OF_HEAD:
            break
    head = pa.concat_tables(read, promote_options="permissive")
    n_records = pieces.n_records or _number_of_records(Path(source), policy.source, n_bytes)
    seconds = (time.process_time() - started_at) * n_records / len(head)
    return _Head(head, n_records, seconds, seconds)


def _size(head: _Head, policy: Policy) -> tuple[TableSize, int | None, float]:
    """What the pilot needs to know of the table, the number of its blocks, and the CPU seconds of dividing it."""
    k = policy.k or 1
    try:
        original = FittedTable.read(MemoryEngine(), head.table, policy)
        width = original.embedding.width
        if not original.plan.method.forms_groups:
            return TableSize(head.n_records, width, k, None), None, 0.0
        started_at = time.process_time()
        division = original.division_of_many(head.n_records / len(head.table))
        limit, n_blocks = division.limit, division.blocks.n_blocks
        seconds = (time.process_time() - started_at) * head.n_records / len(head.table)
    except ShoalError:  # protect says what is wrong
        return TableSize(head.n_records, len(policy.columns), k, None), None, 0.0
    size = TableSize(head.n_records, width, k, limit, is_repaired=bool(division.shifted))
    return size, n_blocks if head.is_whole else None, seconds


def _memory(choice: EngineChoice, head: _Head, size: TableSize) -> int:
    """Bytes: the program, the records with all that the stages make of them, and the coordinates of blocks in work."""
    share = head.n_records / max(1, len(head.table))
    records = max(choice.n_bytes, int(head.table.nbytes * share))
    together = size.n_records if size.block_limit is None else size.block_limit * (os.cpu_count() or 1)
    needed = PROGRAM_BYTES + BYTES_OF_WORK * records + COPIES_OF_POINTS * 8 * size.width * together
    return min(choice.budget.memory, needed) if choice.name != "memory" else needed


def _number_of_records(path: Path, options: ReadOptions, n_bytes: int) -> int:
    """As the footers of Parquet state it, or by the first lines of a text."""
    if not format_of(path, options.format).has_types:
        return n_bytes // _bytes_per_line(path)
    from shoal.sources.parquet_footer import footer

    return footer(path, options).n_records


def _bytes_per_line(path: Path) -> int:
    from shoal.sources.compression import open_bytes

    with open_bytes(path) as stream:
        head = stream.read(1 << 16)
    return max(1, len(head) // max(1, head.count(b"\n")))


def _duration(seconds: float) -> str:
    if seconds < 90:
        return number_of(max(round(seconds), 1), "second")
    return number_of(round(seconds / 60), "minute") if seconds < 5400 else f"{seconds / 3600:.1f} hours"
