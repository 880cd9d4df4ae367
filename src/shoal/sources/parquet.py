"""Parquet files, or folders of them: typed columns, of which only the requested ones are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from shoal.errors import SourceError
from shoal.sources.bare import without_metadata
from shoal.sources.columns import select_columns
from shoal.sources.compute import Column
from shoal.sources.kinds import TextConversion, with_kinds_in_pieces
from shoal.sources.normalize_arrow import normalize_arrow
from shoal.sources.options import CellKind, ReadOptions
from shoal.sources.origin import Formulas, LoadedTable, Origin
from shoal.sources.parquet_footer import RowGroups, footer
from shoal.sources.piece_sizes import PieceSizes
from shoal.sources.pieces import Pieces
from shoal.sources.plain_errors import plain_errors
from shoal.sources.promote_types import cast_piece
from shoal.sources.table_parts import is_written_in_parts, part_name

PAGES = 1 << 20  # bytes of a column read at a time, so that row groups of any size take little memory
CELLS = 1 << 23  # of a row group, at most
MOST_RECORDS = 1 << 20
FEWEST_RECORDS = 1 << 14


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None) -> LoadedTable:
    about = footer(path, options)
    names = select_columns(path, about.names, columns)
    types = about.types(names)
    tables = [_typed(part, _read_file(part, names), types, 0) for part in about.parts]
    table = tables[0] if types is None else pa.concat_tables(tables).unify_dictionaries()
    return LoadedTable(table, about.origin)


def _read_file(path: Path, names: list[str]) -> pa.Table:
    # Not `read_table`, which derives columns from folders named key=value.
    with plain_errors(path), pq.ParquetFile(path, memory_map=True) as file:
        return normalize_arrow(path, file.read(columns=names).select(names))


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
    parts, types = tuple(about.parts), about.types(names)
    typed = Pieces(
        about.origin, tuple(names), kinds, about.n_records, lambda some: _read_parts(parts, some, size, types), types
    )
    texts = [name for name in names if options.trim or kinds.get(name, "text") != "text"]
    if not any(pa.types.is_string(field.type) for field in next(typed.source(names)).schema if field.name in texts):
        return typed
    conversion = TextConversion(path, options)
    return replace(
        typed, n_records=None, source=lambda some: with_kinds_in_pieces(typed.source(some), kinds, conversion)
    )


def _read_parts(parts: Sequence[Path], names: list[str], n_records: int, types: pa.Schema | None) -> Iterator[pa.Table]:
    for part in parts:
        n_before = 0
        for piece in read_pieces(part, names, n_records):
            yield _typed(part, piece, types, n_before)
            n_before += len(piece)


def read_groups(groups: RowGroups, names: list[str], n_records: int, types: pa.Schema | None) -> Iterator[pa.Table]:
    """The wanted columns of some row groups, ``n_records`` at a time. ``types``: common to all parts; None: of one
    file."""
    n_before = groups.n_before
    for piece in read_pieces(groups.path, names, n_records, groups.numbers):
        yield _typed(groups.path, piece, types, n_before)
        n_before += len(piece)


def read_pieces(
    path: Path, names: list[str], n_records: int, row_groups: Sequence[int] | None = None
) -> Iterator[pa.Table]:
    """The wanted columns, ``n_records`` at a time. ``row_groups``: those that are read; None: all."""
    with plain_errors(path), pq.ParquetFile(path, pre_buffer=False, buffer_size=PAGES) as file:
        for batch in file.iter_batches(
            n_records, columns=names, row_groups=None if row_groups is None else list(row_groups)
        ):
            yield normalize_arrow(path, pa.Table.from_batches([batch]).select(names))


def _typed(part: Path, piece: pa.Table, types: pa.Schema | None, n_before: int) -> pa.Table:
    """A piece with the types that are common to all parts; ``n_before``: records before it in the file."""
    if types is None:
        return piece
    return cast_piece(part, piece, pa.schema([types.field(name) for name in piece.column_names]), n_before)


def write_pieces(pieces: Iterable[pa.Table], path: Path, like: Origin | None) -> Formulas:
    """Writes the records; the same records give the same bytes, however they are split into pieces. Texts are stored as
    texts, so that no spreadsheet runs them. A folder gets a file for each row group that one file would have."""
    groups = _row_groups(pieces)
    if not is_written_in_parts(path):
        _write_file(groups, path)
        return {}
    path.mkdir(exist_ok=True)
    for number, group in enumerate(groups):
        _write_file(iter([group]), path / part_name(number))
    return {}


def _write_file(groups: Iterator[pa.Table], path: Path) -> None:
    first = next(groups)
    for field in first.schema:
        if pa.types.is_interval(field.type):
            raise SourceError.cannot_write_column(field.name, "Parquet", f"Parquet has no type {field.type}")
    with pq.ParquetWriter(path, first.schema) as file:
        for group in chain([first], groups):
            file.write_table(group, row_group_size=max(len(group), 1))


def _row_groups(pieces: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Row groups of a size that depends on the number of columns only; an empty one where there are no records."""
    buffered: list[pa.Table] = []
    n_yielded, size = 0, 0
    for piece in pieces:
        buffered.append(without_metadata(piece))
        size = size or records_of_group(piece.num_columns)
        while sum(len(each) for each in buffered) >= size:
            joined = pa.concat_tables(buffered)
            buffered = [joined.slice(size)]
            n_yielded += size
            yield _one_group(joined.slice(0, size))
    if not n_yielded or any(len(each) for each in buffered):
        yield _one_group(pa.concat_tables(buffered))


def records_of_group(n_columns: int) -> int:
    """Records of a row group, and of a part of a folder."""
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
