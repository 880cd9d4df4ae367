"""The partition enumeration tree: every hierarchical partition of a space, each exactly once.

SplitSet -> trees of all partitions

Hore et al. (Fig. 6 to 8 and 12): the children of a partition are those with one more split, of a leaf after the last
split made, and in sequence: a split is out of sequence if it divides the whole subspace of an ancestor whose own split
comes later in the order. One partition has many trees; in exactly one of them every split is in sequence.

The paper tests one split at a time by traversing the tree; the kernel passes sets of splits down and up the tree
(split_sequence.hpp). We depart from the printed text where it is wrong: a leaf is no cut; the test is on the tree with
the new split; and a split before that of the ancestor is out of sequence (Fig. 6), not after (Definition 7). A split of
a taxonomy node yields all of its children at once, so that no partition is met half divided, and it cuts only subspaces
that cover exactly this node: it cannot come before the split of a node above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from shoal import kernels
from shoal.errors import PolicyError
from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.partition_tree import Tree
from shoal.methods.generalization.enumeration.split_set import SplitSet

Priority = Callable[[float, float, int], float]  # cost, lower bound, number of splits -> key, the least first
Choices = Mapping[int, tuple[float, float]]  # split -> cost of its parts, and lower bound on it


class Enumeration:
    """The kernel with its space: yields partitions one by one, the most promising first."""

    def __init__(
        self,
        space: BoxSpace,
        key: kernels.SearchKey = kernels.SearchKey.bound,
        own: Priority | None = None,
        approximation: float = 1.0,
        *,
        ties: bool,
    ) -> None:
        splits = space.splits
        if len(splits.splits) > kernels.MAX_SPLITS:
            raise PolicyError.too_many_splits(len(splits.splits), kernels.MAX_SPLITS)
        columns = np.array([split.column for split in splits.splits], dtype=np.int64)
        lines = np.array([s.node if splits.is_line(at) else -1 for at, s in enumerate(splits.splits)], dtype=np.int64)
        self.space = space
        self.state = kernels.PartitionSearch(
            columns=columns, lines=lines, key=key, own=own, approximation=approximation, ties=ties
        )

    def enter(self, box: int, cost: float, floor: float, choices: Choices) -> None:
        parts = [self.space.children(box, split) for split in choices]
        begin = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        flat = np.array([part for each in parts for part in each], dtype=np.int64)
        prices = np.array(list(choices.values()), dtype=np.float64).reshape(-1, 2)
        costs, floors = np.ascontiguousarray(prices.T)
        self.state.enter(
            box=box,
            cost=cost,
            floor=floor,
            splits=np.array(list(choices), dtype=np.int64),
            begin=begin,
            parts=flat,
            costs=costs,
            floors=floors,
        )


def partitions(splits: SplitSet) -> list[Tree]:
    """The trees of all partitions, parents before children: with all costs zero, all partitions are optimal."""
    space = BoxSpace(splits)
    enumeration = Enumeration(space, ties=True)

    def enter(box: int) -> None:
        enumeration.enter(box, 0.0, 0.0, dict.fromkeys(splits_in(space.available(box)), (0.0, 0.0)))

    enter(0)
    enumeration.state.start()
    while enumeration.state.n_waiting:
        for box in enumeration.state.step(1_000_000, 1 << 62):
            enter(box)
    return [tuple(tree) for tree in enumeration.state.optima]


def splits_in(splits: int) -> Iterator[int]:
    """The splits of a set, ascending."""
    while splits:
        lowest = splits & -splits
        yield lowest.bit_length() - 1
        splits ^= lowest
