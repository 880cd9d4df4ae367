"""Whether records form natural clusters at a given k, by the loss of V-MDAV with growing groups and with groups of k.

arrays, blocks -> Diagnosis

A cluster of a few records is seen only where all of its records are: of a large table, whole blocks are drawn at
random, and of a large block, whole neighborhoods, the records nearest to some drawn at random. Groups are formed within
them, never across two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.kernels import Ints, Matrix
from shoal.methods.microaggregation.gamma_search import GAMMAS
from shoal.methods.microaggregation.vmdav import Distance, Leftovers, VmdavRules
from shoal.plan import Partition
from shoal.rng import sampled_places

GAMMA_SCATTERED, GAMMA_CLUSTERED = 0.0, 1.1  # the values whose losses distinguish scattered from clustered data
CLUSTERED_RATIO = 0.9  # of the loss: a reduction by a tenth is not due to a few groups

MOST_RECORDS = 5000  # that are grouped
NEIGHBORHOOD = 500  # records of a neighborhood, or 50 groups of k
PURPOSE = "diagnosis of clusters"


@dataclass(frozen=True)
class Diagnosis:
    """Whether the records form natural clusters at this ``k``; the answer depends on k as much as on the records."""

    k: int
    gammas: tuple[float, ...]
    losses: tuple[float, ...]  # information loss in percent, one for every gamma
    n_records: int  # that it was made from

    @property
    def best_gamma(self) -> float:
        return self.gammas[self.losses.index(min(self.losses))]

    @property
    def loss_of_groups_of_k(self) -> float:
        return self.losses[self.gammas.index(GAMMA_SCATTERED)]

    @property
    def loss_of_growing_groups(self) -> float:
        return self.losses[self.gammas.index(GAMMA_CLUSTERED)]

    @property
    def is_clustered(self) -> bool:
        """Whether readily extended groups (gamma 1.1) lose at least a tenth less than groups of k."""
        return self.loss_of_growing_groups < CLUSTERED_RATIO * self.loss_of_groups_of_k


def vmdav_diagnosis(
    X: ArrayLike,
    k: int,
    *,
    distance: Distance = "squared",
    leftovers: Leftovers = "record",
    split: bool = False,
    blocks: Partition | None = None,
) -> Diagnosis:
    """The loss for 41 values of gamma, the best of them, and whether the data are clustered.

    Computed from at most some 5,000 records. With ``blocks`` groups are formed within these, of those that have ``k``
    records or more.
    """
    records = kernels.as_matrix(X)
    k = kernels.check_k(k, len(records))
    rules = VmdavRules(distance, leftovers, split)
    parts = sampled_parts(records, k, blocks or Partition(np.zeros(len(records), dtype=np.int64)))
    errors = np.zeros(len(GAMMAS))
    for part in parts:
        errors += rules.search(np.ascontiguousarray(records[part]), k).errors()
    counted = records[np.concatenate(parts)] if parts else records[:0]
    total = Partition(np.zeros(len(counted), dtype=np.int64)).sse(counted) if parts else 0.0
    return Diagnosis(k, GAMMAS, tuple((100 * errors / (total or 1.0)).tolist()), len(counted))


def sampled_parts(records: Matrix, k: int, blocks: Partition) -> list[Ints]:
    """The records of some blocks, or of neighborhoods within them; about ``MOST_RECORDS`` in all."""
    members = np.split(np.argsort(blocks.labels, kind="stable"), np.cumsum(blocks.sizes)[:-1])
    large = [block for block in members if len(block) >= k]
    n_blocks = -(-MOST_RECORDS * len(large) // max(1, sum(map(len, large))))
    drawn = [large[at] for at in sampled_places(len(large), n_blocks, PURPOSE)]
    most = MOST_RECORDS // max(1, len(drawn))
    return [part for block in drawn for part in _neighborhoods(records, block, k, most)]


def _neighborhoods(records: Matrix, block: Ints, k: int, most: int) -> list[Ints]:
    """The block, or neighborhoods within it that together have about ``most`` records."""
    size = max(NEIGHBORHOOD, 50 * k)
    if len(block) <= max(MOST_RECORDS, size) and len(block) <= 2 * most:
        return [block]
    centers = sampled_places(len(block), max(1, most // size), PURPOSE)
    near = kernels.nearest_neighbors(np.ascontiguousarray(records[block]), centers, size)  # (n_centers, size)
    return [block[np.sort(each)] for each in near]
