"""MHM: a path through all records, cut into groups as well as a path can be.

arrays of one block -> Partition

Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz & Sebe (2006), "Efficient multivariate data-oriented microaggregation",
VLDB Journal 15(4); the cut is that of Hansen & Mukherjee (2003) with distances between records.

Paths:
- "npn", nearest point next: from the record farthest from the centroid always on to the nearest one not yet visited;
- "mdav": through the groups of MDAV, from that of the farthest record always on to the group with the nearest centroid,
  and inside a group always on to the nearest record. As no group of MDAV is torn, the cut never loses more than MDAV.

Where the paper is silent: how groups and the records inside them follow each other (as above, which comes close to its
figures); ties go to the lowest record or group.
"""

from __future__ import annotations

from typing import Literal, get_args

from numpy.typing import ArrayLike

from shoal import kernels
from shoal.errors import PolicyError
from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation.mdav import mdav
from shoal.plan import Partition

Path = Literal["mdav", "npn"]


def mhm(X: ArrayLike, k: int, path: Path = "mdav") -> Partition:
    """Groups of ``k`` to 2k - 1 records that follow each other on a path."""
    records = kernels.as_matrix(X)
    k = kernels.check_k(k, len(records))
    if path not in get_args(Path):
        raise PolicyError.unknown_choice("mhm.path", path, get_args(Path))
    start = kernels.farthest_from(records, kernels.column_sums(records) / len(records))
    if path == "npn":
        walk = kernels.nearest_next_path(records, start)  # (n,) records
    else:
        walk = _through_groups(records, mdav(records, k), start)
    return Partition(kernels.best_cut(records, walk, k))


def _through_groups(X: Matrix, groups: Partition, start: int) -> Labels:
    order = kernels.nearest_next_path(groups.centroids(X), int(groups.labels[start]))  # (n_groups,)
    walk: Labels = kernels.path_through_groups(X, groups.labels, order, X[start])  # (n,)
    return walk
