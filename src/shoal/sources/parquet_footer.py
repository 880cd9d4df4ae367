"""Footers: what a Parquet file, or each part of a folder, states about its columns, records and row groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from shoal.errors import PartsError
from shoal.sources.normalize_arrow import normalized_type, notes_on_dropped, without_index
from shoal.sources.options import ReadOptions
from shoal.sources.origin import Origin
from shoal.sources.plain_errors import plain_errors
from shoal.sources.promote_types import promote_schemas
from shoal.sources.table_parts import parts_of


@dataclass(frozen=True)
class Footer:
    """All files of a table, in their order, and what they state together."""

    origin: Origin
    names: list[str]
    n_records: int
    n_bytes: int  # of all records, uncompressed
    parts: dict[Path, pa.Schema]  # every file with its types

    def types(self, names: Sequence[str]) -> pa.Schema | None:
        """Types of these columns that hold the cells of every part; None: those of the only file."""
        (_, schema), *others = self.parts.items()
        if not others:
            return None
        common = _types(schema, names)
        for part, other in others:
            common = promote_schemas(part, common, _types(other, names))
        return pa.schema([(field.name, normalized_type(field.type)) for field in common])


def footer(path: Path, options: ReadOptions) -> Footer:
    parts, dropped = dict[Path, pa.Schema](), dict[str, None]()
    n_records = n_bytes = 0
    for part in parts_of(path):
        schema, about = _footer_of_file(part)
        parts[part] = schema
        dropped.update(dict.fromkeys(without_index(schema.names)[1]))
        n_records += about.num_rows
        n_bytes += sum(about.row_group(at).total_byte_size for at in range(about.num_row_groups))
    left_out = tuple(dropped)
    origin = Origin("parquet", path, options, notes_on_dropped(left_out), left_out)
    return Footer(origin, _common_names(parts), n_records, n_bytes, parts)


def _footer_of_file(path: Path) -> tuple[pa.Schema, Any]:
    with plain_errors(path), pq.ParquetFile(path) as file:
        return file.schema_arrow, file.metadata


def _common_names(parts: dict[Path, pa.Schema]) -> list[str]:
    """The columns of the first part; every other must have the same ones, in any order."""
    names = {part: without_index(schema.names)[0] for part, schema in parts.items()}
    first = next(iter(names))
    for part, others in names.items():
        expected, found = Counter(names[first]), Counter(others)
        if found != expected:
            raise PartsError.other_columns(part, first, list(expected - found), list(found - expected))
    return names[first]


def _types(schema: pa.Schema, names: Sequence[str]) -> pa.Schema:
    """The types that these columns have when they are read; a column without a single cell has none of its own."""
    kinds = [schema.field(name).type for name in names]
    return pa.schema(
        [
            (name, kind if pa.types.is_null(kind) else normalized_type(kind))
            for name, kind in zip(names, kinds, strict=True)
        ]
    )


@dataclass(frozen=True)
class RowGroups:
    """Adjacent row groups of a file."""

    path: Path
    numbers: tuple[int, ...]
    first: int  # position of the first record in the table
    n_before: int  # records before it in the file
    n_records: int


def row_groups(parts: Sequence[Path], n_bytes: int) -> list[tuple[RowGroups, ...]]:
    """All row groups of a table, adjacent ones together as long as they have ``n_bytes``, uncompressed."""
    found, waiting, waiting_bytes, first = list[tuple[RowGroups, ...]](), list[RowGroups](), 0, 0
    for part in parts:
        about, start = _footer_of_file(part)[1], first
        for number in range(about.num_row_groups):
            group = about.row_group(number)
            _add_group(waiting, RowGroups(part, (number,), first, first - start, group.num_rows))
            waiting_bytes, first = waiting_bytes + group.total_byte_size, first + group.num_rows
            if waiting_bytes >= n_bytes:
                found.append(tuple(waiting))
                waiting, waiting_bytes = [], 0
    return [*found, tuple(waiting)] if waiting else found


def _add_group(waiting: list[RowGroups], new: RowGroups) -> None:
    """Adds a row group: to the last ones, where they are of the same file."""
    if waiting and waiting[-1].path == new.path:
        last = waiting.pop()
        new = replace(last, numbers=(*last.numbers, *new.numbers), n_records=last.n_records + new.n_records)
    waiting.append(new)
