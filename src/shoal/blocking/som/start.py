"""Initialization of the units of a map."""

from __future__ import annotations

import numpy as np

from shoal.blocking.som.axes import Axes
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.map_rules import Start
from shoal.kernels import Matrix


def initial_units(X: Matrix, start: Start, lattice: Lattice, axes: Axes, rng: np.random.Generator) -> Matrix:
    """(n_units, d) initial units, random or linear."""
    if start == "random":
        lowest, highest = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
        anywhere: Matrix = lowest + rng.random((lattice.n_units, X.shape[1])) * (highest - lowest)
        return anywhere
    return linear_units(lattice, axes)


def linear_units(lattice: Lattice, axes: Axes) -> Matrix:
    """Units on a plane through the mean, one standard deviation to both sides; the first axis along the longer side."""
    sides = np.divmod(np.arange(lattice.n_units), lattice.columns)  # row, column of every unit
    lengths = (lattice.rows, lattice.columns)
    longer_first = (0, 1) if lattice.rows >= lattice.columns else (1, 0)
    units = np.tile(axes.mean, (lattice.n_units, 1))
    for side, variance, direction in zip(longer_first, axes.variances, axes.directions, strict=False):
        if lengths[side] > 1:
            steps = 2 * sides[side] / (lengths[side] - 1) - 1  # (n_units,) from -1 to 1
            units += np.multiply.outer(steps, np.sqrt(variance) * direction)
    return units
