"""CPU seconds of MDAV and of the repair, predicted from numbers of records and columns, never measured.

    MDAV     (0.35 + 0.065 d) (m / 250 * 3 / k)^(0.18 + 0.045 d) microseconds per record of a block of m records in d
             columns; the exponent is at most 1
    repair   4 d microseconds per record and pass

Measured on uniform records; a prediction is right within a factor of two or three, and the same on every machine.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels import Ints, Vector

MOST_SECONDS = 60.0  # that the automatic choice of blocks spends on MDAV of all records, or on the repair


def mdav_seconds(sizes: Ints | Vector, n_columns: int, k: int) -> float:
    """MDAV within blocks of these sizes."""
    power = min(1.0, 0.18 + 0.045 * n_columns)
    return float((sizes * (0.35 + 0.065 * n_columns) * 1e-6 * (sizes / 250 * 3 / k) ** power).sum())


def stays_whole(n_records: float, n_columns: int, k: int) -> bool:
    """Whether MDAV of all records takes so little time that no blocks are needed."""
    return mdav_seconds(np.array([n_records]), n_columns, k) <= MOST_SECONDS


def is_repair_cheap(n_records: float, n_columns: int, n_passes: int) -> bool:
    return 4e-6 * n_records * n_columns * n_passes <= MOST_SECONDS
