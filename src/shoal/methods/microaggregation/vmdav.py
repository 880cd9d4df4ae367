"""Microaggregation by V-MDAV: groups of k to 2k - 1 records, formed from the outside in, sizes adapted to the data.

arrays of one block -> VmdavPartition(Partition)

Solanas & Martinez-Balleste (2006), "V-MDAV: a multivariate microaggregation with variable group size", COMPSTAT.

While k or more records remain: the one farthest from the centroid of the table and its k - 1 nearest are a group.
It is extended, up to 2k - 1 records, while e, the remaining record nearest to a member, is closer to it than ``gamma``
times its distance to the nearest other remaining record. Fewer than k records at the end join the groups closest to
them.

Where the paper is silent, or its table contradicts its text:
- the extension test uses squared distances, which reproduces its table; ``distance="euclidean"`` takes it as printed;
- the last records join the group of their nearest record, the same closeness as in the extension test (again from its
  table); ``leftovers="centroid"`` takes the nearest centroid. All refer to the groups as they were before any joined;
- when e is the only remaining record it cannot be compared with anything: the group stays as it is, e is a leftover;
- a group may end with up to 3k - 2 records; ``split=True`` splits groups of 2k or more by MDAV, which never adds loss;
- of equally distant records the lowest comes first (the paper draws one).

The farthest record is found by sorting once, as the centroid never changes. Everything else is nearest-neighbor search
among the remaining records, by a k-d tree where a probe finds it cheaper than a scan; the groups are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.errors import PolicyError
from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation.gamma_search import GammaSearch, VmdavPartition
from shoal.methods.microaggregation.in_blocks import in_blocks
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition

Distance = Literal["squared", "euclidean"]
Leftovers = Literal["record", "centroid"]
Search = Literal["automatic", "scan", "tree"]

WORK_PER_STEP = 50_000_000  # coordinates that a scan would read between two returns to Python


def vmdav(
    X: ArrayLike,
    k: int,
    *,
    gamma: float | Literal["auto"] = 0.2,
    distance: Distance = "squared",
    leftovers: Leftovers = "record",
    split: bool = False,
    blocks: Partition | None = None,
    search: Search = "automatic",
) -> Partition:
    """Groups of ``k`` records or more. With ``gamma`` 0 groups are never extended; "auto" takes the best of 41 values
    from 0 to 2, or MDAV where that loses less.

    With ``blocks`` every block is grouped separately. ``search`` is how neighbors are found and changes no group.
    """
    rules = VmdavRules(distance, leftovers, split, search)
    if blocks is not None:
        return in_blocks(X, blocks, lambda records: rules.group(records, k, gamma))
    return rules.group(kernels.as_matrix(X), k, gamma)


@dataclass(frozen=True)
class VmdavRules:
    """The options of V-MDAV where the paper leaves a choice."""

    distance: Distance
    leftovers: Leftovers
    split: bool
    search_by: Search = "automatic"

    def __post_init__(self) -> None:
        choices = (("distance", self.distance, Distance), ("leftovers", self.leftovers, Leftovers))
        for name, chosen, known in (*choices, ("search", self.search_by, Search)):
            if chosen not in get_args(known):
                raise PolicyError.unknown_choice(f"vmdav.{name}", chosen, get_args(known))

    def group(self, X: Matrix, k: int, gamma: float | Literal["auto"]) -> VmdavPartition:
        k = kernels.check_k(k, len(X))
        if gamma == "auto":
            return self.search(X, k).best()
        if not 0 <= gamma < float("inf"):
            raise PolicyError.too_small("vmdav.gamma", 0, gamma, "it is a finite factor applied to a distance")
        return VmdavPartition(self._join(X, k, form_groups(X, k, self._gain(gamma), self.search_by)).labels, gamma)

    def search(self, X: Matrix, k: int) -> GammaSearch:
        """Runs with many gammas on the same records."""
        return GammaSearch(X, k, self._gain, lambda labels: self._join(X, k, labels), self.split)

    def _gain(self, gamma: float) -> float:
        """The factor on squared distances."""
        return gamma if self.distance == "squared" else gamma * gamma

    def _join(self, X: Matrix, k: int, labels: Labels) -> Partition:
        """The partition where the last records, -1, are in a group, too."""
        n_groups = int(labels.max()) + 1
        if self.leftovers == "record":
            labels = kernels.join_nearest_record(X, labels)
        else:
            labels = kernels.join_nearest_centroid(X, labels, n_groups)
        if self.split:
            labels = kernels.split_large(X, labels, n_groups, k)
        return Partition(labels)


def form_groups(X: Matrix, k: int, gain: float, search: Search) -> Labels:
    """The main loop: the group of every record, -1 for the last few."""
    state = kernels.Vmdav(X, k, gain, kernels.NeighborSearch[search])
    groups_per_step = max(1, WORK_PER_STEP // (X.size * k))
    with progress.stage("grouping records", len(X)) as at:
        while (n_left := state.step(groups_per_step)) >= k:
            at(len(X) - n_left)
        at(len(X))
    labels: Labels = state.labels()  # (n,)
    return labels


@dataclass(frozen=True)
class VMdav(MicroaggregationMethod):
    """V-MDAV as the method of a policy.

    gamma      how readily groups are extended; 0: never, "auto": the best of 41 values from 0 to 2, or MDAV
    distance   distances that the extension test compares: squared, as in the paper's table, or as printed in its text
    leftovers  the last records join the group of their nearest record, or that of the nearest centroid
    split      groups of 2k records or more are split
    """

    gamma: float | Literal["auto"] = 0.2
    distance: Distance = "squared"
    leftovers: Leftovers = "record"
    split: bool = False
    name: Literal["vmdav"] = "vmdav"

    @property
    def variable_groups(self) -> VMdav:
        return self

    @property
    def chooses_gamma(self) -> bool:
        return self.gamma == "auto"

    def plan(self, X: Matrix, k: int, seed: int) -> VmdavPartition:
        return VmdavRules(self.distance, self.leftovers, self.split).group(kernels.as_matrix(X), k, self.gamma)
