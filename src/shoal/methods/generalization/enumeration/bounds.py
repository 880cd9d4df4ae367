"""Costs of blocks, and lower bounds on the cost of any division of a box: LB for the DM, the CM and the VM.

Hore et al. (Fig. 4): the leaves that can still be split are divided into the finest cells, and every record is charged
the least that any partition charges it. All three losses are sums over blocks and integers, so bounds add up and
ties are exact.

    discernibility   a block of n records costs n^2; a record of a cell of m records at least max(m, k)
    classification   the records not in the block's majority class; a cell's minority stays a minority in every union
    volume           n times the finest cells that the block covers; a record at least 1, and 2 if its cell has below k

The paper charges the discernibility by cells alone. We take the larger of this and of n records spread evenly over
floor(n / k) blocks; below 2k records that is the cost of the block itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.kernels import Vector

LossName = Literal["discernibility", "classification", "volume"]


@dataclass(frozen=True)
class BoxCosts:
    """Costs and bounds under a loss. ``k``: minimum number of records in every block."""

    loss: LossName
    k: int

    def costs(self, n: Vector, minority: Vector, n_cells: Vector) -> Vector:
        """(n_boxes,) cost of every box as one block."""
        return {"discernibility": n * n, "classification": minority, "volume": n * n_cells}[self.loss]

    def cell_floors(self, n: Vector, minority: Vector) -> Vector:
        """(n_cells,) the paper's MinCost of every finest cell."""
        if self.loss == "classification":
            return minority
        least = np.maximum(n, self.k) if self.loss == "discernibility" else np.where(n < self.k, 2.0, 1.0)
        return n * least

    def floors(self, n: Vector, of_cells: Vector, costs: Vector) -> Vector:
        """(n_boxes,) lower bounds, never above the cost undivided. ``of_cells``: the sum of MinCost over the cells."""
        spread = _even_squares(n, self.k) if self.loss == "discernibility" else 0.0
        return np.minimum(np.maximum(of_cells, spread), costs)


def _even_squares(n: Vector, k: int) -> Vector:
    """The least sum of squared block sizes of n records in blocks of k or more."""
    n_blocks = np.maximum(n // k, 1)
    size, larger = n // n_blocks, n % n_blocks
    return (n_blocks - larger) * size**2 + larger * (size + 1) ** 2
