"""Simulated annealing of a partition: the data that searches share, and how chains are run.

A chain repeatedly proposes that a random record join, or swap into, the group of a nearby record, and accepts what the
temperature allows. A small table is searched by several chains over the whole table, each with its own random seed. A
large table is divided into tiles of whole groups, each with its own seed, and divided differently for the next stage,
so that no border is permanent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from shoal import kernels
from shoal.kernels import Labels, Matrix, thread_pool
from shoal.methods.microaggregation.neighborhoods import Neighbors, Tiling, nearest_records
from shoal.plan import Partition
from shoal.progress import Advance

Seed = np.random.SeedSequence

RECORDS_PER_TILE = 4096  # fits the cache of one core
PROPOSALS_PER_STEP = 100_000  # some 20 ms: how soon a chain reacts to a request to stop


@dataclass(frozen=True)
class CoolingSchedule:
    """Temperatures of a search, decreasing geometrically. At zero only improvements are accepted: a descent."""

    hot: float = 0.0
    cold: float = 0.0

    def between(self, start: float, end: float) -> CoolingSchedule:
        """A section of the cooling schedule; ``start`` and ``end`` are shares of it."""
        ratio = self.cold / self.hot if self.hot else 0.0
        return CoolingSchedule(self.hot * ratio**start, self.hot * ratio**end) if self.hot else self


@dataclass(frozen=True)
class AnnealingStage:
    """A number of proposals under one cooling schedule."""

    n_proposals: int
    heat: CoolingSchedule = CoolingSchedule()


@dataclass(frozen=True, eq=False)
class AnnealingProblem:
    """What every search of a table needs: the records, k, and the nearest neighbors of every record."""

    records: Matrix  # (n, d)
    k: int
    neighbors: Neighbors  # (n, n_neighbors)
    threads: int
    spread: float  # total sum of squares (SST)
    records_per_tile: int = RECORDS_PER_TILE

    @classmethod
    def of(cls, records: Matrix, k: int, threads: int, is_over: Callable[[], bool] = lambda: False) -> AnnealingProblem:
        """A record may join the groups of its 12 nearest records in up to 3 columns, 30 in more, and at least 2k."""
        n_neighbors = max(12 if records.shape[1] <= 3 else 30, 2 * k)
        spread = Partition(np.zeros(len(records), dtype=np.int64)).sse(records)
        return cls(records, k, nearest_records(records, n_neighbors, threads, is_over), threads, spread)

    def heat(self, labels: Labels) -> CoolingSchedule:
        """From a temperature at which outermost records leave their groups to one that hardly affects the others."""
        centroids = Partition(labels).centroids(self.records)  # (n_groups, d)
        errors = ((self.records - centroids[labels]) ** 2).sum(axis=1)  # (n,)
        near, far = (float(error) for error in np.quantile(errors, [0.25, 0.999]))
        return CoolingSchedule(0.5 * far, max(0.1 * near, 0.005 * float(errors.mean()), 1e-5 * far))

    def loss(self, labels: Labels) -> float:
        """Information loss in percent: 100 * SSE / SST."""
        return 100 * Partition(labels).sse(self.records) / self.spread if self.spread else 0.0

    def best_of(self, *partitions: Labels) -> Labels:
        """The partition with the least SSE; the first on ties."""
        return min(partitions, key=lambda labels: Partition(labels).sse(self.records))

    def run_chains(
        self, starts: Sequence[Labels], stages: Sequence[Sequence[AnnealingStage]], seeds: Sequence[Seed], at: Advance
    ) -> list[Labels]:
        """The final partition of each chain, run from its start through its stages."""
        jobs = [
            partial(_chain, self.records, self.k, self.neighbors, *chain)
            for chain in zip(starts, stages, seeds, strict=True)
        ]
        return thread_pool.run(jobs, self.threads, at)

    def run_tiles(self, labels: Labels, stage: AnnealingStage, seed: Seed, at: Advance) -> Labels:
        """The partition after one stage over the whole table, tile by tile."""
        tiling = Tiling.of(self.records, labels, max(1, self.records_per_tile // self.k), np.random.default_rng(seed))
        seeds = seed.spawn(len(tiling.tiles))
        jobs = [partial(self._tile, tiling, labels, stage, *tile) for tile in enumerate(seeds)]
        found = np.empty_like(labels)
        n_groups = 0
        for tile, inside in zip(tiling.tiles, thread_pool.run(jobs, self.threads, at), strict=True):
            found[tile] = inside + n_groups
            n_groups += int(inside.max()) + 1
        return found

    def _tile(
        self, tiling: Tiling, labels: Labels, stage: AnnealingStage, number: int, seed: Seed, report: thread_pool.Report
    ) -> Labels:
        tile = tiling.tiles[number]
        near = self.neighbors[tile]  # (n_inside, n_neighbors) record numbers of the table
        itself = tiling.place_of[tile][:, None]
        neighbors = np.where(
            tiling.tile_of[near] == number, tiling.place_of[near], itself
        )  # neighbors outside the tile are replaced by the record itself
        inside = np.unique(labels[tile], return_inverse=True)[1].astype(np.int64)
        share = AnnealingStage(stage.n_proposals * len(tile) // len(labels), stage.heat)
        return _chain(self.records[tile], self.k, neighbors, inside, [share], seed, report)


def _chain(
    records: Matrix,
    k: int,
    neighbors: Neighbors,
    start: Labels,
    stages: Sequence[AnnealingStage],
    seed: Seed,
    report: thread_pool.Report,
) -> Labels:
    state = kernels.Annealing(records, start, k, neighbors, int(seed.generate_state(1, np.uint64)[0]))
    for stage in stages:
        state.plan(stage.n_proposals, stage.heat.hot, stage.heat.cold)
        n_left = stage.n_proposals
        while n_left:
            n_before, n_left = n_left, state.step(PROPOSALS_PER_STEP)
            report(n_before - n_left)
    return state.labels()
