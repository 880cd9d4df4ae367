"""A table of any size that resembles a given one: its records resampled, with a little noise.

pa.Table -> pa.Table | record batches

For measuring speed and memory, not for protection: a jittered record is still close to the original.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.datasets.batches import stream
from shoal.datasets.random_draws import CHUNK, Chunk, Generator
from shoal.errors import DatasetError


def resample_and_jitter(table: pa.Table, n: int, seed: int = 0, jitter: float = 0.05) -> pa.Table:
    """``n`` records drawn from ``table`` with replacement, with noise on their numbers.

    The noise is normal, of ``jitter`` standard deviations of the column; values stay within the column's range, and
    integers stay integers. Zeros (in microdata mostly "none"), missing values and columns that are not numeric are
    unchanged, so text identifiers repeat.
    """
    return pa.Table.from_batches(resample_and_jitter_batches(table, n, seed, jitter), schema=table.schema)


def resample_and_jitter_batches(
    table: pa.Table, n: int, seed: int = 0, jitter: float = 0.05, batch_size: int = CHUNK
) -> Iterator[pa.RecordBatch]:
    if table.num_rows == 0:
        raise DatasetError.bad_argument("table", "of one record or more", table.num_rows)
    if not jitter >= 0:
        raise DatasetError.bad_argument("jitter", "0 or more", jitter)
    noises = [Jitter.like(column, jitter) if is_numeric(column) else None for column in table.columns]

    def make(rng: Generator, chunk: Chunk) -> pa.RecordBatch:
        drawn = table.take(rng.integers(table.num_rows, size=chunk.size))
        columns = [
            noise.move(column, rng) if noise else column
            for noise, column in zip(noises, map(combined_chunks, drawn.columns), strict=True)
        ]
        return pa.record_batch(columns, schema=table.schema)

    return stream(n, seed, batch_size, make)


def combined_chunks(column: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    return pa.concat_arrays(column.chunks)


def is_numeric(column: pa.ChunkedArray[Any]) -> bool:
    return pa.types.is_integer(column.type) or pa.types.is_floating(column.type)


@dataclass(frozen=True)
class Jitter:
    """Noise for one column: its standard deviation, and the range of the values."""

    scale: float
    low: float
    high: float

    @classmethod
    def like(cls, column: pa.ChunkedArray[Any], jitter: float) -> Jitter:
        values = column.drop_null().to_numpy()
        values = values[np.isfinite(values)]
        if not len(values):
            return cls(0.0, 0.0, 0.0)
        return cls(jitter * float(values.std()), values.min(), values.max())

    def move(self, values: pa.Array[Any], rng: Generator) -> pa.Array[Any]:
        shifts = rng.normal(0.0, self.scale, len(values))
        if pa.types.is_integer(values.type):
            shifts = np.rint(shifts).astype(np.int64)
        old = values.fill_null(0).to_numpy(zero_copy_only=False)
        new = np.clip(old + shifts, self.low, self.high)
        stays = (old == 0) | ~np.isfinite(old)
        absent = values.is_null().to_numpy(zero_copy_only=False)
        moved: pa.Array[Any] = pa.array(np.where(stays, old, new), type=values.type, mask=absent)
        return moved
