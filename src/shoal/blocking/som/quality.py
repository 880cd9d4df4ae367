"""Quality of a map: its fit to the records, and its preservation of the topology.

quantization   mean distance of a record to its best matching unit
topographic    share of records whose two nearest units are not neighbors; Kiviluoto (1996)
combined       mean length of the path from a record to its best unit and on along the map to the second best;
               Kaski & Lagus (1996), doi:10.1007/3-540-61510-5_136
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.som.input import Missing, as_records
from shoal.blocking.som.map import Map
from shoal.blocking.som.nearest_units import second_units
from shoal.kernels import Ints, Matrix, Vector, thread_pool

SOURCES_AT_ONCE = 256  # source units per shortest-path call: a table of all pairs may be large


@dataclass(frozen=True)
class MapQuality:
    quantization: float
    topographic: float
    combined: float


def map_quality(trained: Map, X: ArrayLike, *, missing: Missing = "refuse", threads: int | None = None) -> MapQuality:
    """Quality of ``trained``; ``X`` are its training records."""
    records = as_records(X, missing, trained.units.shape[1])
    distances = np.sqrt(_squared_to_units(records, trained))
    if trained.n_units == 1:
        return MapQuality(_mean(distances), 0.0, _mean(distances))
    second = second_units(records, trained.units, trained.labels, thread_pool.n_threads(threads))
    apart = ~(trained.lattice.neighbors[trained.labels] == second[:, None]).any(axis=1)
    return MapQuality(
        _mean(distances), float(apart.mean()), _mean(distances + _path_lengths(trained, trained.labels, second))
    )


def _squared_to_units(X: Matrix, trained: Map) -> Vector:
    """(n_records,) squared distance of every record to its unit, over the observed values."""
    squared = np.zeros(len(X))
    for values, column in zip(X.T, trained.units.T, strict=True):
        gaps = values - column[trained.labels]
        squared += np.where(np.isnan(gaps), 0.0, gaps) ** 2
    return squared


def _path_lengths(trained: Map, first: Ints, second: Ints) -> Vector:
    """(n_records,) length of the shortest path from one unit to another along lattice neighbors."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    unit, place = np.nonzero(trained.lattice.neighbors >= 0)
    # A length of 0 would mean no edge in a sparse matrix: coinciding units get the smallest positive distance.
    lengths = np.maximum(trained.neighbor_distances[unit, place], np.finfo(np.float64).tiny)
    ways = csr_array((lengths, (unit, trained.lattice.neighbors[unit, place])), shape=(trained.n_units,) * 2)
    along = np.empty(len(first))
    sources = np.unique(first)
    for some in np.split(sources, range(SOURCES_AT_ONCE, sources.size, SOURCES_AT_ONCE)):
        of_some = np.flatnonzero(np.isin(first, some))
        shortest = dijkstra(ways, indices=some)
        along[of_some] = shortest[np.searchsorted(some, first[of_some]), second[of_some]]
    return along


def _mean(values: Vector) -> float:
    return float(kernels.column_sums(values[:, None])[0]) / len(values)
