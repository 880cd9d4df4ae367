"""Hashes of files and folders, and of the content of tables."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.sources.table_parts import has_parts, parts_of

if TYPE_CHECKING:
    import pyarrow as pa


def sha256_of(path: Path) -> str:
    """The SHA-256 of the bytes of a file; of several files that are one table, of the lines that `sha256sum` prints for
    them in the order of their names: hash, two blanks, name without folder, line end."""
    if not has_parts(path):
        return _sha256_of_file(path)
    lines = [f"{_sha256_of_file(part)}  ".encode() + os.fsencode(part.name) + b"\n" for part in parts_of(path)]
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _sha256_of_file(path: Path) -> str:
    """Read piece by piece."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sha256_of_table(table: pa.Table) -> str:
    """The SHA-256 of names, types and values, independent of chunks, dictionaries and metadata."""
    total = hashlib.sha256(str(table.num_rows).encode())
    for name, column in zip(table.column_names, table.columns, strict=True):
        total.update(_of_column(name, column))
    return total.hexdigest()


def _of_column(name: str, column: Any) -> bytes:
    """Separate hashes of validity, lengths and values, so that the result does not depend on the chunks."""
    from shoal.sources.buffers import concatenated_bytes

    present, lengths, values = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()
    for chunk in column.chunks:
        plain = _plain(chunk)
        present.update(plain.is_valid().cast("uint8").to_numpy())
        if plain.type == "large_binary":
            filled = plain.fill_null(b"")
            lengths.update(_lengths(filled))
            values.update(concatenated_bytes(filled))
        else:
            values.update(plain.fill_null(0).to_numpy())
    head = hashlib.sha256(json.dumps([name, _type_name(column.type)]).encode())
    return b"".join(part.digest() for part in (head, present, lengths, values))


def _lengths(texts: Any) -> Any:
    import pyarrow.compute as pc

    return pc.binary_length(texts).to_numpy()


def _plain(chunk: Any) -> Any:
    """The chunk as numbers or bytes, the two inputs that a hash takes."""
    import pyarrow as pa

    kind = chunk.type
    if pa.types.is_dictionary(kind):
        return _plain(chunk.dictionary_decode())
    if pa.types.is_boolean(kind):
        return chunk.cast(pa.uint8())
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        return chunk.view(pa.int32() if kind.bit_width == 32 else pa.int64())
    if pa.types.is_integer(kind) or pa.types.is_float32(kind) or pa.types.is_float64(kind):
        return chunk
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return chunk.cast(pa.large_string()).cast(pa.large_binary())
    texts = [None if value is None else repr(value) for value in chunk.to_pylist()]
    return pa.array(texts, pa.large_string()).cast(pa.large_binary())


def _type_name(kind: pa.DataType) -> str:
    """Text is one type, whatever the width of its offsets; a category has the type of its values."""
    name = str(getattr(kind, "value_type", kind) if str(kind).startswith("dictionary") else kind)
    return "string" if name in ("large_string", "string_view") else name
