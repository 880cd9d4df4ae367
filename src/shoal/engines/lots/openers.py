"""Openers: where the records of a task are, and how they are read there. They are pickled, so they hold no records.

``only`` gives the opener of some columns, which reads no others, and ``n_records`` their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc

from shoal.schema.helper_columns import RECORD_ID
from shoal.sources.file_state import FileState
from shoal.sources.parquet import read_groups
from shoal.sources.parquet_footer import RowGroups
from shoal.sources.promote_types import cast_piece


@dataclass(frozen=True)
class InParquet:
    """Row groups of a Parquet file, or of several parts of a folder, that are read in place."""

    groups: tuple[tuple[RowGroups, FileState], ...]  # each with the state of its file
    names: tuple[str, ...]  # with or without the column of record ids
    most_records: int  # of a lot
    types: pa.Schema | None = None  # common to all parts; None: those of the file

    @property
    def n_records(self) -> int:
        return sum(groups.n_records for groups, _ in self.groups)

    def only(self, names: Sequence[str]) -> InParquet:
        return replace(self, names=tuple(names))

    def __call__(self) -> Iterator[pa.Table]:
        for groups, file_state in self.groups:
            file_state.check(groups.path)
            yield from self._lots(groups)
            file_state.check(groups.path)

    def _lots(self, groups: RowGroups) -> Iterator[pa.Table]:
        n_before, in_file = groups.first, [name for name in self.names if name != RECORD_ID]
        read = partial(read_groups, groups, in_file, self.most_records, self.types)
        for lot in read() if in_file else self._without_columns(groups.n_records):
            if RECORD_ID in self.names:
                ids = np.arange(n_before, n_before + len(lot), dtype=np.int64)
                lot = lot.append_column(RECORD_ID, pa.array(ids)).select(list(self.names))
            yield lot
            n_before += len(lot)

    def _without_columns(self, n_records: int) -> Iterator[pa.Table]:
        for first in range(0, n_records, self.most_records):
            yield pa.table({"": pa.nulls(min(self.most_records, n_records - first))})


@dataclass(frozen=True)
class InFiles:
    """Lots in files of a private folder: of each file some of its batches."""

    files: tuple[tuple[Path, tuple[int, ...]], ...]
    schema: pa.Schema
    n_records: int | None = None  # None: not known
    where: object = None  # how error messages name the source
    names: tuple[str, ...] | None = None  # None: all columns

    def only(self, names: Sequence[str]) -> InFiles:
        return replace(self, names=tuple(names))

    def __call__(self) -> Iterator[pa.Table]:
        names = self.schema.names if self.names is None else list(self.names)
        options = ipc.IpcReadOptions(included_fields=[self.schema.get_field_index(name) for name in names])
        schema = pa.schema([self.schema.field(name) for name in names])
        for path, batches in self.files:
            with pa.OSFile(str(path), "rb") as file, ipc.open_file(file, options=options) as reader:
                for at in batches:
                    lot = pa.Table.from_batches([reader.get_batch(at)]).select(names)
                    yield cast_piece(self.where, lot, schema, 0)
