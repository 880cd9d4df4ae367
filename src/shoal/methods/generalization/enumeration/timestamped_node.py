"""A partition tree as drawn in the paper: binary, with id, timestamp and available splits of every node.

Hore et al. (Section 4.1): the siblings of a taxonomy node are introduced at once, the rightmost position first, each
below the left side of the one before: a left-deep subtree, with consecutive ids and timestamps. So preorder traversal
lists the timestamps in increasing order, and later splits of the parts are not mistaken for late ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.enumeration import splits_in
from shoal.methods.generalization.enumeration.partition_tree import LEAF, Tree, nodes_of


@dataclass(frozen=True)
class TimestampedNode:
    """A node. ``available``: ids of the splits that divide its subspace; a leaf has no split."""

    available: tuple[int, ...]
    split: int | None = None
    timestamp: int | None = None
    left: TimestampedNode | None = None
    right: TimestampedNode | None = None

    @classmethod
    def of(cls, tree: Tree, space: BoxSpace) -> TimestampedNode:
        nodes = ((node.box, node.split) for node in nodes_of(tree, space))
        return _subtree(nodes, space, count(1))

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def to_dict(self) -> dict[str, Any]:
        if self.left is None or self.right is None:
            return {"available": list(self.available)}
        own = {"split": self.split, "timestamp": self.timestamp, "available": list(self.available)}
        return {**own, "left": self.left.to_dict(), "right": self.right.to_dict()}

    def preorder(self) -> Iterator[TimestampedNode]:
        yield self
        for side in (self.left, self.right):
            if side is not None:
                yield from side.preorder()

    def _lines(self) -> Iterator[str]:
        if self.left is None or self.right is None:
            yield f"leaf {{{', '.join(map(str, self.available))}}}"
            return
        yield f"({self.split})[{self.timestamp}]"
        for side in (self.left, self.right):
            yield from (f"  {line}" for line in side._lines())


def _subtree(nodes: Iterator[tuple[int, int]], space: BoxSpace, clock: Iterator[int]) -> TimestampedNode:
    box, split = next(nodes)
    available = tuple(one for at in splits_in(space.available(box)) for one in space.splits.splits[at].ids)
    if split == LEAF:
        return TimestampedNode(available)
    ids = space.splits.splits[split].ids
    stamped = [(one, next(clock)) for one in ids]
    parts = [_subtree(nodes, space, clock) for _ in range(len(ids) + 1)]
    return _left_deep(available, stamped, parts)


def _left_deep(
    available: tuple[int, ...], stamped: list[tuple[int, int]], parts: list[TimestampedNode]
) -> TimestampedNode:
    """The first position cuts off the last part; the other positions divide the rest."""
    (split, timestamp), *later = stamped
    rest = tuple(one for one in available if one != split)
    left = _left_deep(rest, later, parts[:-1]) if later else parts[0]
    return TimestampedNode(available, split, timestamp, left, parts[-1])
