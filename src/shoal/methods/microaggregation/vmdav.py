"""Microaggregation by V-MDAV: groups of k to 2k - 1 records, formed from the outside in, sizes adapted to the data.

arrays of one block -> Partition

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
from shoal.methods.microaggregation.in_blocks import in_blocks
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition

Distance = Literal["squared", "euclidean"]
Leftovers = Literal["record", "centroid"]
Search = Literal["automatic", "scan", "tree"]

GAMMAS = (0.0, 0.2, 0.4, 1.1, 2.0)  # the values that gamma="auto" and the diagnosis try
GAMMA_SCATTERED, GAMMA_CLUSTERED = 0.0, 1.1  # the values whose losses distinguish scattered from clustered data
CLUSTERED_RATIO = 0.9  # of the loss: a reduction by a tenth is not due to a few groups

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
    """Groups of ``k`` records or more. With ``gamma`` 0 groups are never extended; "auto" takes the best of a few runs.

    With ``blocks`` every block is grouped separately. ``search`` is how neighbors are found and changes no group.
    """
    rules = _Rules(distance, leftovers, split, search)
    if blocks is not None:
        return in_blocks(X, blocks, lambda records: rules.group(records, k, gamma))
    return rules.group(kernels.as_matrix(X), k, gamma)


@dataclass(frozen=True)
class Diagnosis:
    """Whether the records form natural clusters at this ``k``; the answer depends on k as much as on the records."""

    k: int
    gammas: tuple[float, ...]
    losses: tuple[float, ...]  # information loss in percent, one for every gamma

    @property
    def best_gamma(self) -> float:
        return self.gammas[self.losses.index(min(self.losses))]

    @property
    def is_clustered(self) -> bool:
        """Whether readily extended groups (gamma 1.1) lose at least a tenth less than groups of k."""
        loss = dict(zip(self.gammas, self.losses, strict=True))
        return loss[GAMMA_CLUSTERED] < CLUSTERED_RATIO * loss[GAMMA_SCATTERED]


def vmdav_diagnosis(
    X: ArrayLike, k: int, *, distance: Distance = "squared", leftovers: Leftovers = "record", split: bool = False
) -> Diagnosis:
    """The loss for a few values of gamma, the best of them, and whether the data are clustered."""
    records = kernels.as_matrix(X)
    k = kernels.check_k(k, len(records))
    rules = _Rules(distance, leftovers, split)
    losses = (rules.apply(records, k, gamma).information_loss(records) for gamma in GAMMAS)
    return Diagnosis(k, GAMMAS, tuple(losses))


@dataclass(frozen=True)
class _Rules:
    """The options of V-MDAV where the paper leaves a choice."""

    distance: Distance
    leftovers: Leftovers
    split: bool
    search: Search = "automatic"

    def __post_init__(self) -> None:
        for name, known in (("distance", Distance), ("leftovers", Leftovers), ("search", Search)):
            if getattr(self, name) not in get_args(known):
                raise PolicyError.unknown_choice(f"vmdav.{name}", getattr(self, name), get_args(known))

    def group(self, X: Matrix, k: int, gamma: float | Literal["auto"]) -> Partition:
        k = kernels.check_k(k, len(X))
        if gamma == "auto":
            return min((self.apply(X, k, each) for each in GAMMAS), key=lambda found: found.sse(X))
        return self.apply(X, k, gamma)

    def apply(self, X: Matrix, k: int, gamma: float) -> Partition:
        if not 0 <= gamma < float("inf"):
            raise PolicyError.too_small("vmdav.gamma", 0, gamma, "it is a finite factor applied to a distance")
        gain = gamma if self.distance == "squared" else gamma * gamma
        labels = form_groups(X, k, gain, self.search)
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

    gamma      how readily groups are extended; 0: never, "auto": the best of a few values
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

    def plan(self, X: Matrix, k: int, seed: int) -> Partition:
        return vmdav(X, k, gamma=self.gamma, distance=self.distance, leftovers=self.leftovers, split=self.split)
