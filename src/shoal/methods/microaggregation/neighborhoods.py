"""Who is near whom: the nearest records of every record, and tiles of groups that lie together."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.kernels import Matrix
from shoal.methods.microaggregation import crew

Neighbors = NDArray[np.int32]  # (n_records, n_neighbors), the nearest first
Places = NDArray[np.int64]

LOOK_AT_MOST = 4096  # records in one search: linear time where many columns leave a tree nothing to prune
RECORDS_PER_JOB = 20_000


def nearest_records(records: Matrix, k: int, threads: int) -> Neighbors:
    """The records that a record may join: 12 in up to three columns, 30 in more, and never fewer than 2k."""
    n, d = records.shape
    n_neighbors = min(n - 1, max(12 if d <= 3 else 30, 2 * k))
    tree = kernels.NeighborTree(records)

    def search(first: int, tell: crew.Tell) -> Neighbors:
        last = min(n, first + RECORDS_PER_JOB)
        found = [tree.nearest(at, min(last, at + 500), n_neighbors, LOOK_AT_MOST) for at in _told(first, last, 500, tell)]
        return np.concatenate(found)

    jobs = [partial(search, first) for first in range(0, n, RECORDS_PER_JOB)]
    return np.concatenate(crew.run(jobs, threads, lambda done: None))


def _told(first: int, last: int, stride: int, tell: crew.Tell):  # type: ignore[no-untyped-def]
    for at in range(first, last, stride):
        tell(stride)
        yield at


def tiles(points: Matrix, most: int, chance: np.random.Generator) -> list[Places]:
    """Points that lie together, at most ``most`` in a tile: cut again and again across the widest column.

    A cut falls somewhere between 35 and 65 percent, so that other chance moves every border.
    """
    ready, waiting = [], [np.arange(len(points))]
    while waiting:
        tile = waiting.pop()
        if len(tile) <= most:
            ready.append(tile)
            continue
        inside = points[tile]
        widest = int(np.argmax(np.ptp(inside, axis=0)))
        cut = int(len(tile) * chance.uniform(0.35, 0.65))
        order = np.argsort(inside[:, widest], kind="stable")
        waiting += [np.sort(tile[order[cut:]]), np.sort(tile[order[:cut]])]
    return ready
