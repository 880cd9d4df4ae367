"""Volume: every record costs the volume of its block, measured by the number of unit cells that the block covers.

Hore, Jammalamadaka, Mehrotra & D'Ascanio, Constrained generalization for data anonymization: a systematic search based
approach. Unit cells come from the first division of the columns and all count the same; a suppressed record costs all
of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.kernels import Vector
from shoal.losses.measures import Measures


@dataclass(frozen=True)
class Volume:
    name: Literal["volume"] = "volume"

    def of_blocks(self, blocks: Measures) -> Vector:
        if blocks.cells is None:
            raise TypeError("the volume loss needs blocks with the cells that they cover")
        volumes: Vector = np.prod(blocks.cells, axis=1)
        return volumes * blocks.totals

    def of_suppressed(self, blocks: Measures) -> float:
        if blocks.n_cells is None:
            raise TypeError("the volume loss needs to know how many cells there are")
        return float(np.prod(blocks.n_cells))
