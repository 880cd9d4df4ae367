"""The typed face of the compiled module: arrays in, arrays out; no tables, no files, no messages to the user.

Arrays are checked here, once, so that a kernel can trust what it is handed.
"""

from shoal.kernels._compiled import (
    Annealing,
    Mdav,
    NeighborTree,
    Pricer,
    column_squares,
    column_sums,
    group_sums,
    within_groups_sse,
)
from shoal.kernels.arrays import Labels, Matrix, Vector, as_labels, as_matrix, check_k

__all__ = [
    "Annealing",
    "Labels",
    "Matrix",
    "Mdav",
    "NeighborTree",
    "Pricer",
    "Vector",
    "as_labels",
    "as_matrix",
    "check_k",
    "column_squares",
    "column_sums",
    "group_sums",
    "within_groups_sse",
]
