"""The typed face of the compiled module: arrays in, arrays out; no tables, no files, no messages to the user.

Arrays are checked here, once, so that a kernel can trust what it is handed.
"""

from shoal.kernels._compiled import (
    Genetic,
    Mdav,
    Search,
    SpanningTree,
    Vmdav,
    best_cut,
    column_squares,
    column_sums,
    cut_forest,
    farthest_from,
    group_sums,
    join_nearest_centroid,
    join_nearest_record,
    nearest_forest,
    nearest_neighbors,
    nearest_next_path,
    path_through_groups,
    split_large,
    within_groups_sse,
)
from shoal.kernels.arrays import Labels, Matrix, Vector, as_labels, as_matrix, as_members, as_vector, check_k

__all__ = [
    "Genetic",
    "Labels",
    "Matrix",
    "Mdav",
    "Search",
    "SpanningTree",
    "Vector",
    "Vmdav",
    "as_labels",
    "as_matrix",
    "as_members",
    "as_vector",
    "best_cut",
    "check_k",
    "column_squares",
    "column_sums",
    "cut_forest",
    "farthest_from",
    "group_sums",
    "join_nearest_centroid",
    "join_nearest_record",
    "nearest_forest",
    "nearest_neighbors",
    "nearest_next_path",
    "path_through_groups",
    "split_large",
    "within_groups_sse",
]
