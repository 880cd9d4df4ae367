"""Lots as rows of a Spark DataFrame, each one Arrow stream of some thousand records.

Spark never sees a cell: it cannot convert, compare or log one. A row that holds a fault instead of records says why a
task stopped (`task_outcome.py`): an error that is raised in a task is written to the logs of the cluster, and the task
is tried again.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.ipc as ipc

from shoal import __version__
from shoal.engines.lots.lot_carrier import LotFunction, Opener, PartFunction, R
from shoal.engines.lots.stored_lots import StoredLots, common_types
from shoal.engines.lots.task_outcome import TaskOutcome
from shoal.engines.spill import OPTIONS
from shoal.errors import EngineError
from shoal.sources.promote_types import cast_piece

Batches = Iterable[pa.RecordBatch]  # of rows
RowMaker = Callable[[Iterator[pa.Table]], Iterator[pa.RecordBatch]]

# part: the task that a row goes to; types: the schema of its records, before categories were replaced by their values
DDL = "part int, n_records long, n_bytes long, types binary, cells binary, fault binary"
FIELDS: list[tuple[str, pa.DataType]] = [
    ("part", pa.int32()),
    ("n_records", pa.int64()),
    ("n_bytes", pa.int64()),
    ("types", pa.binary()),
    ("cells", pa.binary()),
    ("fault", pa.binary()),
]
SCHEMA = pa.schema(FIELDS)
WORKER_DISKS = Path("a folder for temporary files of Spark")


class RowOpener(Protocol):
    """The lots that the rows of a task hold, or say where to find."""

    def only(self, names: Sequence[str]) -> RowOpener: ...  # these columns

    def __call__(self, rows: Batches, /) -> Iterator[pa.Table]: ...


@dataclass(frozen=True)
class ByNumber:
    """Rows that are numbers of openers, in the column ``id``."""

    openers: tuple[Opener, ...]

    def only(self, names: Sequence[str]) -> ByNumber:
        return ByNumber(tuple(opener.only(names) for opener in self.openers))

    def __call__(self, rows: Batches) -> Iterator[pa.Table]:
        for batch in rows:
            numbers: list[Any] = batch["id"].to_pylist()
            for number in numbers:
                yield from self.openers[number]()


@dataclass(frozen=True)
class InRows:
    """Rows that hold lots."""

    schema: pa.Schema | None = None  # None: types that hold all lots of the task
    names: tuple[str, ...] | None = None  # None: all columns

    def only(self, names: Sequence[str]) -> InRows:
        return replace(self, names=tuple(names))

    def __call__(self, rows: Batches) -> Iterator[pa.Table]:
        if self.schema is not None:
            return (self._lot(cells, self.schema) for _, cells in _lots_of(rows))
        found = list(_lots_of(rows))
        types = dict.fromkeys(each for each, _ in found)
        schema = common_types(map(schema_of, types))
        return (self._lot(cells, schema) for _, cells in found)

    def _lot(self, cells: pa.Buffer, schema: pa.Schema) -> pa.Table:
        names = schema.names if self.names is None else list(self.names)
        with ipc.open_stream(cells) as reader:
            lot = reader.read_all().select(names)
        return cast_piece(None, lot, pa.schema([schema.field(name) for name in names]), 0)


def _lots_of(rows: Batches) -> Iterator[tuple[bytes, pa.Buffer]]:
    """Types and cells; the fault of another task is raised."""
    for batch in rows:
        for at in range(len(batch)):
            check_fault(batch["fault"][at].as_py())
            yield batch["types"][at].as_py(), batch["cells"][at].as_buffer()


def check_fault(fault: bytes | None) -> None:
    if fault is not None:
        outcome: TaskOutcome[Any] = pickle.loads(fault)
        outcome.value(WORKER_DISKS)


def schema_of(types: bytes) -> pa.Schema:
    return ipc.read_schema(pa.py_buffer(types))


@dataclass(frozen=True)
class RowTask:
    """What a task of Spark does. It is pickled by Shoal, so that what fails when it is read is a fault like others."""

    content: bytes
    version: str = __version__  # of Shoal where it was made: another one might make another release

    @classmethod
    def of(cls, opener: RowOpener, functions: tuple[LotFunction, ...], make: RowMaker) -> RowTask:
        return cls(pickle.dumps((opener, functions, make)))

    def __call__(self, rows: Batches) -> Iterator[pa.RecordBatch]:
        pa.set_cpu_count(1)
        try:
            if self.version != __version__:
                raise EngineError.other_version(self.version, __version__)
            opener, functions, make = pickle.loads(self.content)
            lots = opener(rows)
            for fn in functions:
                lots = fn(lots)
            yield from make(lots)
        except MemoryError:
            yield _fault_row(EngineError.spark_failed("MemoryError", "memory"))
        except Exception as error:
            yield _fault_row(error)


def rows_of_lots(most_records: int) -> RowMaker:
    return partial(_rows_of_lots, most_records)


def _rows_of_lots(most_records: int, lots: Iterator[pa.Table]) -> Iterator[pa.RecordBatch]:
    """At least one row where there is a lot, for its types."""
    stored = StoredLots.of(lots)
    types = stored.schema.serialize().to_pybytes()
    batches = stored.batches(most_records)
    if stored.tables and not batches:
        batches = [pa.RecordBatch.from_pylist([], schema=stored.plain)]
    return (_lot_row(batch, types) for batch in batches)


def rows_of_parts(part_of: PartFunction, n_parts: int, most_records: int) -> RowMaker:
    return partial(_rows_of_parts, part_of, n_parts, most_records)


def _rows_of_parts(
    part_of: PartFunction, n_parts: int, most_records: int, lots: Iterator[pa.Table]
) -> Iterator[pa.RecordBatch]:
    stored = StoredLots.of(lots)
    types = stored.schema.serialize().to_pybytes()
    for part, batches in enumerate(stored.in_parts(part_of, n_parts, most_records)):
        for batch in batches:
            yield _lot_row(batch, types, part)


def row_of_result(of: Callable[[Iterator[pa.Table]], R]) -> RowMaker:
    return partial(_row_of_result, of)


def _row_of_result(of: Callable[[Iterator[pa.Table]], R], lots: Iterator[pa.Table]) -> Iterator[pa.RecordBatch]:
    yield _row(cells=pa.py_buffer(pickle.dumps(of(lots))))


def _lot_row(batch: pa.RecordBatch, types: bytes, part: int = 0) -> pa.RecordBatch:
    sink = pa.BufferOutputStream()
    with ipc.new_stream(sink, batch.schema, options=OPTIONS) as writer:
        writer.write_batch(batch)
    return _row(part, len(batch), types, sink.getvalue())


def _fault_row(error: Exception) -> pa.RecordBatch:
    fault: TaskOutcome[Any] = TaskOutcome.of_error(error)
    return _row(fault=pickle.dumps(fault))


def _row(
    part: int = 0, n_records: int = 0, types: bytes = b"", cells: pa.Buffer | None = None, fault: bytes | None = None
) -> pa.RecordBatch:
    values = [part, n_records, cells.size if cells else 0, types, None, fault]
    columns = [pa.array([value], field.type) for value, field in zip(values, SCHEMA, strict=True)]
    if cells is not None:
        columns[SCHEMA.get_field_index("cells")] = _binary(cells)
    return pa.record_batch(columns, schema=SCHEMA)


def _binary(content: pa.Buffer) -> Any:
    """An array of one cell, without a copy."""
    offsets = pa.array([0, content.size], pa.int32()).buffers()[1]
    return pa.Array.from_buffers(pa.binary(), 1, [None, offsets, content])
