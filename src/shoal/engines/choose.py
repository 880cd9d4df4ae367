"""The choice of the engine, by the size of the source compared with the available memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from shoal.engines.address_space import check_database, has_room_for_database
from shoal.engines.catalog_table import CatalogTable
from shoal.engines.lots.spark_session import is_spark_dataframe
from shoal.engines.memory import MemoryEngine
from shoal.engines.memory_budget import Budget
from shoal.engines.protocol import Engine
from shoal.errors import EngineError, PolicyError, SourceError
from shoal.sources import FormatName, ReadOptions, check_readable, compression_of
from shoal.sources.formats import format_of

EngineName = Literal["auto", "memory", "duckdb", "processes", "spark"]

BYTES_OF_WORK = 8  # bytes of memory that the pipeline takes per byte of the records
MANY_RECORDS = 5_000_000  # of Parquet, from which on processes take less time than DuckDB with one
COMPRESSION_RATIO = 5  # bytes of text per byte of a compressed file, approximately


@dataclass(frozen=True)
class SourceSize:
    """What is known of a source before it is read."""

    n_bytes: int = 0  # of the records, approximately; 0: not known
    n_records: int = 0  # 0: not known


@dataclass(frozen=True)
class EngineChoice:
    name: Literal["memory", "duckdb", "processes", "spark"]
    reason: str
    size: SourceSize
    budget: Budget
    master: str | None = None  # of Spark
    session: Any = None  # of Spark, where the source is one of its dataframes

    @property
    def n_bytes(self) -> int:
        return self.size.n_bytes


def choose(
    source: Any,
    engine: EngineName,
    memory: int | str | None,
    written: Sequence[Path] = (),
    *,
    in_file: bool = True,
    format_: FormatName | None = None,
    master: str | None = None,
) -> EngineChoice:
    """``written``: the files to be written; ``in_file``: whether the release need not be returned in memory;
    ``format_``: the format of the source, if its extension does not tell; ``master``: of Spark."""
    if engine not in get_args(EngineName):
        raise PolicyError.unknown_choice("engine", engine, get_args(EngineName))
    budget, size = Budget.of(memory), source_size(source, format_)
    if engine == "memory" and memory is not None:
        raise EngineError.unbounded()
    is_on_spark = is_spark_dataframe(source) or isinstance(source, CatalogTable)
    if is_on_spark and engine not in ("auto", "spark"):
        raise EngineError.table_of_spark(engine)
    engine = "spark" if is_on_spark else engine
    if master is not None and engine != "spark":
        raise EngineError.master_without_spark(engine)
    if engine in ("duckdb", "processes", "spark") and not in_file:
        raise EngineError.no_output(engine)
    if engine != "auto":
        reason = "the table is one of Spark" if is_on_spark else "it was requested"
        return EngineChoice(engine, reason, size, budget, master, getattr(source, "sparkSession", None))
    if not _is_path(source):
        return EngineChoice("memory", "the table is already in memory", size, budget)
    if not in_file:
        return EngineChoice("memory", "the release is returned in memory", size, budget)
    if not _supports_pieces(Path(source), format_) or not all(map(_supports_pieces, written)):
        return EngineChoice("memory", "a file of this format is read or written as a whole", size, budget)
    if BYTES_OF_WORK * size.n_bytes <= budget.memory:
        return EngineChoice("memory", "there is enough memory", size, budget)
    if size.n_records >= MANY_RECORDS and budget.n_processes > 1:
        return EngineChoice(
            "processes", "there is not enough memory for all records, and more than one core", size, budget
        )
    return EngineChoice("duckdb", "there is not enough memory for all records", size, budget)


@contextmanager
def open_engine(choice: EngineChoice, folder: Path | None = None) -> Iterator[Engine[Any]]:
    """The engine. ``folder``: where it may write what does not fit into memory.

    If the system runs out of memory, in kernels or libraries, an EngineError is raised.
    """
    try:
        with _engine(choice, folder) as engine:
            yield engine
    except MemoryError:
        has_no_alternative = choice.name == "memory" and not has_room_for_database()
        raise EngineError.none_left(None if has_no_alternative else choice.name) from None


@contextmanager
def _engine(choice: EngineChoice, folder: Path | None) -> Iterator[Engine[Any]]:
    if choice.name == "memory":
        yield MemoryEngine()
        return
    if choice.name == "processes":
        from shoal.engines.lots.process_engine import process_engine

        with process_engine(choice.budget, folder) as processes:
            yield processes
        return
    if choice.name == "spark":
        from shoal.engines.lots.spark_engine import spark_engine

        with spark_engine(choice.budget, folder, master=choice.master, session=choice.session) as spark:
            yield spark
        return
    check_database()
    from shoal.engines.duckdb import DuckdbEngine

    with DuckdbEngine(choice.budget, folder) as engine:
        yield engine


def source_size(source: Any, format_: FormatName | None = None) -> SourceSize:
    """The size of a file; nothing is known of a dataframe, which is in memory already or elsewhere."""
    if not _is_path(source):
        return SourceSize()
    path = Path(source)
    check_readable(path)
    if format_of(path, format_).name == "parquet":
        from shoal.sources.parquet_footer import footer

        found = footer(path, ReadOptions())
        return SourceSize(max(found.n_bytes, 8 * found.n_records * len(found.names)), found.n_records)
    return SourceSize(path.stat().st_size * (COMPRESSION_RATIO if compression_of(path) else 1))


def _supports_pieces(path: Path, format_: FormatName | None = None) -> bool:
    try:
        return format_of(path, format_).in_pieces
    except SourceError:  # raised when the file is opened
        return False


def _is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike)
