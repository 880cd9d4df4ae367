"""Tree-structured SOM: layers of 1, 4, 16, ... units, each trained with the help of the layer above.

(n_records, d) -> Map, the lowest layer

Koikkalainen & Oja (1990), "Self-organizing hierarchical feature maps", IJCNN. A record's unit is searched only
among the children of its unit in the layer above and of that unit's neighbors: at most 36 distances per record,
independent of the size of the map, at the price that the nearest unit may be missed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.som.axes import Axes
from shoal.blocking.som.batch import update_units
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.map import Map
from shoal.blocking.som.neighborhood import Neighborhood
from shoal.blocking.som.start import linear_units
from shoal.kernels import Ints, Labels, Matrix

EPOCHS = 4  # per layer
RADIUS = 1.0


def tree_structured_som(X: ArrayLike, n_layers: int) -> Map:
    """A rectangular sheet of 2^(n_layers - 1) by 2^(n_layers - 1) units; at least two layers."""
    records = kernels.as_matrix(X)
    lattice = Lattice(2, 2, "rectangular")
    units = linear_units(lattice, Axes.of(records))
    everything = np.arange(lattice.n_units)[None]
    units, labels = _train_layer(records, units, lattice, everything, np.zeros(len(records), dtype=np.int64))
    for _ in range(n_layers - 2):
        above, parents = lattice, labels
        lattice = Lattice(2 * above.rows, 2 * above.columns, "rectangular")
        units, labels = _train_layer(
            records, _split_units(units, above), lattice, _child_candidates(above, lattice), parents
        )
    return Map(lattice, units, labels)


def _train_layer(X: Matrix, units: Matrix, lattice: Lattice, candidates: Ints, parents: Ints) -> tuple[Matrix, Labels]:
    """Trains one layer: its units, and the unit of every record among the candidates of the record's parent unit."""
    around = Neighborhood.of(lattice, RADIUS)
    for _ in range(EPOCHS):
        units = update_units(X, units, kernels.nearest_among(X, units, candidates, parents), around)
    return units, kernels.nearest_among(X, units, candidates, parents)


def _split_units(units: Matrix, above: Lattice) -> Matrix:
    """(4 n_units, d) every unit split into four, a quarter of the way to its neighbors."""
    side, d = above.rows, units.shape[1]
    at = (np.arange(2 * side) + 0.5) / 2 - 0.5  # in steps of the layer above
    low = np.clip(np.floor(at).astype(np.int64), 0, side - 2)
    share = (at - low)[:, None]
    grid = units.reshape(side, side * d)
    rows = (grid[low] * (1 - share) + grid[low + 1] * share).reshape(2 * side, side, d)
    opened = rows[:, low] * (1 - share) + rows[:, low + 1] * share
    return opened.reshape(4 * len(units), d)


def _child_candidates(above: Lattice, lattice: Lattice) -> Ints:
    """(n_units above, 36) children of every unit and its neighbors, ascending; -1 where there are fewer."""
    row, column = np.divmod(np.arange(lattice.n_units), lattice.columns)
    parent_of = row // 2 * above.columns + column // 2
    children = np.argsort(parent_of, kind="stable").reshape(above.n_units, 4)
    near = np.column_stack([np.arange(above.n_units), above.neighbors])  # (n_units above, 9)
    found = np.where(near[..., None] < 0, -1, children[near]).reshape(above.n_units, -1)
    return np.sort(found, axis=1).astype(np.int64)
