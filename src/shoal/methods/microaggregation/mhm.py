"""Microaggregation by MHM: a path through all records, cut optimally into groups.

arrays of one block -> Partition

Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz & Sebe (2006), "Efficient multivariate data-oriented microaggregation",
VLDB Journal 15(4); the cut is that of Hansen & Mukherjee (2003) with distances between records.

Paths:
- "npn", nearest point next: from the record farthest from the centroid always to the nearest unvisited record;
- "mdav": through the groups of MDAV, from the group of the farthest record always to the group with the nearest
  centroid, and within a group always to the nearest record. As MDAV's own groups are one of the possible cuts, the
  loss is never greater than that of MDAV.

Where the paper is silent: the order of the groups and of the records within them (as above, which comes close to its
figures); ties are resolved in favor of the lowest record or group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from numpy.typing import ArrayLike

from shoal import kernels
from shoal.errors import PolicyError
from shoal.kernels import Ints, Matrix
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition

Path = Literal["mdav", "npn"]


def mhm(X: ArrayLike, k: int, *, path: Path = "mdav") -> Partition:
    """Groups of ``k`` to 2k - 1 records that are consecutive on a path."""
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


def _through_groups(X: Matrix, groups: Partition, start: int) -> Ints:
    order = kernels.nearest_next_path(groups.centroids(X), int(groups.labels[start]))  # (n_groups,)
    walk: Ints = kernels.path_through_groups(X, groups.labels, order, X[start])  # (n,)
    return walk


@dataclass(frozen=True)
class Mhm(MicroaggregationMethod):
    """MHM as the method of a policy.

    path  the path that is cut: through the groups of MDAV, or from every record to the nearest unvisited one
    """

    path: Path = "mdav"
    name: Literal["mhm"] = "mhm"

    def plan(self, X: Matrix, k: int, seed: int) -> Partition:
        return mhm(X, k, path=self.path)
