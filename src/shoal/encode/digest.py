"""The digest of a table: a hash of its quasi-identifiers in the order of its records, whatever file they came from.

all records, in pieces of any size and order -> text

Random draws depend on it, so that another table released by the same policy, key and seed gets other draws. Records are
hashed by chunks of 65,536 positions: a chunk is hashed as soon as all its records are together, and until then its
cells are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.number_column import is_time, timestamp_type, to_numbers
from shoal.schema import Column, Schema
from shoal.schema.helper_columns import RECORD_ID
from shoal.sources.buffers import concatenated_bytes
from shoal.sources.compute import pc
from shoal.total import Total

CHUNK = 1 << 16  # records that are hashed together


def digest_of(schema: Schema, n_records: int, total: Total) -> str:
    """The digest in hexadecimal. ``n_records``: of the table, whose ids are their positions from 0 on."""
    columns = tuple(schema[name] for name in schema.quasi_identifiers)
    found = total([*schema.quasi_identifiers, RECORD_ID], partial(ChunkDigests.of, columns, n_records))
    assert not found.begun, "every record was passed on once"
    whole = hashlib.sha256()
    for column in columns:
        whole.update(hashlib.sha256(column.name.encode()).digest())
    for _, digest in sorted(found.finished.items()):
        whole.update(digest)
    return whole.hexdigest()


@dataclass(frozen=True)
class ChunkDigests:
    """The digests of chunks all of whose records are known, by their number, and the cells of the other chunks."""

    n_records: int  # of the whole table
    finished: Mapping[int, bytes]
    begun: Mapping[int, RecordChunk]

    @classmethod
    def of(cls, columns: tuple[Column, ...], n_records: int, piece: pa.Table) -> ChunkDigests:
        places = piece[RECORD_ID].to_numpy()
        found = cls(n_records, {}, {})
        for first, n in _runs(places):
            chunk = RecordChunk((RecordRun.of(columns, int(places[first]), piece.slice(first, n)),))
            found += cls(n_records, {}, {int(places[first]) // CHUNK: chunk})
        return found

    def __add__(self, other: ChunkDigests) -> ChunkDigests:
        finished, begun = {**self.finished, **other.finished}, dict(self.begun)
        for number, chunk in other.begun.items():
            begun[number] = begun[number] + chunk if number in begun else chunk
        for number in [number for number in other.begun if begun[number].n_records == self._size(number)]:
            finished[number] = begun.pop(number).digest()
        return ChunkDigests(self.n_records, finished, begun)

    def _size(self, number: int) -> int:
        return min(CHUNK, self.n_records - number * CHUNK)


@dataclass(frozen=True)
class RecordRun:
    """Bytes of adjacent records, by column: of their shape, which says where a cell begins and which are missing, and
    of their values."""

    first: int
    n_records: int
    columns: tuple[tuple[bytes, bytes], ...]

    @classmethod
    def of(cls, columns: tuple[Column, ...], first: int, piece: pa.Table) -> RecordRun:
        return cls(first, len(piece), tuple(_bytes_of(column, piece[column.name]) for column in columns))


@dataclass(frozen=True)
class RecordChunk:
    """Records of one chunk."""

    runs: tuple[RecordRun, ...]

    def __add__(self, other: RecordChunk) -> RecordChunk:
        return RecordChunk(self.runs + other.runs)

    @property
    def n_records(self) -> int:
        return sum(run.n_records for run in self.runs)

    def digest(self) -> bytes:
        """Of all its records, in their order."""
        whole, runs = hashlib.sha256(), sorted(self.runs, key=lambda run: run.first)
        for column in zip(*(run.columns for run in runs), strict=True):
            for part in zip(*column, strict=True):
                whole.update(hashlib.sha256(b"".join(part)).digest())
        return whole.digest()


def _runs(places: Any) -> Iterator[tuple[int, int]]:
    """Start and length of the runs of records that are adjacent in the table and in one chunk."""
    if not len(places):
        return
    starts = np.flatnonzero((np.diff(places) != 1) | (places[1:] % CHUNK == 0)) + 1
    for first, end in zip([0, *starts.tolist()], [*starts.tolist(), len(places)], strict=True):
        yield first, end - first


def _bytes_of(column: Column, cells: pa.ChunkedArray[Any]) -> tuple[bytes, bytes]:
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
    return lengths.astype(np.int64).tobytes(), concatenated_bytes(filled).to_pybytes()


def _as_bytes(cells: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    kind = cells.type
    if pa.types.is_binary(kind) or pa.types.is_binary_view(kind) or pa.types.is_fixed_size_binary(kind):
        return cells.cast(pa.large_binary())
    found: pa.ChunkedArray[Any] = pc.cast(cells, pa.large_string()).cast(pa.large_binary())
    return found
