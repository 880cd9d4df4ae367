"""Microaggregation by MDAV: groups of k records, formed from the outside in.

arrays of one block -> Partition

Domingo-Ferrer & Torra (2005), doi:10.1007/s10618-005-0007-5.

While 3k or more records remain: r is the record farthest from their centroid, and r with its k - 1 nearest records is
a group; s is the remaining record farthest from r, and s with its k - 1 nearest records is another. Of 2k to 3k - 1
remaining records one more group is formed, and the rest is the last group. So all groups but one have k records.

We depart from the paper in two places, both about ties: of equally distant records the lowest comes first, and s
is searched after the group of r has been removed. The centroid is the exact sum, rounded once, divided by the number of
records, so that the order of the records affects nothing but ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.methods.microaggregation.in_blocks import group_blocks
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition

WORK_PER_STEP = 50_000_000  # coordinates read between two returns to Python: some 50 ms


def mdav(
    X: ArrayLike,
    k: int,
    *,
    members: ArrayLike | None = None,
    blocks: Partition | None = None,
    search: Literal["automatic", "scan", "tree"] = "automatic",
) -> Partition:
    """Groups of exactly ``k`` records, the last one of up to 2k - 1.

    With ``members`` the rows of ``X`` are units of that many records, such as households: no unit is split, and a group
    takes the nearest units until it has k records. With ``blocks`` every block is grouped separately, in parallel on
    threads. ``search`` is how neighbors are found, by a full scan or in a tree; it affects the time, not the groups.
    """
    units = kernels.as_matrix(X) if blocks is None else blocks.records(X)
    counts = kernels.as_members(members, len(units))
    if blocks is not None:

        def grouped(inside: kernels.Ints) -> Partition:
            of_units = None if members is None else counts[inside]
            return mdav(units.take(inside, axis=0), k, members=of_units, search=search)

        return group_blocks(blocks, grouped)
    state = kernels.Mdav(units, counts, kernels.check_k(k, int(counts.sum())), kernels.NeighborSearch[search])
    n, d = units.shape
    groups_per_step = max(1, WORK_PER_STEP // (n * d))
    with progress.stage("grouping records", n) as at:
        while n_left := state.step(groups_per_step):
            at(n - n_left)
        at(n)
    return Partition(state.labels())


@dataclass(frozen=True)
class Mdav(MicroaggregationMethod):
    """MDAV as the method of a policy."""

    name: Literal["mdav"] = "mdav"
    most_undivided: ClassVar[int] = 1_000_000
    repairs_borders: ClassVar[bool] = True

    def plan(self, X: kernels.Matrix, k: int, seed: int) -> Partition:
        return mdav(X, k)
