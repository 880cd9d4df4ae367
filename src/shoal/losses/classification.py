"""Classification: every record that is not of the majority class of its group costs 1, and so does a suppressed one.

Iyengar (2002), doi:10.1145/775047.775089.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.kernels import Vector
from shoal.losses.measures import Measures


@dataclass(frozen=True)
class Classification:
    name: Literal["classification"] = "classification"

    def of_blocks(self, blocks: Measures) -> Vector:
        if blocks.classes is None:
            raise TypeError("the classification loss needs blocks with the counts of their classes")
        others: Vector = (blocks.totals - blocks.classes.max(axis=1)).astype(np.float64)
        return others

    def of_suppressed(self, blocks: Measures) -> float:
        return 1.0
