"""Training schedule of a map: epochs and radii of the rough and the fine phase.

The SOM Toolbox takes 10 and 40 times the number of units per record as epochs, rounded up: 1 and 1 for any large table.
This leaves the map only partly unfolded, so at least LEAST epochs are used here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.map_rules import MapRules
from shoal.kernels import Vector

LEAST = (2, 8)  # minimum epochs, rough and fine


@dataclass(frozen=True, eq=False)
class Phase:
    """One radius per epoch, and the initial learning rate of sequential training."""

    radii: Vector
    rate: float


def phases(rules: MapRules, lattice: Lattice, n_records: int) -> tuple[Phase, Phase]:
    rough, fine = rules.epochs or epochs_of(lattice.n_units, n_records)
    widest = max(1.0, ceil(lattice.longer_side / 8))
    middle = max(1.0, widest / 4)
    return Phase(np.linspace(widest, middle, rough), 0.5), Phase(np.linspace(middle, 1.0, fine), 0.05)


def epochs_of(n_units: int, n_records: int) -> tuple[int, int]:
    rough, fine = (ceil(passes * n_units / n_records) for passes in (10, 40))
    return max(rough, LEAST[0]), max(fine, LEAST[1])
