"""som: training of a self-organizing map.

(n_records, d) -> Map

Kohonen (1990), doi:10.1109/5.58325, by the rules of the SOM Toolbox (Vesanto, Himberg, Alhoniemi & Parhankangas 1999)
for size, initialization, radii and epochs. Departures: the epochs (schedule.py), records on a line (sizing.py), and
ties between equally near units, which go to the lower unit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from shoal.blocking.som.axes import Axes
from shoal.blocking.som.batch import train_batch
from shoal.blocking.som.input import Missing, as_records
from shoal.blocking.som.map import Map
from shoal.blocking.som.map_rules import BY_RULE, MapRules
from shoal.blocking.som.nearest_units import nearest_units
from shoal.blocking.som.schedule import phases
from shoal.blocking.som.sequential import train_sequential
from shoal.blocking.som.sizing import lattice_for
from shoal.blocking.som.start import initial_units
from shoal.kernels import check_seed, thread_pool


def som(
    X: ArrayLike,
    *,
    rules: MapRules = BY_RULE,
    missing: Missing = "refuse",
    seed: int = 0,
    threads: int | None = None,
) -> Map:
    """A trained map of the records; reproducible for the same seed on any number of threads.

    Randomness is used only in random initialization and in sequential training.
    """
    records = as_records(X, missing)
    n_threads = thread_pool.n_threads(threads)
    rng = np.random.default_rng(np.random.SeedSequence(check_seed(seed)))
    axes = Axes.of(records)
    lattice = lattice_for(rules, len(records), axes.variances)
    units = initial_units(records, rules.start, lattice, axes, rng)
    plan = phases(rules, lattice, len(records))
    if rules.training == "batch":
        return Map(lattice, *train_batch(records, units, lattice, plan, n_threads))
    units = train_sequential(records, units, lattice, plan, rng)
    return Map(lattice, units, nearest_units(records, units, np.zeros(len(records), dtype=np.int64), n_threads))
