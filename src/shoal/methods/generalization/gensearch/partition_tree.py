"""A partition as the one legal tree of its splits, and how it can be continued.

A tree is written as its nodes in preorder, the split of each or LEAF, up to the last split: all that follows are leaves.
Splits are added behind the last one only, so this is also the order in which they were made: the timestamps of the
paper's Constraint 1 ascend. What lies before can no longer change, which makes bounds local.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.methods.generalization.gensearch.legality import Frame, Sequence
from shoal.methods.generalization.gensearch.space import Space

LEAF = -1
Tree = tuple[int, ...]


@dataclass(frozen=True)
class Leaves:
    """``open``: box and forbidden splits of every leaf that may still be split, from left to right."""

    closed: list[int]  # boxes that remain as they are
    open: list[tuple[int, int]]


def leaves_of(tree: Tree, space: Space, sequence: Sequence) -> Leaves:
    """The blocks of a partition."""
    frames: list[Frame] = []
    closed: list[int] = []
    box, forbidden = 0, 0
    for split in tree:
        if split == LEAF:
            closed.append(box)
            _complete(frames, sequence)
        else:
            frames.append(Frame(split, space.children(box, split), forbidden))
        frame = frames[-1]
        box, forbidden = frame.children[frame.visited], sequence.forbidden(frame)
    return Leaves(closed, _open(frames, sequence) if tree else [(0, 0)])


def _complete(frames: list[Frame], sequence: Sequence) -> None:
    """A leaf was visited, and with it perhaps the last child of nodes above."""
    cuts = 0
    while True:
        sequence.visit(frames[-1], cuts)
        if frames[-1].visited < len(frames[-1].children):
            return
        cuts = sequence.cuts(frames.pop())


def _open(frames: list[Frame], sequence: Sequence) -> list[tuple[int, int]]:
    found = []
    for at in range(len(frames) - 1, -1, -1):
        frame = frames[at]
        while frame.visited < len(frame.children):
            found.append((frame.children[frame.visited], sequence.forbidden(frame)))
            sequence.visit(frame, 0)
        if at:
            sequence.visit(frames[at - 1], sequence.cuts(frame))
    return found


def continued(tree: Tree, n_skipped: int, split: int) -> Tree:
    """With a split of an open leaf; the open ones before it remain leaves."""
    return (*tree, *(LEAF,) * n_skipped, split)
