"""Pseudonyms that only the holder of a key can link to a person: HMAC-SHA-256, never a plain hash.

A plain hash of a name or number can be reversed by hashing all names or numbers.
"""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.encode.codes import from_codes, to_codes
from shoal.errors import ColumnError
from shoal.schema import Column

SHORTEST_KEY = 16  # bytes
LENGTH = 32  # hexadecimal digits of a pseudonym: 128 bits, so that collisions are negligible


def pseudonyms(column: Column, values: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    """Pseudonyms of the values: equal for equal values in every release with the same key; missing stays missing."""
    key = _read_key(column)
    codes = to_codes(column.name, values)
    names = pa.array([hmac.digest(key, text.encode(), "sha256").hex()[:LENGTH] for text in codes.texts], pa.string())
    return from_codes(codes.codes, names)


def _read_key(column: Column) -> bytes:
    path = column.key_file or Path()
    try:
        key = path.read_bytes()
    except OSError as reason:
        raise ColumnError.no_key(column.name, path, reason.strerror or "unreadable") from None
    if len(key.strip()) < SHORTEST_KEY:
        raise ColumnError.short_key(column.name, path, SHORTEST_KEY)
    return key.strip()
