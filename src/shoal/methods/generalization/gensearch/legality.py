"""Which splits a leaf may take: Detect-legal-split and Is-split-a-cut, for all splits of a leaf at once.

Hore et al. (Fig. 6 and 7). A split is a cut of a subspace if it runs through all of it, and it is out of sequence if it
is a cut of the subspace of an ancestor whose own split comes later in the order. One partition has many trees; in
exactly one of them no split is out of sequence.

The paper asks this of one split and walks the tree. Here sets of splits go down and up the tree:

    cuts of a leaf         none
    cuts of a node         its split; what cuts all of its children; on the line of its split, what cuts any of them
    forbidden at a child   what would thereby become a cut of the node, and comes before its split or is forbidden there

We depart from the print where it errs: a leaf is no cut; the question is about the tree with the new split; and a
split before that of the ancestor is out of sequence (Fig. 6), not after (Definition 7). A split of a taxonomy node cuts
only subspaces that cover this very node: it cannot come before the split of a node above.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.methods.generalization.gensearch.split_set import SplitSet

EVERYTHING = -1  # the set of all splits


@dataclass(slots=True)
class Frame:
    """A node of a partition tree whose children are visited from left to right."""

    split: int
    children: tuple[int, ...]  # boxes
    forbidden: int  # what must not become a cut of the node
    visited: int = 0
    in_all: int = EVERYTHING  # cuts of every child visited
    in_any: int = 0


@dataclass(frozen=True)
class Sequence:
    """The order of splits as sets, ready for use."""

    columns: tuple[int, ...]
    lines: tuple[int, ...]

    @classmethod
    def of(cls, splits: SplitSet) -> Sequence:
        return cls(splits.of_column, splits.of_line)

    def forbidden(self, frame: Frame) -> int:
        """At the next child of a node, the later ones being leaves."""
        is_last = frame.visited == len(frame.children) - 1
        completed = frame.in_all & ~self.columns[frame.split] if is_last else 0
        before = (1 << frame.split) - 1
        return (completed | self.lines[frame.split]) & (before | frame.forbidden)

    def cuts(self, frame: Frame) -> int:
        """Of a node, children that were not visited being leaves."""
        everywhere = frame.in_all if frame.visited == len(frame.children) else 0
        column, line = self.columns[frame.split], self.lines[frame.split]
        return 1 << frame.split | everywhere & ~column | frame.in_any & line

    @staticmethod
    def visit(frame: Frame, cuts: int) -> None:
        frame.in_all &= cuts
        frame.in_any |= cuts
        frame.visited += 1
