"""Positions of values among other ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels


def positions_of(values: NDArray[np.integer], sought: NDArray[np.integer]) -> Labels:
    """(n_sought,) the position of each in ``values``, which are distinct and in any order; -1: not found."""
    if not values.size:
        return np.full(sought.size, -1, dtype=np.int64)
    order = np.argsort(values)
    at = order[np.minimum(np.searchsorted(values, sought, sorter=order), values.size - 1)]
    return np.where(values[at] == sought, at, -1)
