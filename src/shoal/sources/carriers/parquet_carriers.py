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

from shoal.sources.carriers.arrow_carriers import NO_METADATA, ONLY_USED, child_arrays, schema_carriers
from shoal.sources.carriers.carrier import Carrier, carrier_if_any
from shoal.sources.plain_errors import plain_errors

SCHEMA = b"ARROW:schema"  # the Arrow schema, as Arrow writes it
N_RECORDS, N_BYTES = 1 << 16, 1 << 20  # read at a time
REWRITE = "write the file again, so that its statistics describe its own records"
NO_INDEX = "write the file without an index of pages"


def carriers(path: Path) -> Iterator[Carrier]:
    with plain_errors(path), pq.ParquetFile(path, pre_buffer=False, buffer_size=N_BYTES) as file:
        metadata = file.metadata.metadata or {}
        yield from carrier_if_any("key-value metadata", len(set(metadata) - {SCHEMA}), NO_METADATA)
        if SCHEMA in metadata:
            yield from schema_carriers(ipc.read_schema(pa.py_buffer(base64.b64decode(metadata[SCHEMA]))))
        yield from carrier_if_any("indexes of pages", _n_indexes(file.metadata), NO_INDEX)
        yield from _record_carriers(file)


def _n_indexes(metadata: Any) -> int:
    groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
    return sum(bool(group.column(at).has_column_index) for group in groups for at in range(group.num_columns))


def _record_carriers(file: Any) -> Iterator[Carrier]:
    """Compares statistics and categories with the records, some of them at a time."""
    found = DictionaryUse()
    for group in range(file.num_row_groups):
        bounds = _statistics_of(file.metadata.row_group(group))
        for batch in file.iter_batches(N_RECORDS, row_groups=[group]):
            found.add_categories(batch)
            bounds = _without_occurring(bounds, batch)
        found.n_bounds += sum(map(len, _statistics_of(file.metadata.row_group(group))))
        found.unmatched.update({name: len(rest) for name, rest in zip(_leaf_names(file), bounds, strict=True) if rest})
    yield from found.carriers()


@dataclass
class DictionaryUse:
    """What was found in the records read so far."""

    listed: dict[str, Any] = field(default_factory=dict)  # categories of every column that has them
    used: dict[str, Any] = field(default_factory=dict)
    unmatched: Counter[str] = field(default_factory=Counter)  # statistics of values that no record has
    n_bounds: int = 0  # number of statistics in all

    def add_categories(self, batch: pa.RecordBatch) -> None:
        for name, cells in zip(batch.schema.names, batch.columns, strict=True):
            if pa.types.is_dictionary(cells.type):
                column: Any = cells
                self.listed[name] = _union(self.listed.get(name), column.dictionary)
                self.used[name] = _union(self.used.get(name), column.unique().dictionary_decode())

    def carriers(self) -> Iterator[Carrier]:
        unused = {name: n for name, listed in self.listed.items() if (n := _n_unused(listed, self.used[name]))}
        yield from carrier_if_any("categories that no record has", sum(unused.values()), ONLY_USED, unused)
        n_unmatched = sum(self.unmatched.values())
        yield from carrier_if_any("statistics of values that no record has", n_unmatched, REWRITE, self.unmatched)
        yield from carrier_if_any("statistics of values that records have", self.n_bounds - n_unmatched)


def _union(before: Any, more: Any) -> Any:
    return pa.chunked_array([more] if before is None else [before, more]).unique().drop_null()


def _n_unused(listed: Any, used: Any) -> int:
    return len(listed) - (pc.sum(pc.is_in(listed, value_set=used)).as_py() or 0)


def _statistics_of(group: Any) -> list[list[Any]]:
    """For every leaf column, in order: the minimum and maximum of its statistics, or nothing."""
    statistics = [group.column(at).statistics for at in range(group.num_columns)]
    return [list(_minimum_and_maximum(one)) if one is not None and one.has_min_max else [] for one in statistics]


def _minimum_and_maximum(statistics: Any) -> Iterator[Any]:
    """Minimum and maximum; times as the raw numbers of the file, since Python's types are less precise."""
    if statistics.logical_type.type in ("TIME", "TIMESTAMP", "DATE"):
        yield from (statistics.min_raw, statistics.max_raw)
    else:
        yield from (statistics.min, statistics.max)


def _without_occurring(bounds: Sequence[Sequence[Any]], batch: pa.RecordBatch) -> list[list[Any]]:
    """The minima and maxima of every leaf that are not among these cells."""
    leaves = [leaf for column in batch.columns for leaf in _leaves(column)]
    return [[each for each in found if not _occurs_in(each, leaf)] for found, leaf in zip(bounds, leaves, strict=True)]


def _leaves(array: Any) -> list[Any]:
    """The leaf columns that Parquet makes of an array: the array itself, or the arrays nested in it."""
    if isinstance(array, pa.ExtensionArray):
        return _leaves(array.storage)
    if pa.types.is_dictionary(array.type):
        return [array.unique().dictionary_decode()]
    return (
        [leaf for part in child_arrays(array) for leaf in _leaves(part)] if pa.types.is_nested(array.type) else [array]
    )


def _leaf_names(file: Any) -> list[str]:
    """The column that each leaf belongs to."""
    return [column.name for column in file.schema_arrow for _ in _leaves(pa.array([], column.type))]


def _occurs_in(bound: Any, cells: Any) -> bool:
    numbers = _as_stored(cells)
    try:
        return bool(pc.any(pc.equal(numbers, pa.scalar(bound, numbers.type))).as_py())
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
