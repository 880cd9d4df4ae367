"""Parquet files: typed columns, of which only the requested ones are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from shoal.errors import SourceError
from shoal.sources.bare import without_metadata
from shoal.sources.columns import select_columns
from shoal.sources.compute import Column
from shoal.sources.kinds import TextConversion, with_kinds_in_pieces
from shoal.sources.normalize_arrow import normalize_arrow, notes_on_dropped, without_index
from shoal.sources.options import CellKind, ReadOptions
from shoal.sources.origin import Formulas, LoadedTable, Origin
from shoal.sources.piece_sizes import PieceSizes
from shoal.sources.pieces import Pieces
from shoal.sources.plain_errors import plain_errors

PAGES = 1 << 20  # bytes of a column read at a time, so that row groups of any size take little memory
CELLS = 1 << 23  # of a row group, at most
MOST_RECORDS = 1 << 20
FEWEST_RECORDS = 1 << 14


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None) -> LoadedTable:
    # Not `read_table`, which derives columns from folders named key=value.
    with plain_errors(path), pq.ParquetFile(path, memory_map=True) as file:
        names, dropped = without_index(file.schema_arrow.names)
        table = file.read(columns=select_columns(path, names, columns))
    return LoadedTable(
        normalize_arrow(path, table), Origin("parquet", path, options, notes_on_dropped(dropped), dropped)
    )


@dataclass(frozen=True)
class Footer:
    """What the footer of a Parquet file states."""

    origin: Origin
    names: list[str]
    n_records: int
    n_bytes: int  # of all records, uncompressed


def footer(path: Path, options: ReadOptions) -> Footer:
    with plain_errors(path), pq.ParquetFile(path) as file:
        names, dropped = without_index(file.schema_arrow.names)
        about = file.metadata
        n_bytes = sum(about.row_group(at).total_byte_size for at in range(about.num_row_groups))
    origin = Origin("parquet", path, options, notes_on_dropped(dropped), dropped)
    return Footer(origin, names, about.num_rows, n_bytes)


def open_pieces(
    path: Path,
    options: ReadOptions,
    columns: Iterable[str] | None,
    kinds: Mapping[str, CellKind],
    sizes: PieceSizes,
) -> Pieces:
    about = footer(path, options)
    if not about.n_records:
        raise SourceError.no_records(path)
    names = select_columns(path, about.names, columns)
    fitting = sizes.n_bytes * about.n_records // max(about.n_bytes, 1)
    size = min(sizes.most_records, max(sizes.fewest_records, fitting))
    typed = Pieces(about.origin, tuple(names), kinds, about.n_records, lambda some: read_pieces(path, some, size))
    texts = [name for name in names if options.trim or kinds.get(name, "text") != "text"]
    if not any(pa.types.is_string(field.type) for field in next(typed.source(names)).schema if field.name in texts):
        return typed
    conversion = TextConversion(path, options)
    return replace(
        typed, n_records=None, source=lambda some: with_kinds_in_pieces(typed.source(some), kinds, conversion)
    )


def read_pieces(
    path: Path, names: list[str], n_records: int, row_groups: Sequence[int] | None = None
) -> Iterator[pa.Table]:
    """The wanted columns, ``n_records`` at a time. ``row_groups``: those that are read; None: all."""
    with plain_errors(path), pq.ParquetFile(path, pre_buffer=False, buffer_size=PAGES) as file:
        for batch in file.iter_batches(
            n_records, columns=names, row_groups=None if row_groups is None else list(row_groups)
        ):
            yield normalize_arrow(path, pa.Table.from_batches([batch]).select(names))


@dataclass(frozen=True)
class RowGroups:
    """Adjacent row groups of a file."""

    path: Path
    numbers: tuple[int, ...]
    first: int  # position of the first record in the file
    n_records: int

    def read(self, names: list[str], n_records: int) -> Iterator[pa.Table]:
        """The wanted columns, ``n_records`` at a time."""
        return read_pieces(self.path, names, n_records, self.numbers)


def row_groups(path: Path, n_bytes: int) -> list[RowGroups]:
    """All row groups of a file, together as long as they have ``n_bytes``, uncompressed."""
    with plain_errors(path), pq.ParquetFile(path) as file:
        about = file.metadata
        groups = [about.row_group(at) for at in range(about.num_row_groups)]
    found, waiting, first, waiting_bytes, waiting_records = list[RowGroups](), list[int](), 0, 0, 0
    for number, group in enumerate(groups):
        waiting.append(number)
        waiting_bytes, waiting_records = waiting_bytes + group.total_byte_size, waiting_records + group.num_rows
        if waiting_bytes >= n_bytes or number == len(groups) - 1:
            found.append(RowGroups(path, tuple(waiting), first, waiting_records))
            first += waiting_records
            waiting, waiting_bytes, waiting_records = [], 0, 0
    return found


def write_pieces(pieces: Iterable[pa.Table], path: Path, like: Origin | None) -> Formulas:
    """Writes the records; the same records give the same bytes, however they are split into pieces. Texts are stored as
    texts, so that no spreadsheet runs them."""
    groups = _row_groups(pieces)
    first = next(groups)
    for field in first.schema:
        if pa.types.is_interval(field.type):
            raise SourceError.cannot_write_column(field.name, "Parquet", f"Parquet has no type {field.type}")
    with pq.ParquetWriter(path, first.schema) as file:
        for group in chain([first], groups):
            file.write_table(group, row_group_size=max(len(group), 1))
    return {}


def _row_groups(pieces: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Row groups of a size that depends on the number of columns only; an empty one where there are no records."""
    buffered: list[pa.Table] = []
    n_yielded, size = 0, 0
    for piece in pieces:
        buffered.append(without_metadata(piece))
        size = size or _records_of_group(piece.num_columns)
        while sum(len(each) for each in buffered) >= size:
            joined = pa.concat_tables(buffered)
            buffered = [joined.slice(size)]
            n_yielded += size
            yield _one_group(joined.slice(0, size))
    if not n_yielded or any(len(each) for each in buffered):
        yield _one_group(pa.concat_tables(buffered))


def _records_of_group(n_columns: int) -> int:
    return min(MOST_RECORDS, max(FEWEST_RECORDS, CELLS // max(n_columns, 1)))


def _one_group(records: pa.Table) -> pa.Table:
    """In one chunk; categories in the order of the records, since a piece does not know those of others."""
    columns = [_in_order_of_records(column) for column in records.columns]
    return pa.table(columns, schema=records.schema).unify_dictionaries().combine_chunks()


def _in_order_of_records(column: Column) -> Column:
    kind = column.type
    if not pa.types.is_dictionary(kind) or kind.ordered:
        return column
    plain = pa.chunked_array([chunk.dictionary_decode() for chunk in column.chunks], kind.value_type)
    return plain.combine_chunks().dictionary_encode().cast(kind)
