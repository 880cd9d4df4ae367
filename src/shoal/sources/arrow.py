"""Arrow IPC files and streams, which are also Feather version 2."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc as ipc

from shoal.sources.bare import without_hidden_cells, without_metadata
from shoal.sources.columns import select_columns
from shoal.sources.formats import format_of
from shoal.sources.normalize_arrow import normalize_arrow, notes_on_dropped, without_index
from shoal.sources.options import ReadOptions
from shoal.sources.origin import LoadedTable, Origin
from shoal.sources.plain_errors import plain_errors


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None) -> LoadedTable:
    with plain_errors(path), pa.memory_map(str(path)) as file:
        table = _table(file)
        table.validate()
    names, dropped = without_index(table.column_names)
    table = table.select(select_columns(path, names, columns))
    return LoadedTable(
        normalize_arrow(path, table),
        Origin(format_of(path, options.format).name, path, options, notes_on_dropped(dropped), dropped),
    )


def _table(file: pa.MemoryMappedFile) -> pa.Table:
    try:
        return ipc.open_file(file).read_all()
    except pa.ArrowInvalid:
        file.seek(0)
        return ipc.open_stream(file).read_all()


def write(table: pa.Table, path: Path, like: Origin | None) -> None:
    # In one chunk, so that the bytes do not depend on how the table was put together.
    table = without_hidden_cells(without_metadata(table)).unify_dictionaries().combine_chunks()
    with ipc.new_file(str(path), table.schema) as file:
        file.write_table(table)
