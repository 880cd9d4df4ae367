"""Openers: where the records of a task are, and how they are read there. They are pickled, so they hold no records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc

from shoal.schema.helper_columns import RECORD_ID
from shoal.sources import Origin
from shoal.sources.parquet import RowGroups
from shoal.sources.promote_types import cast_piece

OPTIONS = ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True)
class InParquet:
    """Row groups of a Parquet file that is read in place."""

    origin: Origin
    groups: RowGroups
    names: tuple[str, ...]
    most_records: int  # of a lot

    def __call__(self) -> Iterator[pa.Table]:
        self.origin.check_unchanged()
        n_before = self.groups.first
        for lot in self.groups.read(list(self.names), self.most_records):
            ids = np.arange(n_before, n_before + len(lot), dtype=np.int64)
            yield lot.append_column(RECORD_ID, pa.array(ids))
            n_before += len(lot)
        self.origin.check_unchanged()


@dataclass(frozen=True)
class InFiles:
    """Lots in files of a private folder: of each file some of its batches."""

    files: tuple[tuple[Path, tuple[int, ...]], ...]
    schema: pa.Schema
    where: object = None  # how error messages name the source

    def __call__(self) -> Iterator[pa.Table]:
        for path, batches in self.files:
            with pa.OSFile(str(path), "rb") as file, ipc.open_file(file) as reader:
                for at in batches:
                    lot = pa.Table.from_batches([reader.get_batch(at)])
                    yield cast_piece(self.where, lot, self.schema, 0)
