"""Spill: pieces written to disk one after the other and read back any number of times, all with one schema.

A piece may have other types than those before it (integers, then reals). From then on all are written with types that
hold both, to a new file; what was written before is converted when it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc

from shoal.engines.private_folder import PrivateFolder
from shoal.errors import EngineError
from shoal.schema.helper_columns import RECORD_ID
from shoal.sources.promote_types import cast_piece, promote_schemas

# Compression helps often for numbers, always for texts.
OPTIONS = ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True)
class SpillFile:
    """Pieces of one schema, in one file."""

    path: Path
    schema: pa.Schema

    @property
    def n_bytes(self) -> int:
        return self.path.stat().st_size

    @property
    def n_batches(self) -> int:
        with pa.OSFile(str(self.path), "rb") as file, ipc.open_file(file) as reader:
            return int(reader.num_record_batches)

    def pieces(self, names: Sequence[str]) -> Iterator[pa.Table]:
        options = ipc.IpcReadOptions(included_fields=[self.schema.get_field_index(name) for name in names])
        with pa.OSFile(str(self.path), "rb") as file, ipc.open_file(file, options=options) as reader:
            for at in range(reader.num_record_batches):
                yield pa.Table.from_batches([reader.get_batch(at)]).select(list(names))


@dataclass(frozen=True)
class Spill:
    where: object  # how error messages name the source
    folder: PrivateFolder
    parts: tuple[SpillFile, ...]
    schema: pa.Schema
    n_records: int

    @classmethod
    def of(cls, where: object, folder: PrivateFolder, pieces: Iterable[pa.Table]) -> Spill:
        writer = _SpillWriter(where, folder)
        try:
            with folder.disk_errors():
                for piece in pieces:
                    writer.add(piece)
        finally:
            writer.close()
        assert writer.schema is not None, "a source without records is refused when it is read"
        return cls(where, folder, tuple(writer.parts), writer.schema, writer.n_records)

    def pieces(self, names: Sequence[str] | None = None) -> Iterator[pa.Table]:
        names = self.schema.names if names is None else list(names)
        schema = pa.schema([self.schema.field(name) for name in names])
        n_before = 0
        for part in self.parts:
            for piece in part.pieces(names):
                yield cast_piece(self.where, piece, schema, n_before)
                n_before += len(piece)

    def remove(self) -> None:
        """Deletes its files, which are not needed any more."""
        for part in self.parts:
            part.path.unlink(missing_ok=True)


@dataclass
class _SpillWriter:
    where: object
    folder: PrivateFolder
    parts: list[SpillFile] = field(default_factory=list)
    schema: pa.Schema | None = None
    n_records: int = 0
    _file: Any = None

    def add(self, piece: pa.Table) -> None:
        piece = piece.replace_schema_metadata(None)
        schema = piece.schema if self.schema is None else promote_schemas(self.where, self.schema, piece.schema)
        if schema != self.schema:
            self._begin(schema)
        stored = cast_piece(self.where, piece, self.parts[-1].schema, self.n_records)
        self._file.write_table(stored.combine_chunks())
        self.n_records += len(piece)

    def _begin(self, schema: pa.Schema) -> None:
        self.close()
        self.schema = schema
        part = SpillFile(self.folder.new_file(".arrow"), plain_schema(schema))
        self.parts.append(part)
        self._file = ipc.new_file(str(part.path), part.schema, options=OPTIONS)

    def close(self) -> None:
        if self._file is not None:
            try:
                self._file.close()
            except OSError:
                raise EngineError.no_room(self.folder.path.parent) from None
            finally:
                self._file = None


def with_record_ids(pieces: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """The pieces with the ids of the records: their positions."""
    n_before = 0
    for piece in pieces:
        yield piece.append_column(RECORD_ID, pa.array(np.arange(n_before, n_before + len(piece), dtype=np.int64)))
        n_before += len(piece)


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """The schema with categories replaced by the type of their values."""
    return pa.schema(
        [(field.name, field.type.value_type if pa.types.is_dictionary(field.type) else field.type) for field in schema]
    )
