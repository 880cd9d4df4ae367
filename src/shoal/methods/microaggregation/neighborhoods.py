"""Neighborhoods: the nearest records of every record, and tiles of neighboring groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from shoal import kernels, progress
from shoal.kernels import Ints, Labels, Matrix, thread_pool

Neighbors = NDArray[np.int32]  # (n_records, n_neighbors), nearest first

LOOK_AT_MOST = 4096  # records compared in one search: linear time where many columns leave a tree nothing to prune
RECORDS_PER_STEP = 1000
RECORDS_PER_JOB = 20_000


def nearest_records(
    records: Matrix,
    n_neighbors: int,
    threads: int,
    is_over: Callable[[], bool] = lambda: False,
    look_at_most: int = LOOK_AT_MOST,
) -> Neighbors:
    """The ``n_neighbors`` records nearest to every record, or all others if there are fewer.

    Records that are not searched before the time is over have themselves as neighbors.
    """
    n = len(records)
    n_neighbors = min(n - 1, n_neighbors)
    tree = kernels.NeighborTree(records, threads)

    def search(first: int, report: thread_pool.Report) -> Neighbors:
        found = []
        for at in range(first, min(n, first + RECORDS_PER_JOB), RECORDS_PER_STEP):
            last = min(n, at + RECORDS_PER_STEP)
            if is_over():
                found.append(np.repeat(np.arange(at, last, dtype=np.int32)[:, None], n_neighbors, axis=1))
            else:
                found.append(tree.nearest(at, last, n_neighbors, look_at_most))
            report(len(found[-1]))
        return np.concatenate(found)

    jobs = [partial(search, first) for first in range(0, n, RECORDS_PER_JOB)]
    with progress.stage("finding nearest records", n) as at:
        return np.concatenate(thread_pool.run(jobs, threads, at))


@dataclass(frozen=True, eq=False)
class Tiling:
    """Tiles of a few thousand records, each made up of whole neighboring groups."""

    tiles: list[Ints]  # records of every tile, ascending
    tile_of: NDArray[np.int32]  # (n_records,)
    place_of: NDArray[np.int32]  # (n_records,) position within its tile

    @classmethod
    def of(cls, records: Matrix, labels: Labels, most_groups: int, rng: np.random.Generator) -> Tiling:
        """Assigns groups to tiles by their centroids."""
        sizes = np.bincount(labels)
        sums = [np.bincount(labels, weights=column) for column in records.T]
        tile_of_group = np.empty(len(sizes), dtype=np.int32)
        for number, groups in enumerate(cut_into_sets(np.column_stack(sums) / sizes[:, None], most_groups, rng)):
            tile_of_group[groups] = number
        tile_of = tile_of_group[labels]
        tiles = np.split(np.argsort(tile_of, kind="stable"), np.cumsum(np.bincount(tile_of))[:-1])
        place_of = np.empty(len(labels), dtype=np.int32)
        for tile in tiles:
            place_of[tile] = np.arange(len(tile))
        return cls(tiles, tile_of, place_of)


def cut_into_sets(points: Matrix, most: int, rng: np.random.Generator) -> list[Ints]:
    """Sets of at most ``most`` neighboring points, by repeated cuts across the widest column.

    A cut is placed at random between 35 and 65 percent of the points, so that another seed moves every border.
    """
    ready, waiting = [], [np.arange(len(points))]
    while waiting:
        part = waiting.pop()
        if len(part) <= most:
            ready.append(part)
            continue
        inside = points[part]
        widest = int(np.argmax(np.ptp(inside, axis=0)))
        at = max(1, int(len(part) * rng.uniform(0.35, 0.65)))  # so that no part is empty
        order = np.argsort(inside[:, widest], kind="stable")
        waiting += [part[order[at:]], part[order[:at]]]
    return ready
