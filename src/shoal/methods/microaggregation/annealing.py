"""Simulated annealing of a partition: what a search knows of the records, and how its chains are run.

A chain proposes, for a random record, to join or swap into the group of a near record; what the temperature allows
is done. Small tables take several chains of the whole table, each with its own chance. A large table is cut into
tiles of whole groups, each with its own chance, and cut anew for the next leg, so that no border lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from shoal import kernels
from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation import crew
from shoal.methods.microaggregation.neighborhoods import Neighbors, Places, nearest_records, tiles
from shoal.plan import Partition
from shoal.progress import Advance

Seed = np.random.SeedSequence

PROPOSALS_PER_STEP = 100_000  # some 20 ms: how soon a chain hears that it should stop
RECORDS_PER_TILE = 4096  # fit the cache of one core


@dataclass(frozen=True)
class Heat:
    """Temperatures of a search, falling geometrically. Without heat only gains pass: a descent."""

    hot: float = 0.0
    cold: float = 0.0

    def between(self, start: float, end: float) -> Heat:
        """A part of the way down, ``start`` and ``end`` as shares of it."""
        ratio = self.cold / self.hot if self.hot else 0.0
        return Heat(self.hot * ratio**start, self.hot * ratio**end) if self.hot else self


@dataclass(frozen=True)
class Leg:
    """So many proposals under one heat."""

    n_proposals: int
    heat: Heat = Heat()


@dataclass(frozen=True, eq=False)
class Ground:
    """What every search of a table needs: the records, k, and the neighbors of every record."""

    records: Matrix  # (n, d)
    k: int
    neighbors: Neighbors  # (n, n_neighbors)
    threads: int

    @classmethod
    def of(cls, records: Matrix, k: int, threads: int) -> Ground:
        return cls(records, k, nearest_records(records, k, threads), threads)

    def heat(self, labels: Labels) -> Heat:
        """Hot as the errors of the outermost records, cold as what hardly matters, both of this partition."""
        centroids = Partition(labels).centroids(self.records)  # (n_groups, d)
        errors = ((self.records - centroids[labels]) ** 2).sum(axis=1)  # (n,)
        near, far = (float(error) for error in np.quantile(errors, [0.25, 0.975]))
        return Heat(far, max(0.1 * near, 0.004 * float(errors.mean()), 1e-4 * far))

    def loss(self, labels: Labels) -> float:
        """Percent of the spread of the records that the groups hide."""
        return Partition(labels).information_loss(self.records)

    def better(self, *partitions: Labels) -> Labels:
        """The one of least loss; the first on ties."""
        return min(partitions, key=lambda labels: Partition(labels).sse(self.records))

    def chains(self, starts: Sequence[Labels], legs: Sequence[Sequence[Leg]], seeds: Sequence[Seed], at: Advance) -> list[Labels]:
        """Where each chain ends that goes its legs from its start."""
        jobs = [
            partial(_chain, self.records, self.k, self.neighbors, *chain)
            for chain in zip(starts, legs, seeds, strict=True)
        ]
        return crew.run(jobs, self.threads, at)

    def tiled(self, labels: Labels, leg: Leg, seed: Seed, at: Advance) -> Labels:
        """Where one leg over the whole table ends, tile by tile."""
        places = _records_of_tiles(self.records, labels, self.k, np.random.default_rng(seed))
        seeds = seed.spawn(len(places))
        jobs = [partial(self._tile, labels, leg, *tile) for tile in zip(places, seeds, strict=True)]
        found = np.empty_like(labels)
        n_groups = 0
        for place, inside in zip(places, crew.run(jobs, self.threads, at), strict=True):
            found[place] = inside + n_groups
            n_groups += int(inside.max()) + 1
        return found

    def _tile(self, labels: Labels, leg: Leg, place: Places, seed: Seed, tell: crew.Tell) -> Labels:
        n_inside = len(place)
        near = self.neighbors[place]  # (n_inside, n_neighbors) numbered as in the table
        at = np.minimum(np.searchsorted(place, near), n_inside - 1)
        itself = np.arange(n_inside)[:, None]
        neighbors = np.where(place[at] == near, at, itself).astype(np.int32)  # a record outside is nobody's neighbor
        inside = np.unique(labels[place], return_inverse=True)[1].astype(np.int64)
        share = Leg(leg.n_proposals * n_inside // len(labels), leg.heat)
        return _chain(self.records[place], self.k, neighbors, inside, [share], seed, tell)


def _chain(
    records: Matrix, k: int, neighbors: Neighbors, start: Labels, legs: Sequence[Leg], seed: Seed, tell: crew.Tell
) -> Labels:
    state = kernels.Annealing(records, start, k, neighbors, int(seed.generate_state(1, np.uint64)[0]))
    for leg in legs:
        state.plan(leg.n_proposals, leg.heat.hot, leg.heat.cold)
        n_left = leg.n_proposals
        while n_left:
            n_before, n_left = n_left, state.step(PROPOSALS_PER_STEP)
            tell(n_before - n_left)
    return state.labels()


def _records_of_tiles(records: Matrix, labels: Labels, k: int, chance: np.random.Generator) -> list[Places]:
    """Records of every tile, ascending. A tile holds whole groups, by their centroids."""
    partition = Partition(labels)
    tile_of = np.empty(partition.n_groups, dtype=np.int64)
    for number, groups in enumerate(tiles(partition.centroids(records), RECORDS_PER_TILE // k, chance)):
        tile_of[groups] = number
    of_record = tile_of[labels]  # (n,)
    by_tile = np.argsort(of_record, kind="stable")
    return np.split(by_tile, np.cumsum(np.bincount(of_record))[:-1])
