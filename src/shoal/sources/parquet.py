"""Parquet: typed columns; only those asked for are read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from shoal.errors import SourceError
from shoal.sources.columns import chosen
from shoal.sources.options import ReadOptions
from shoal.sources.origin import Loaded, Origin
from shoal.sources.tidy import left_out, tidy, without_index


def read(path: Path, options: ReadOptions, columns: Iterable[str] | None) -> Loaded:
    try:
        # Not `read_table`: that one makes columns of folders named key=value.
        with pq.ParquetFile(path, memory_map=True) as file:
            names, dropped = without_index(file.schema_arrow.names)
            table = file.read(columns=chosen(path, names, columns))
    except (pa.ArrowException, OSError):
        raise SourceError.damaged(path) from None
    return Loaded(tidy(path, table), Origin("parquet", path, options, left_out(dropped), dropped))


def write(table: pa.Table, path: Path) -> None:
    # In one piece, so that the bytes do not depend on how the table was put together.
    pq.write_table(table.replace_schema_metadata(None).combine_chunks(), path)
