"""Hashes of rows: equal where all cells are equal, missing ones included; the same in every process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.rng import mixed_bits

Hashes = NDArray[np.uint64]  # (n_rows,)

BASE = np.uint64(0x100000001B3)
MISSING = np.uint64(0x5851F42D4C957F2D)


def row_hashes(table: pa.Table, names: Sequence[str]) -> Hashes:
    hashes = np.zeros(len(table), dtype=np.uint64)
    for name in names:
        hashes = mixed_bits(hashes + _cell_hashes(table[name]))
    return hashes


def _cell_hashes(cells: pa.ChunkedArray[Any]) -> Hashes:
    """Of the different cells once, by what is stored: -0.0 is not 0.0."""
    plain: Any = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
    if pa.types.is_null(plain.type):
        return np.full(len(plain), MISSING)
    coded: Any = plain.combine_chunks().dictionary_encode()
    values = coded.dictionary
    of_values = np.append(_of_values(values), MISSING)
    codes = coded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    hashes: Hashes = of_values[codes]
    return hashes


def _of_values(values: Any) -> Hashes:
    kind = values.type
    if pa.types.is_floating(kind):
        return mixed_bits(values.cast(pa.float64()).to_numpy().view(np.uint64))
    if pa.types.is_integer(kind) or pa.types.is_temporal(kind):
        bits = values.view({8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[kind.bit_width])
        return mixed_bits(bits.to_numpy().astype(np.int64).view(np.uint64))
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind)):
        values = values.cast(pa.string())
    return _of_bytes(values.cast(pa.large_binary()))


def _of_bytes(texts: Any) -> Hashes:
    """A polynomial of the bytes of each text, and its length."""
    offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
    lengths = np.diff(offsets)
    content = texts.buffers()[2]
    if content is None or not lengths.sum():
        return mixed_bits(lengths.astype(np.uint64))
    codes = np.frombuffer(content, np.uint8)[offsets[0] : offsets[-1]].astype(np.uint64) + np.uint64(1)
    starts = offsets[:-1] - offsets[0]
    places = np.arange(len(codes)) - np.repeat(starts, lengths)
    terms = codes * _powers(int(lengths.max()))[places]
    sums = np.zeros(len(texts), dtype=np.uint64)
    filled = np.flatnonzero(lengths)
    sums[filled] = np.add.reduceat(terms, starts[filled])
    return mixed_bits(sums + lengths.astype(np.uint64))


def _powers(n: int) -> Hashes:
    powers = np.full(n, BASE)
    powers[0] = 1
    return np.multiply.accumulate(powers)
