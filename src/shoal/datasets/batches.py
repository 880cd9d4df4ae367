"""A stream of record batches, generated chunk by chunk: tables of any size in the memory of one chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow as pa

from shoal.datasets.random_draws import Chunk, Generator, check_at_least, chunks

Make = Callable[[Generator, Chunk], pa.RecordBatch]


def stream(n_records: int, seed: int, batch_size: int, make: Make) -> Iterator[pa.RecordBatch]:
    """The batches of ``make``, in pieces of at most ``batch_size`` records."""
    check_at_least("the number of records", 0, n_records)
    check_at_least("seed", 0, seed)
    check_at_least("batch_size", 1, batch_size)
    return _pieces(n_records, seed, batch_size, make)  # a separate generator, so that arguments are checked at the call


def _pieces(n_records: int, seed: int, batch_size: int, make: Make) -> Iterator[pa.RecordBatch]:
    for chunk in chunks(n_records):
        batch = make(chunk.rng(seed), chunk)
        for start in range(0, chunk.size, batch_size):
            yield batch.slice(start, batch_size)
