"""The space of quasi-identifiers as numbered boxes, and the boxes into which splits divide a box.

SplitSet -> BoxSpace
"""

from __future__ import annotations

from math import prod

from shoal.methods.generalization.enumeration.split_set import Range, SplitSet

Box = tuple[Range, ...]  # a part of every column


class BoxSpace:
    """Box 0 is the whole space. Boxes are stored, so that a box has one number however it was reached."""

    def __init__(self, splits: SplitSet) -> None:
        self.splits = splits
        self.boxes: list[Box] = []
        self._number: dict[Box, int] = {}
        self._children: list[dict[int, tuple[int, ...]]] = []
        self._available: dict[tuple[int, Range], int] = {}
        self._number_of(tuple(splits.whole(column) for column in range(len(splits.attributes))))

    def children(self, box: int, split: int) -> tuple[int, ...]:
        """The boxes into which a split divides a box, from left to right."""
        known = self._children[box]
        if split not in known:
            known[split] = self._divided(self.boxes[box], split)
        return known[split]

    def available(self, box: int) -> int:
        """The set of splits that divide a box."""
        found = 0
        for key in enumerate(self.boxes[box]):
            if key not in self._available:
                self._available[key] = self.splits.available(*key)
            found |= self._available[key]
        return found

    def n_cells(self, box: int) -> int:
        """Number of finest cells of a box."""
        return prod(stop - start for start, stop, _ in self.boxes[box])

    def _divided(self, box: Box, split: int) -> tuple[int, ...]:
        column = self.splits.splits[split].column
        parts = self.splits.parts(split, box[column])
        return tuple(self._number_of((*box[:column], part, *box[column + 1 :])) for part in parts)

    def _number_of(self, box: Box) -> int:
        if box not in self._number:
            self._number[box] = len(self.boxes)
            self.boxes.append(box)
            self._children.append({})
        return self._number[box]
