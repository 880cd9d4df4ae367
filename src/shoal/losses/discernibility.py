"""Discernibility: every record costs the number of records that it cannot be distinguished from.

Bayardo & Agrawal (2005), doi:10.1109/ICDE.2005.42.

    DM = sum of n^2 over the groups; a suppressed record could be any record of the table and costs |T|
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.kernels import Vector
from shoal.losses.measures import Measures


@dataclass(frozen=True)
class Discernibility:
    name: Literal["discernibility"] = "discernibility"

    def of_blocks(self, blocks: Measures) -> Vector:
        return blocks.totals.astype(np.float64) ** 2

    def of_suppressed(self, blocks: Measures) -> float:
        return float(blocks.n_records)
