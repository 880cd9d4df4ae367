"""Any method inside of every block, blocks side by side on threads.

arrays of all blocks, a partition into blocks, a method -> Partition
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from shoal import progress
from shoal.kernels import Labels, Matrix
from shoal.kernels.crew import Tell, n_threads, run
from shoal.plan import Partition

Group = Callable[[Matrix], Partition]  # the records of one block, in the order of the table -> their groups


def in_blocks(X: ArrayLike, blocks: Partition, group: Group, *, threads: int | None = None) -> Partition:
    """The groups of all blocks, numbered block by block. No group reaches over the border of a block."""
    records = blocks.records(X)
    order = np.argsort(blocks.labels, kind="stable")  # (n_records,) block by block
    members = np.split(order, np.cumsum(blocks.sizes)[:-1])

    def job(of_block: Labels) -> Callable[[Tell], Partition]:
        def grouped(tell: Tell) -> Partition:
            partition = group(np.ascontiguousarray(records[of_block]))
            tell(len(of_block))
            return partition

        return grouped

    with progress.stage("grouping records", blocks.n_records) as at:
        parts = run([job(of_block) for of_block in members], n_threads(threads), at)
    labels = np.empty(blocks.n_records, dtype=np.int64)
    n_groups = 0
    for of_block, part in zip(members, parts, strict=True):
        labels[of_block] = n_groups + part.labels
        n_groups += part.n_groups
    return Partition(labels)
