"""A partition as the only tree of its splits that is in sequence.

A tree is written as its nodes in preorder, the split of each or LEAF, up to the last split: all further nodes are
leaves. Splits are added after the last one only, so this is also the order in which they were made: the timestamps of
the paper's Constraint 1 ascend. What comes before can no longer change, which makes bounds local.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shoal.methods.generalization.enumeration.box_space import BoxSpace

LEAF = -1
Tree = tuple[int, ...]


class PartitionNode(NamedTuple):
    """A node. ``parent``: its position in preorder, -1 for the root; ``column``: that on which the parent was split."""

    box: int
    split: int
    parent: int
    column: int


def nodes_of(tree: Tree, space: BoxSpace) -> Iterator[PartitionNode]:
    """All nodes in preorder, including the leaves at the end."""
    waiting = [(0, -1, -1)]
    splits = iter(tree)
    place = 0
    while waiting:
        box, parent, column = waiting.pop()
        split = next(splits, LEAF)
        yield PartitionNode(box, split, parent, column)
        if split != LEAF:
            on = space.splits.splits[split].column
            waiting += [(part, place, on) for part in reversed(space.children(box, split))]
        place += 1


def without_last_split(tree: Tree) -> Tree:
    """The parent of a partition in the enumeration tree."""
    end = len(tree) - 1
    while end and tree[end - 1] == LEAF:
        end -= 1
    return tree[:end]
