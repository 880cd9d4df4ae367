"""The partition enumeration tree: every hierarchical partition of a space, each exactly once.

SplitSet -> trees of all partitions

Hore et al. (Fig. 8 and 12): the children of a partition are those with one more split, of a leaf behind the last split
made and in sequence. Splits of a taxonomy node into all of its children count as one here, so that no partition is met
half divided.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.methods.generalization.gensearch.legality import Sequence
from shoal.methods.generalization.gensearch.partition_tree import Tree, continued, leaves_of
from shoal.methods.generalization.gensearch.space import Space
from shoal.methods.generalization.gensearch.split_set import SplitSet


def partitions(splits: SplitSet) -> Iterator[Tree]:
    """The trees of all partitions, parents before children."""
    space, sequence = Space(splits), Sequence.of(splits)
    waiting: list[Tree] = [()]
    while waiting:
        tree = waiting.pop()
        yield tree
        waiting += reversed(children_of(tree, space, sequence))


def children_of(tree: Tree, space: Space, sequence: Sequence) -> list[Tree]:
    """In the order of leaves, then of splits."""
    found = []
    for at, (box, forbidden) in enumerate(leaves_of(tree, space, sequence).open):
        legal = space.available(box) & ~forbidden
        found += [continued(tree, at, split) for split in members(legal)]
    return found


def members(splits: int) -> Iterator[int]:
    """Of a set, in their order."""
    while splits:
        lowest = splits & -splits
        yield lowest.bit_length() - 1
        splits ^= lowest
