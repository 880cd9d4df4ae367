"""Carriers of Parquet files: metadata, statistics of row groups, lists of categories."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from shoal.sources.carriers.arrow_carriers import NO_METADATA, ONLY_USED, inside, of_schema
from shoal.sources.carriers.carrier import Carrier, some
from shoal.sources.plain_errors import plain_errors

SCHEMA = b"ARROW:schema"  # the Arrow schema, as Arrow writes it
N_RECORDS, N_BYTES = 1 << 16, 1 << 20  # read at a time
ANEW = "write it anew, so that its statistics are of its own records"
NO_INDEX = "write it without an index of pages"


def carriers(path: Path) -> Iterator[Carrier]:
    with plain_errors(path), pq.ParquetFile(path, pre_buffer=False, buffer_size=N_BYTES) as file:
        told = file.metadata.metadata or {}
        yield from some("key-value metadata", len(set(told) - {SCHEMA}), NO_METADATA)
        if SCHEMA in told:
            yield from of_schema(ipc.read_schema(pa.py_buffer(base64.b64decode(told[SCHEMA]))))
        yield from some("indexes of pages", _n_indexes(file.metadata), NO_INDEX)
        yield from _of_records(file)


def _n_indexes(about: Any) -> int:
    groups = [about.row_group(at) for at in range(about.num_row_groups)]
    return sum(bool(group.column(at).has_column_index) for group in groups for at in range(group.num_columns))


def _of_records(file: Any) -> Iterator[Carrier]:
    """Compares statistics and categories with the records, some of them at a time."""
    found = DictionaryUse()
    for group in range(file.num_row_groups):
        ends = _ends(file.metadata.row_group(group))
        for batch in file.iter_batches(N_RECORDS, row_groups=[group]):
            found.add_categories(batch)
            ends = _left(ends, batch)
        found.n_told += sum(map(len, _ends(file.metadata.row_group(group))))
        found.strange.update({name: len(left) for name, left in zip(_leaf_names(file), ends, strict=True) if left})
    yield from found.carriers()


@dataclass
class DictionaryUse:
    """What was found in the records read so far."""

    listed: dict[str, Any] = field(default_factory=dict)  # categories of every column that has them
    used: dict[str, Any] = field(default_factory=dict)
    strange: Counter[str] = field(default_factory=Counter)  # statistics of values that no record has
    n_told: int = 0  # number of statistics in all

    def add_categories(self, batch: pa.RecordBatch) -> None:
        for name, cells in zip(batch.schema.names, batch.columns, strict=True):
            if pa.types.is_dictionary(cells.type):
                column: Any = cells
                self.listed[name] = _union(self.listed.get(name), column.dictionary)
                self.used[name] = _union(self.used.get(name), column.unique().dictionary_decode())

    def carriers(self) -> Iterator[Carrier]:
        unused = {name: n for name, listed in self.listed.items() if (n := _n_not_in(listed, self.used[name]))}
        yield from some("categories that no record has", sum(unused.values()), ONLY_USED, unused)
        n_strange = sum(self.strange.values())
        yield from some("statistics of values that no record has", n_strange, ANEW, self.strange)
        yield from some("statistics of values that records have", self.n_told - n_strange)


def _union(before: Any, more: Any) -> Any:
    return pa.chunked_array([more] if before is None else [before, more]).unique().drop_null()


def _n_not_in(listed: Any, used: Any) -> int:
    return len(listed) - (pc.sum(pc.is_in(listed, value_set=used)).as_py() or 0)


def _ends(group: Any) -> list[list[Any]]:
    """For every leaf column, in order: the minimum and maximum of its statistics, or nothing."""
    statistics = [group.column(at).statistics for at in range(group.num_columns)]
    return [list(_told(one)) if one is not None and one.has_min_max else [] for one in statistics]


def _told(statistics: Any) -> Iterator[Any]:
    """Minimum and maximum; times as the raw numbers of the file, since Python's types are less precise."""
    if statistics.logical_type.type in ("TIME", "TIMESTAMP", "DATE"):
        yield from (statistics.min_raw, statistics.max_raw)
    else:
        yield from (statistics.min, statistics.max)


def _left(ends: Sequence[Sequence[Any]], batch: pa.RecordBatch) -> list[list[Any]]:
    """The minima and maxima of every leaf that are not among these cells."""
    leaves = [leaf for column in batch.columns for leaf in _leaves(column)]
    return [[end for end in told if not _is_among(end, leaf)] for told, leaf in zip(ends, leaves, strict=True)]


def _leaves(array: Any) -> list[Any]:
    """The leaf columns that Parquet makes of an array: the array itself, or the arrays nested in it."""
    if isinstance(array, pa.ExtensionArray):
        return _leaves(array.storage)
    if pa.types.is_dictionary(array.type):
        return [array.unique().dictionary_decode()]
    return [leaf for part in inside(array) for leaf in _leaves(part)] if pa.types.is_nested(array.type) else [array]


def _leaf_names(file: Any) -> list[str]:
    """The column that each leaf belongs to."""
    return [column.name for column in file.schema_arrow for _ in _leaves(pa.array([], column.type))]


def _is_among(end: Any, cells: Any) -> bool:
    numbers = _as_stored(cells)
    try:
        return bool(pc.any(pc.equal(numbers, pa.scalar(end, numbers.type))).as_py())
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # not a value of this type
        return False


def _as_stored(cells: Any) -> Any:
    """Dates and times as integers; seconds are stored as milliseconds."""
    kind = cells.type
    if pa.types.is_date64(kind):
        return cells.cast(pa.date32()).view(pa.int32())
    if pa.types.is_timestamp(kind):
        return (cells.cast(pa.timestamp("ms", kind.tz)) if kind.unit == "s" else cells).view(pa.int64())
    if pa.types.is_time32(kind):
        return cells.cast(pa.time32("ms")).view(pa.int32())
    if pa.types.is_date32(kind):
        return cells.view(pa.int32())
    return cells.view(pa.int64()) if pa.types.is_time64(kind) or pa.types.is_duration(kind) else cells
