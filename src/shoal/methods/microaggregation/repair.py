"""Repair across the borders of blocks: groups of neighboring blocks exchange records.

arrays of all records, Partition -> Partition

Blocking separates records that belong together. Here whole groups are assigned to other blocks by their centroids,
under a rule whose borders are elsewhere (blocking/shifted_tree.py), and within each block the groups are improved by
the descent of refine.py: records join and swap with nearby groups as long as the loss decreases. So no group ever
crosses a border, an engine can do it as a second round over blocks, and the loss never increases.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.shifted_tree import shifted_blocks
from shoal.errors import ArrayError
from shoal.kernels import Ints, Labels, Matrix
from shoal.methods.microaggregation.in_blocks import group_blocks
from shoal.methods.microaggregation.refine import refine
from shoal.plan import Partition

PROPOSALS_PER_RECORD = 30  # the same as in the first descent of a large table


def repair(
    X: ArrayLike,
    partition: Partition,
    k: int,
    *,
    limit: int = 4000,
    passes: int = 1,
    seed: int = 0,
    threads: int | None = None,
) -> Partition:
    """The partition after ``passes`` rounds in blocks of about ``limit`` records, each round with different borders."""
    records = partition.records(X)
    k, seed = kernels.check_k(k, len(records)), kernels.check_seed(seed)
    if passes < 1:
        raise ArrayError.too_small("passes", 1, passes)
    for number in range(passes):
        partition = _repair_pass(records, partition, k, limit, number, seed, threads)
    return partition


def _repair_pass(
    records: Matrix, partition: Partition, k: int, limit: int, number: int, seed: int, threads: int | None
) -> Partition:
    of_groups = shifted_blocks(partition.centroids(records), limit // k, number)
    blocks = Partition(of_groups.labels[partition.labels])

    def descended(members: Ints) -> Partition:
        seeds = np.random.SeedSequence(seed, spawn_key=(number, int(blocks.labels[members[0]])))
        return descend(records.take(members, axis=0), partition.labels[members], k, int(seeds.generate_state(1)[0]))

    return group_blocks(blocks, descended, threads=threads)


def descend(records: Matrix, labels: Labels, k: int, seed: int) -> Partition:
    """The groups of one block, with arbitrary labels, after a descent."""
    groups = Partition(np.unique(labels, return_inverse=True)[1])
    return refine(records, groups, k, proposals=[PROPOSALS_PER_RECORD * len(records)], seed=seed, threads=1)
