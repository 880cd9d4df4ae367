"""Regions of a map: clusters of units by k-means, their number chosen by the Davies-Bouldin index.

Davies & Bouldin (1979), doi:10.1109/TPAMI.1979.4766909; Vesanto & Alhoniemi (2000), doi:10.1109/72.846731.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.blocking.som.map import Map
from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.plan import Partition

MOST_REGIONS = 10  # more could not be distinguished by color
RUNS = 5  # of k-means with different initial centers, for every number of regions
MOST_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class Regions:
    of_unit: Labels  # (n_units,) numbered in the order of their first units
    index: float  # Davies-Bouldin: within-region spread relative to separation; lower is better

    @property
    def n(self) -> int:
        return int(self.of_unit.max()) + 1


def map_regions(trained: Map, *, seed: int = 0) -> Regions:
    """The best of several runs for 2, 3, ... regions, up to sqrt(n_units) + 1 and at most ten."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    best = Regions(np.zeros(trained.n_units, dtype=np.int64), np.inf)
    if (trained.units == trained.units[0]).all():
        return best
    for n_regions in range(2, min(MOST_REGIONS, int(np.sqrt(trained.n_units)) + 1) + 1):
        runs = [_k_means(trained.units, n_regions, rng) for _ in range(RUNS)]
        found = min(runs, key=lambda labels: Partition(labels).sse(trained.units))
        index = davies_bouldin(trained.units, Partition(found))
        if index < best.index:
            best = Regions(found, index)
    return best


def _k_means(points: Matrix, n_centers: int, rng: np.random.Generator) -> Labels:
    """(n_points,) Lloyd's algorithm from randomly chosen points until stable; centers that become empty are dropped."""
    centers = points[rng.choice(len(points), n_centers, replace=False)]
    labels = np.zeros(len(points), dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        moved = kernels.UnitTree(np.ascontiguousarray(centers)).nearest(points, labels)
        moved = _renumber(moved)
        if (moved == labels).all():
            break
        labels = moved
        centers = Partition(labels).centroids(points)
    return labels


def _renumber(labels: Labels) -> Labels:
    """Labels renumbered in the order of their first points, without gaps."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    numbers: Ints = np.argsort(np.argsort(first))[inverse].astype(np.int64)
    return numbers


def davies_bouldin(points: Matrix, clusters: Partition) -> float:
    """Mean over clusters of max (own spread + other spread) / distance of centers; infinite for one cluster."""
    if clusters.n_groups == 1:
        return np.inf
    centers = clusters.centroids(points)
    offsets = np.sqrt(_squared(points, centers[clusters.labels]))
    spreads = kernels.group_sums(offsets[:, None], clusters.labels, clusters.n_groups)[:, 0] / clusters.sizes
    worst = []
    for at, center in enumerate(centers):
        apart = np.sqrt(_squared(centers, center[None]))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = (spreads + spreads[at]) / apart
        worst.append(float(np.delete(ratios, at).max()))
    return sum(worst) / len(worst)


def _squared(A: Matrix, B: Matrix) -> Vector:
    """Row-wise squared distances, added column by column for identical results on every machine."""
    squared = np.zeros(len(A))
    for a, b in zip(A.T, B.T, strict=True):
        squared += (a - b) ** 2
    return squared
