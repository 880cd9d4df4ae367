"""Sequential training (Kohonen's original): records one by one, in random order, attract the units near theirs."""

from __future__ import annotations

import numpy as np

from shoal import kernels, progress
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.neighborhood import Neighborhood
from shoal.blocking.som.schedule import Phase
from shoal.kernels import Matrix

RECORDS_PER_STEP = 100  # with the same rate and radius, as in the SOM Toolbox
DECAY = 100  # the rate decreases to a hundredth of its initial value in each phase


def train_sequential(
    X: Matrix, units: Matrix, lattice: Lattice, phases: tuple[Phase, ...], rng: np.random.Generator
) -> Matrix:
    """(n_units, d) units after all phases."""
    n_steps = sum(len(phase.radii) for phase in phases) * len(X)
    with progress.stage("training the map", n_steps) as at:
        done = 0
        for phase in phases:
            order = np.concatenate([rng.permutation(len(X)) for _ in phase.radii] or [np.empty(0, dtype=np.int64)])
            for first in range(0, len(order), RECORDS_PER_STEP):
                records = order[first : first + RECORDS_PER_STEP]
                units = _train_phase(X[records], units, lattice, phase, first / len(order))
                done += len(records)
                at(done)
    return units


def _train_phase(X: Matrix, units: Matrix, lattice: Lattice, phase: Phase, share_done: float) -> Matrix:
    """Units after training on ``X``. As in the SOM Toolbox, the radius falls linearly, the rate as 1 / (a + t)."""
    radius = phase.radii[0] + share_done * (phase.radii[-1] - phase.radii[0])
    rate = phase.rate / (1 + (DECAY - 1) * share_done)
    around = Neighborhood.of(lattice, radius)
    pulled: Matrix = kernels.kohonen_steps(
        units=units,
        X=np.ascontiguousarray(X),
        rows=around.rows,
        columns=around.columns,
        is_hexagonal=lattice.form == "hexagonal",
        rate=rate,
    )
    return pulled
