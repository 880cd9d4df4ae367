"""The table that is open: its columns and first records, without reading all of it where its format allows that."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources import read
from shoal.sources.formats import check_readable, format_of
from shoal.sources.options import SNIFF
from shoal.sources.origin import Origin
from shoal.sources.piece_sizes import PieceSizes
from shoal.sources.pieces import open_pieces

N_SHOWN = 50  # records of a preview
SMALL = PieceSizes(n_bytes=1 << 20, most_records=1 << 10, csv_block=1 << 18)


@dataclass(frozen=True)
class OpenedFile:
    path: Path
    format: str
    head: pa.Table  # the first records
    n_records: int | None  # where that is known without reading all of them
    notes: tuple[str, ...]
    is_upload: bool = False
    names_in_doubt: bool = False  # whether the first line may be a record: then no message shows them

    @classmethod
    def open(cls, path: Path, *, is_upload: bool = False) -> Self:
        check_readable(path)
        if not format_of(path).in_pieces:
            loaded = read(path)
            return cls._of(path, loaded.origin, loaded.table, len(loaded.table), is_upload)
        pieces = open_pieces(path, SNIFF, sizes=SMALL)
        head = next(iter(pieces.read(pieces.names)), None)
        if head is None:
            raise SourceError.no_records(path)
        return cls._of(path, pieces.origin, head, pieces.n_records, is_upload)

    @classmethod
    def _of(cls, path: Path, origin: Origin, table: pa.Table, n_records: int | None, is_upload: bool) -> Self:
        return cls(
            path, origin.format, table.slice(0, N_SHOWN), n_records, origin.notes, is_upload, origin.names_in_doubt
        )

    @property
    def names(self) -> list[str]:
        return self.head.column_names

    @property
    def folder(self) -> Path:
        return self.path.parent

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.path.name,
            "path": str(self.path),
            "format": self.format,
            "n_records": self.n_records,
            "n_columns": self.head.num_columns,
            "is_upload": self.is_upload,
        }

    def preview(self) -> dict[str, Any]:
        """The first records as texts, for the page."""
        columns = [{"name": field.name, "type": str(field.type)} for field in self.head.schema]
        return {
            "name": self.path.name,
            "n_records": self.n_records,
            "columns": columns,
            "records": [[_text(cell) for cell in record.values()] for record in _records(self.head)],
            "notes": list(self.notes),
        }


def _records(table: pa.Table) -> list[dict[str, Any]]:
    renamed = table.rename_columns([str(at) for at in range(table.num_columns)])  # two columns may have one name
    records: list[dict[str, Any]] = renamed.to_pylist()
    return records


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)
