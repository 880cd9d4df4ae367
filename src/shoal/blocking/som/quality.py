"""How good a map is: how near its units come to the records, and whether near records are near on the map.

quantization   mean distance of a record to its unit
topographic    share of records whose two nearest units are not neighbors; Kiviluoto (1996)
combined       mean distance of a record to its unit, and on along the map to its second unit;
               Kaski & Lagus (1996), doi:10.1007/3-540-61510-5_136
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.som.input import Missing, as_records
from shoal.blocking.som.map import Map
from shoal.blocking.som.search import second_units
from shoal.kernels import Labels, Matrix, Vector, thread_pool

SOURCES_AT_ONCE = 256  # shortest paths from so many units: a table of all pairs may be large


@dataclass(frozen=True)
class MapQuality:
    quantization: float
    topographic: float
    combined: float


def map_quality(trained: Map, X: ArrayLike, *, missing: Missing = "refuse", threads: int | None = None) -> MapQuality:
    """Of the records that it was trained on."""
    records = as_records(X, missing, trained.units.shape[1])
    distances = np.sqrt(_squared_to_units(records, trained))
    if trained.n_units == 1:
        return MapQuality(_mean(distances), 0.0, _mean(distances))
    second = second_units(records, trained.units, trained.labels, thread_pool.n_threads(threads))
    apart = ~(trained.lattice.neighbors[trained.labels] == second[:, None]).any(axis=1)
    return MapQuality(
        _mean(distances), float(apart.mean()), _mean(distances + _along_the_map(trained, trained.labels, second))
    )


def _squared_to_units(X: Matrix, trained: Map) -> Vector:
    """(n_records,) over the values that are known."""
    squared = np.zeros(len(X))
    for values, column in zip(X.T, trained.units.T, strict=True):
        gaps = values - column[trained.labels]
        squared += np.where(np.isnan(gaps), 0.0, gaps) ** 2
    return squared


def _along_the_map(trained: Map, first: Labels, second: Labels) -> Vector:
    """(n_records,) the shortest way from one unit to another, from neighbor to neighbor."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    unit, place = np.nonzero(trained.lattice.neighbors >= 0)
    # A way of length 0 would be no way in a sparse matrix: units that coincide are the least bit apart.
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
