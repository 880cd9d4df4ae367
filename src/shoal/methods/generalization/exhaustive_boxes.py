"""The optimum by plain recursion over all boxes that cuts can reach: slow, obvious, and apart from the search. What
the two share: how columns are coded, and how wide their parts are.

    OPT(box) = min(loss of the box as one block, min over its splits of the sum of OPT over their parts)

No box is shrunk, no bound is used, and blocks are judged by the requirements themselves. For small problems only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

import numpy as np

from shoal import progress
from shoal.kernels import Labels, Vector
from shoal.losses import LossName
from shoal.methods.generalization.attribute import Rule
from shoal.methods.generalization.coded import Coded

Span = tuple[int, int, int]  # first code, end, node of the attribute
Box = tuple[Span, ...]


class TooManyBoxesError(Exception):
    """There are more boxes than were allowed."""


def optimum(
    coded: Coded, loss: LossName, classes: Labels | None, empty_blocks: bool, most_boxes: int = 100_000
) -> float:
    """``classes``: (n_rows,) of the rows, for the loss classification."""
    whole = tuple((0, attribute.domain.n_codes, 0) for attribute in coded.attributes)
    with progress.stage("proving the bound anew", most_boxes) as at:
        return _Exhaustive(coded, loss, classes, empty_blocks, most_boxes, at).best(whole, np.arange(coded.n.size))


@dataclass
class _Exhaustive:
    coded: Coded
    loss: LossName
    classes: Labels | None
    empty_blocks: bool
    most_boxes: int
    at: progress.Advance  # told how many boxes were met, each of which is looked into once
    known: dict[Box, float] = field(default_factory=dict)

    def best(self, box: Box, rows: Labels) -> float:
        """Of a box that holds what is asked."""
        if box in self.known:
            return self.known[box]
        if len(self.known) >= self.most_boxes:
            raise TooManyBoxesError
        self.known[box] = least = self._loss(box, rows)
        self.at(len(self.known))
        for column, parts in self._splits(box):
            least = min(least, self._sum(box, rows, column, parts))
        self.known[box] = least
        return least

    def _sum(self, box: Box, rows: Labels, column: int, parts: list[Span]) -> float:
        """Infinite where a part does not hold; all requirements are monotone, so no cut of it would."""
        codes = self.coded.codes[rows, column]
        inside = [rows[(codes >= start) & (codes < stop)] for start, stop, _ in parts]
        boxes = [(*box[:column], part, *box[column + 1 :]) for part in parts]
        filled = [(one, members) for one, members in zip(boxes, inside, strict=True) if members.size]
        if (len(filled) < len(parts) and not self.empty_blocks) or not all(self._holds(*one) for one in filled):
            return float("inf")
        return sum(self.best(*one) for one in filled)

    def _splits(self, box: Box) -> list[tuple[int, list[Span]]]:
        found: list[tuple[int, list[Span]]] = []
        for column, (start, stop, at) in enumerate(box):
            node = self.coded.attributes[column].nodes[at]
            if node.rule == Rule.LINE:
                found += [(column, [(start, cut, at), (cut, stop, at)]) for cut in range(start + 1, stop)]
            elif node.rule == Rule.ALL:
                below = range(node.first_child, node.first_child + node.n_children)
                nodes = self.coded.attributes[column].nodes
                found.append((column, [(nodes[child].start, nodes[child].stop, child) for child in below]))
        return found

    def _holds(self, box: Box, rows: Labels) -> bool:
        totals = np.array([self.coded.n[rows].sum()])

        def lengths(column: int) -> Vector:
            start, stop, node = (np.array([number]) for number in box[column])
            return self.coded.attributes[column].lengths(start, stop, node)

        return bool(self.coded.holds(rows, np.zeros(rows.size, dtype=np.int64), totals, lengths).all())

    def _loss(self, box: Box, rows: Labels) -> float:
        n = int(self.coded.n[rows].sum())
        if self.loss == "discernibility":
            return float(n**2)
        if self.loss == "classification" and self.classes is not None:
            return float(n - np.bincount(self.classes[rows], weights=self.coded.n[rows]).max())
        if self.loss == "volume":
            return float(n * prod(stop - start for start, stop, _ in box))
        widths = (
            attribute.widths(*(np.array([number]) for number in span)).item()
            for attribute, span in zip(self.coded.attributes, box, strict=True)
        )
        return n * sum(widths)
