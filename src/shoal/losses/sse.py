"""SSE: squared distances of records to the mean of their group; the total is exact in any order of the records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from shoal.kernels import Vector
from shoal.plan import Partition


@dataclass(frozen=True)
class SSE:
    name: Literal["sse"] = "sse"

    def of_groups(self, X: ArrayLike, partition: Partition) -> Vector:
        """(n_groups,) SSE of each group."""
        records = partition.records(X)
        squares = ((records - partition.centroids(records)[partition.labels]) ** 2).sum(axis=1)
        return np.bincount(partition.labels, weights=squares).astype(np.float64)

    def total(self, X: ArrayLike, partition: Partition) -> float:
        return partition.sse(X)
