"""Compressed files as plain streams of bytes."""

from __future__ import annotations

import gzip
import lzma
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from shoal.sources.formats import compression_of

# What the decompressors raise for a file that is truncated or of another format.
DAMAGED = (OSError, EOFError, lzma.LZMAError)


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """The decompressed bytes of the file."""
    match compression_of(path):
        case None:
            with path.open("rb") as stream:
                yield stream
        case "xz":
            with lzma.open(path, "rb") as packed:
                yield cast("IO[bytes]", packed)
        case codec:
            with pa.OSFile(str(path), "rb") as file, pa.CompressedInputStream(file, codec) as unpacked:
                yield cast("IO[bytes]", unpacked)


@contextmanager
def open_for_arrow(path: Path) -> Iterator[Any]:
    """The same for a reader of Arrow, whose threads may release the file after they have returned the table: a file of
    Python's that is released while the process ends would abort it."""
    if compression_of(path) is None:
        name: Any = os.fsencode(path)
        with pa.OSFile(name, "rb") as file:
            yield file
    else:
        with open_bytes(path) as stream:
            yield stream


@contextmanager
def create_bytes(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose bytes are written to the file compressed: the same bytes in, the same file out."""
    match compression_of(path):
        case None:
            with path.open("wb") as stream:
                yield stream
        case "gzip":
            # Neither name nor time is written to the header, so that two runs write the same bytes.
            with (
                path.open("wb") as file,
                gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed,
            ):
                yield cast("IO[bytes]", packed)
        case "xz":
            with lzma.open(path, "wb") as packed_xz:
                yield cast("IO[bytes]", packed_xz)
        case codec:
            with pa.OSFile(str(path), "wb") as sink, pa.CompressedOutputStream(sink, codec) as output:
                yield cast("IO[bytes]", output)
