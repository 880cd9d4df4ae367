"""How long a map is trained, and over which radii: rough, then fine.

The SOM Toolbox takes 10 and 40 passes over the records for every record that a unit has less than one of: 1 and 1 for
any large table. That leaves a map half unfolded, so we take no fewer than LEAST.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.rules import MapRules
from shoal.kernels import Vector

LEAST = (2, 8)  # epochs, rough and fine


@dataclass(frozen=True, eq=False)
class Phase:
    """One radius for every epoch, and the learning rate that a sequential training begins with."""

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
