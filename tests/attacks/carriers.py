"""What a file holds besides its cells.

Who: anybody who opens a published file with other tools than a table of cells. What they hold: the files. What they
try: to read values of the original, which no cell shows any more, from labels, metadata, properties, comments, lists
of categories, names of compressed files, and from the bytes under a missing cell.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import pyreadstat

from attacks.planted import Planted
from attacks.rates import Rate

STAT = {".sav": "read_sav", ".zsav": "read_sav", ".dta": "read_dta"}
UNPACKED = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}


def guesses(path: Path) -> bytes:
    """All that the file shows, packed or not, in the words of its format and as bytes."""
    content = path.read_bytes()
    return b"\n".join([content, *_told(path, content)])


def _told(path: Path, content: bytes) -> Iterator[bytes]:
    match path.suffix:
        case ".gz" | ".bz2" | ".xz":
            yield UNPACKED[path.suffix](content)
        case ".zst":
            yield pa.CompressedInputStream(pa.BufferReader(content), "zstd").read()
        case ".sav" | ".zsav" | ".dta":
            about = getattr(pyreadstat, STAT[path.suffix])(str(path))[1]
            yield repr(vars(about)).encode()
        case ".parquet":
            yield from _of_parquet(path)
        case ".arrow" | ".feather":
            yield from _of_arrow(path)
        case ".xlsx":
            yield from _of_workbook(content)


def _of_parquet(path: Path) -> Iterator[bytes]:
    """Metadata, statistics, and lists of categories, whoever has them."""
    texts = [field.name for field in pq.read_schema(path) if "string" in str(field.type)]
    with pq.ParquetFile(path, read_dictionary=texts) as file:
        yield repr(file.metadata.metadata).encode()
        yield repr([(field.metadata, field.name) for field in file.schema_arrow]).encode()
        for group in range(file.num_row_groups):
            columns = file.metadata.row_group(group)
            yield repr([columns.column(at).to_dict() for at in range(columns.num_columns)]).encode()
        yield from _categories(file.read())


def _of_arrow(path: Path) -> Iterator[bytes]:
    with ipc.open_file(str(path)) as file:
        yield repr(file.schema.metadata).encode()
        yield repr([(field.metadata, field.name) for field in file.schema]).encode()
        table = file.read_all()
    yield from _categories(table)
    for column in table.columns:
        for chunk in column.chunks:
            yield b"\n".join(buffer.to_pybytes() for buffer in chunk.buffers() if buffer)


def _categories(table: pa.Table) -> Iterator[bytes]:
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            yield repr([chunk.dictionary.to_pylist() for chunk in column.chunks]).encode()


def _of_workbook(content: bytes) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        yield book.comment
        for entry in book.infolist():
            yield b"\n".join([entry.filename.encode(), entry.comment, entry.extra, book.read(entry)])


def rate(path: Path, truth: Planted) -> Rate:
    """How many of the values that no cell of the release shows are read from the file all the same."""
    found = guesses(path)
    wanted: list[Any] = [text.encode() for text in truth.secrets]
    wanted += [number.to_bytes(8, "little") for number in truth.numbers]
    return Rate(sum(each in found for each in wanted), len(wanted))
