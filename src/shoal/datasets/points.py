"""Synthetic numeric records: uniform in the unit cube, or in normal clusters.

seed -> (n, d) float64 array | pa.Table with columns x1 .. xd | record batches
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa

from shoal.datasets.batches import stream
from shoal.datasets.random_draws import CHUNK, Chunk, Generator, Integers, Reals, check_at_least, chunks
from shoal.errors import DatasetError

Draw = Callable[[Generator, int], Reals]  # rng, n -> (n, d)


def uniform_array(n: int, d: int, seed: int = 0) -> Reals:
    """(n, d) values, uniform in [0, 1)."""
    return _array(n, d, seed, _uniform(d))


def uniform_batches(n: int, d: int, seed: int = 0, batch_size: int = CHUNK) -> Iterator[pa.RecordBatch]:
    return _batches(n, d, seed, batch_size, _uniform(d))


def uniform(n: int, d: int, seed: int = 0) -> pa.Table:
    return _table(d, uniform_batches(n, d, seed))


def clustered_array(
    n: int, d: int, cluster_sizes: tuple[int, int] = (3, 9), spread: float = 0.01, seed: int = 0
) -> Reals:
    """(n, d) values in normal clusters around uniform centers of the unit cube.

    ``cluster_sizes`` are the minimum and maximum number of records of a cluster, ``spread`` is the standard deviation
    around its center. Clusters do not cross chunks; records left over at the end of a chunk are added to its last
    cluster if they are fewer than the minimum. Within a chunk, records are in random order.
    """
    return _array(n, d, seed, _clusters(d, cluster_sizes, spread))


def clustered_batches(
    n: int,
    d: int,
    cluster_sizes: tuple[int, int] = (3, 9),
    spread: float = 0.01,
    seed: int = 0,
    batch_size: int = CHUNK,
) -> Iterator[pa.RecordBatch]:
    return _batches(n, d, seed, batch_size, _clusters(d, cluster_sizes, spread))


def clustered(n: int, d: int, cluster_sizes: tuple[int, int] = (3, 9), spread: float = 0.01, seed: int = 0) -> pa.Table:
    return _table(d, clustered_batches(n, d, cluster_sizes, spread, seed))


def _uniform(d: int) -> Draw:
    return lambda rng, n: rng.random((n, d))


def _clusters(d: int, sizes: tuple[int, int], spread: float) -> Draw:
    low, high = sizes
    if not 1 <= low <= high:
        raise DatasetError.bad_argument("cluster_sizes", "(fewest, most) with 1 <= fewest <= most", sizes)
    if not spread >= 0:
        raise DatasetError.bad_argument("spread", "0 or more", spread)

    def draw(rng: Generator, n: int) -> Reals:
        labels = rng.permutation(_labels(rng, n, low, high))  # (n,)
        centers = rng.random((labels.max() + 1, d))  # (n_clusters, d)
        X: Reals = centers[labels] + rng.normal(0.0, spread, (n, d))
        return X

    return draw


def _labels(rng: Generator, n: int, low: int, high: int) -> Integers:
    """The cluster of each of n records, clusters one after the other."""
    sizes = rng.integers(low, high, size=n // low + 1, endpoint=True)  # more than needed
    labels = np.searchsorted(np.cumsum(sizes), np.arange(n), side="right")  # (n,)
    is_last = labels == labels[-1]
    if is_last.sum() < low and labels[-1] > 0:
        labels[is_last] -= 1
    return labels


def _array(n: int, d: int, seed: int, draw: Draw) -> Reals:
    check_at_least("n", 0, n)
    check_at_least("d", 1, d)
    check_at_least("seed", 0, seed)
    X = np.empty((n, d))
    for chunk in chunks(n):
        X[chunk.start : chunk.start + chunk.size] = draw(chunk.rng(seed), chunk.size)
    return X


def _batches(n: int, d: int, seed: int, batch_size: int, draw: Draw) -> Iterator[pa.RecordBatch]:
    check_at_least("d", 1, d)

    def make(rng: Generator, chunk: Chunk) -> pa.RecordBatch:
        columns = np.ascontiguousarray(draw(rng, chunk.size).T)  # (d, n)
        return pa.record_batch([pa.array(column) for column in columns], schema=_schema(d))

    return stream(n, seed, batch_size, make)


def _table(d: int, batches: Iterator[pa.RecordBatch]) -> pa.Table:
    return pa.Table.from_batches(batches, schema=_schema(d))


def _schema(d: int) -> pa.Schema:
    return pa.schema([(f"x{number}", pa.float64()) for number in range(1, d + 1)])
