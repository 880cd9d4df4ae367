"""The digest of a table: a hash of its quasi-identifiers in the order of its records, whatever file they came from.

all records, piece by piece -> text

Random draws depend on it, so that another table released by the same policy, key and seed gets other draws.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.number_column import is_time, timestamp_type, to_numbers
from shoal.schema import Column, Schema
from shoal.sources.buffers import concatenated_bytes
from shoal.sources.compute import pc

Fold = Callable[[Sequence[str], Callable[[pa.Table], None]], None]  # calls back with these columns, piece by piece


def digest_of(schema: Schema, fold: Fold) -> str:
    """The digest in hexadecimal; it does not depend on how the records are split into pieces."""
    parts = {name: (hashlib.sha256(), hashlib.sha256()) for name in schema.quasi_identifiers}

    def add(piece: pa.Table) -> None:
        for name, (shapes, values) in parts.items():
            shape, content = _bytes_of(schema[name], piece[name])
            shapes.update(shape)
            values.update(content)

    fold(list(parts), add)
    whole = hashlib.sha256()
    for name, (shapes, values) in parts.items():
        whole.update(hashlib.sha256(name.encode()).digest() + shapes.digest() + values.digest())
    return whole.hexdigest()


def _bytes_of(column: Column, cells: pa.ChunkedArray[Any]) -> tuple[Any, Any]:
    """The bytes of the missing mask (of texts: of their lengths), and the bytes of the values."""
    if column.kind in ("numeric", "date") and is_time(cells.type):
        ticks: Any = cells.cast(timestamp_type(cells.type), safe=False).cast(pa.int64()).combine_chunks()
        known = ticks.is_valid().to_numpy(zero_copy_only=False)
        return (~known).tobytes(), ticks.fill_null(0).cast(pa.float64(), safe=False).to_numpy().tobytes()
    if column.kind in ("numeric", "date"):
        numbers = to_numbers(column.name, cells)
        return numbers.missing.tobytes(), (numbers.values + 0.0).tobytes()  # turns -0.0 into 0.0
    texts: Any = _as_bytes(cells).combine_chunks()
    filled: Any = texts.fill_null(b"")
    lengths = np.where(texts.is_valid().to_numpy(zero_copy_only=False), pc.binary_length(filled).to_numpy(), -1)
    return lengths.astype(np.int64).tobytes(), concatenated_bytes(filled)


def _as_bytes(cells: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    kind = cells.type
    if pa.types.is_binary(kind) or pa.types.is_binary_view(kind) or pa.types.is_fixed_size_binary(kind):
        return cells.cast(pa.large_binary())
    found: pa.ChunkedArray[Any] = pc.cast(cells, pa.large_string()).cast(pa.large_binary())
    return found
