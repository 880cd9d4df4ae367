"""ReferenceSet: a public data set, read from a local folder and verified by its content.

file in $SHOAL_DATA or the cache -> pa.Table

The content is verified by a digest of every column after parsing, not of the bytes of the file: line endings, quotes or
extra columns may differ, values may not. Nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from shoal.errors import DatasetError


def named_folder() -> Path | None:
    """The folder of the environment variable SHOAL_DATA, if set."""
    named = os.environ.get("SHOAL_DATA")
    return Path(named) if named else None


def cache_folder() -> Path:
    """The cache folder: ``$XDG_CACHE_HOME/shoal``, or ``~/.cache/shoal``."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "shoal"


def find_file(file: str) -> Path | None:
    """The path of ``file`` in SHOAL_DATA or else in the cache; None if it is in neither."""
    folders = [named_folder(), cache_folder()]
    paths = [folder / file for folder in folders if folder]
    return next((path for path in paths if path.is_file()), None)


def require_file(file: str, origin: str) -> Path:
    path = find_file(file)
    if path is None:
        raise DatasetError.missing(file, named_folder(), cache_folder(), origin)
    return path


@dataclass(frozen=True)
class ReferenceSet:
    """A published data set: its file, columns, number of records and digests."""

    name: str
    file: str  # below the data folder
    n_records: int
    digests: Mapping[str, str]  # column -> digest of its values; the order is that of the table
    origin: str  # where it is published and how to obtain it
    delimiter: str = ","
    has_header: bool = True

    def load(self) -> pa.Table:
        path = require_file(self.file, self.origin)
        table = self._parse(path)
        self._check(path, table)
        return table

    def _parse(self, path: Path) -> pa.Table:
        names = list(self.digests)
        header = csv.ReadOptions(column_names=None if self.has_header else names)
        try:
            table = csv.read_csv(path, header, csv.ParseOptions(delimiter=self.delimiter))
        except (pa.ArrowException, OSError, UnicodeDecodeError):
            # Arrow's message quotes the offending cells, so it is not passed on.
            raise DatasetError.unreadable(path, len(names), self.delimiter) from None
        absent = [name for name in names if name not in table.column_names]
        if absent:
            raise DatasetError.no_columns(path, absent)
        return pa.table({name: normalize_column(table[name]) for name in names})

    def _check(self, path: Path, table: pa.Table) -> None:
        if table.num_rows != self.n_records:
            raise DatasetError.other_records(path, table.num_rows, self.n_records)
        others = [name for name, published in self.digests.items() if column_digest(table[name]) != published]
        if others:
            raise DatasetError.other_content(path, others)


def normalize_column(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Text without surrounding whitespace, integers as int64 (R writes 100000 as 1e+05)."""
    if pa.types.is_string(column.type):
        return pc.utf8_trim_whitespace(column)
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return column


def column_digest(column: pa.ChunkedArray[Any]) -> str:
    """Digest of the values in order, independent of their notation in the file."""
    if pa.types.is_string(column.type):
        return short_digest("\n".join(map(str, column.to_pylist())).encode())
    return short_digest(column.to_numpy().tobytes())


def short_digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:12]
