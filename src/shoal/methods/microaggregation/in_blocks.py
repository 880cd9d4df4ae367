"""Any grouping method applied to every block separately, blocks in parallel on threads.

arrays of all blocks, a partition into blocks, a method -> Partition
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.kernels import Ints, Matrix
from shoal.kernels.thread_pool import Report, n_threads, run
from shoal.plan import Partition

Group = Callable[[Matrix], Partition]  # the records of one block, in table order -> their groups
GroupMembers = Callable[[Ints], Partition]  # the same, given the record numbers

RECORDS_PER_JOB = 20_000  # small blocks are passed to a thread many at a time


def in_blocks(X: ArrayLike, blocks: Partition, group: Group, *, threads: int | None = None) -> Partition:
    """The groups of all blocks, numbered block by block. No group contains records of two blocks."""
    records = blocks.records(X)
    return group_blocks(blocks, lambda members: group(records.take(members, axis=0)), threads=threads)


def group_blocks(blocks: Partition, group: GroupMembers, *, threads: int | None = None) -> Partition:
    """The same for a method that is given the numbers of the records of a block."""
    order = kernels.order_by_label(blocks.labels, blocks.n_groups)  # (n_records,) sorted by block
    members = np.split(order, np.cumsum(blocks.sizes)[:-1])

    def grouped(job: Sequence[Ints], report: Report) -> list[Partition]:
        parts = []
        for of_block in job:
            parts.append(group(of_block))
            report(len(of_block))
        return parts

    with progress.stage("grouping records", blocks.n_records) as at:
        done = run([partial(grouped, job) for job in _jobs(members)], n_threads(threads), at)
    labels = np.empty(blocks.n_records, dtype=np.int64)
    n_groups = 0
    for of_block, part in zip(members, (part for parts in done for part in parts), strict=True):
        labels[of_block] = n_groups + part.labels
        n_groups += part.n_groups
    return Partition(labels)


def _jobs(members: Sequence[Ints]) -> list[list[Ints]]:
    """Consecutive blocks, at least ``RECORDS_PER_JOB`` records per job except the last."""
    jobs: list[list[Ints]] = [[]]
    n_records = 0
    for of_block in members:
        if n_records >= RECORDS_PER_JOB:
            jobs.append([])
            n_records = 0
        jobs[-1].append(of_block)
        n_records += len(of_block)
    return jobs
