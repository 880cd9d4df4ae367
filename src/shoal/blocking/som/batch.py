"""Batch training: every epoch assigns all records to their units, then moves the units to neighborhood means."""

from __future__ import annotations

import numpy as np

from shoal import kernels, progress
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.nearest_units import nearest_units
from shoal.blocking.som.neighborhood import Neighborhood
from shoal.blocking.som.schedule import Phase
from shoal.kernels import Labels, Matrix


def train_batch(
    X: Matrix, units: Matrix, lattice: Lattice, phases: tuple[Phase, ...], threads: int
) -> tuple[Matrix, Labels]:
    """The units after training, and the unit of every record."""
    labels = np.zeros(len(X), dtype=np.int64)
    radii = np.concatenate([phase.radii for phase in phases])
    with progress.stage("training the map", len(radii)) as at:
        for epoch, radius in enumerate(radii):
            labels = nearest_units(X, units, labels, threads)
            units = update_units(X, units, labels, Neighborhood.of(lattice, radius))
            at(epoch + 1)
    return units, nearest_units(X, units, labels, threads)


def update_units(X: Matrix, units: Matrix, labels: Labels, around: Neighborhood) -> Matrix:
    """Units moved to the neighborhood-weighted mean of the records of all units; unchanged where all weights are 0.

    The sums of the records of a unit are exact, so that the result depends neither on their order nor on threads.
    """
    known = ~np.isnan(X)
    if known.all():
        sums = kernels.group_sums(X, labels, len(units))
        counts = np.bincount(labels, minlength=len(units)).astype(np.float64)[:, None]
    else:
        sums = kernels.group_sums(np.where(known, X, 0.0), labels, len(units))
        counts = kernels.group_sums(known.astype(np.float64), labels, len(units))
    d = X.shape[1]
    totals = around.weighted_sums(np.hstack([sums, counts]))
    weights = np.broadcast_to(totals[:, d:], sums.shape)
    return np.where(weights > 0, totals[:, :d] / np.where(weights > 0, weights, 1.0), units)
