"""The optimum by exhaustive recursion over all boxes that cuts can reach: slow, simple, independent of the search.

    OPT(box) = min(loss of the box as one block, min over its splits of the sum of OPT over their parts)

It shares with the search only the coding of the columns and the widths of their parts. No box is shrunk, no bound is
used, and blocks are checked by the requirements themselves. For small problems only: it counts its work, and gives up
after a fixed amount, at the same point on every machine. Boxes waiting for the boxes within them are kept on an
explicit stack, as deep as cuts can go.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from shoal import progress
from shoal.kernels import Ints, Labels, Vector
from shoal.losses import AnyLoss, UserLoss
from shoal.methods.generalization.attribute import SplitRule
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.user_calls import BlockRows

Span = tuple[int, int, int]  # first code, end, node of the attribute
Box = tuple[Span, ...]
Filled = tuple[Box, Ints]  # a box and its rows
Waiting = Generator[Filled, Any, float]  # requests the optima of boxes, returns that of its own

MOST_WORK = 4_000_000_000
SPLIT_WORK = 10_000  # cost of trying a split, in cells, in addition to the cells it reads


class TooLargeError(Exception):
    """The problem exceeds the permitted work."""


@dataclass
class Work:
    """Work in cells read: the limit, and the amount so far."""

    most: int = MOST_WORK
    done: int = 0

    def split(self, n_cells: int) -> None:
        self.done += SPLIT_WORK + n_cells
        if self.done > self.most:
            raise TooLargeError


def optimum(
    coded: CodedCounts,
    loss: AnyLoss,
    classes: Labels | None,
    empty_blocks: bool,
    most_boxes: int = 100_000,
    work: Work | None = None,
    suppressed: float | None = None,
) -> float:
    """The least possible loss. ``classes``: (n_rows,) the class of every row, for the loss "classification".

    ``suppressed``: what a suppressed record costs, where blocks that fail may be suppressed.
    """
    whole = tuple((0, attribute.domain.n_codes, 0) for attribute in coded.attributes)
    with progress.stage("verifying the bound", most_boxes) as at:
        search = _Exhaustive(coded, loss, classes, empty_blocks, most_boxes, work or Work(), at, suppressed)
        return search.best((whole, np.arange(coded.n.size)))


@dataclass
class _Exhaustive:
    coded: CodedCounts
    loss: AnyLoss
    classes: Labels | None
    empty_blocks: bool
    most_boxes: int
    work: Work
    at: progress.Advance  # receives the number of boxes met, each of which is examined once
    suppressed: float | None
    known: dict[Box, float] = field(default_factory=dict)

    def best(self, whole: Filled) -> float:
        """The optimum of a box that satisfies the requirements."""
        stack: list[Waiting] = [self._solve(*whole)]
        answer: float | None = None
        while stack:
            try:
                asked = stack[-1].send(answer)
            except StopIteration as end:
                stack.pop()
                answer = end.value
            else:
                answer = self.known.get(asked[0])
                if answer is None:
                    stack.append(self._solve(*asked))
        return self.known[whole[0]]

    def _solve(self, box: Box, rows: Ints) -> Waiting:
        if len(self.known) >= self.most_boxes:
            raise TooLargeError
        self.known[box] = least = self._cost_as_block(box, rows)
        self.at(len(self.known))
        for column, parts in self._splits(box):
            filled = self._filled(box, rows, column, parts)
            if filled:
                costs = []
                for one in filled:
                    costs.append((yield one))
                least = min(least, sum(costs))
        self.known[box] = least
        return least

    def _filled(self, box: Box, rows: Ints, column: int, parts: list[Span]) -> list[Filled]:
        """The parts with their rows; none if one fails: requirements are monotone, so each of its cuts would fail.
        A part that may be suppressed fails by its length alone."""
        self.work.split(len(parts) * (rows.size + self._n_values))
        codes = self.coded.codes[rows, column]
        inside = [rows[(codes >= start) & (codes < stop)] for start, stop, _ in parts]
        boxes = [(*box[:column], part, *box[column + 1 :]) for part in parts]
        filled = [(one, members) for one, members in zip(boxes, inside, strict=True) if members.size]
        if len(filled) < len(parts) and not self.empty_blocks:
            return []
        required = self.coded if self.suppressed is None else self._lengths_only
        return filled if all(_holds(required, *one) for one in filled) else []

    @cached_property
    def _n_values(self) -> int:
        """Number of sensitive values read when a part is checked."""
        return sum(sensitive.whole.size for sensitive in self.coded.sensitive.values())

    def _splits(self, box: Box) -> Iterator[tuple[int, list[Span]]]:
        for column, (start, stop, at) in enumerate(box):
            node = self.coded.attributes[column].nodes[at]
            if node.rule == SplitRule.LINE:
                for cut in range(start + 1, stop):
                    yield column, [(start, cut, at), (cut, stop, at)]
            elif node.rule == SplitRule.ALL:
                below = range(node.first_child, node.first_child + node.n_children)
                nodes = self.coded.attributes[column].nodes
                yield column, [(nodes[child].start, nodes[child].stop, child) for child in below]

    @cached_property
    def _lengths_only(self) -> CodedCounts:
        lengths = tuple(wanted for wanted in self.coded.requirements if wanted.reads == "extents")
        return replace(self.coded, requirements=lengths)

    def _cost_as_block(self, box: Box, rows: Ints) -> float:
        if self.suppressed is None or _holds(self.coded, box, rows):
            return self._loss(box, rows)
        return float(self.coded.n[rows].sum() * self.suppressed)

    @cached_property
    def _blocks(self) -> BlockRows:
        n_classes = 0 if self.classes is None else int(self.classes.max()) + 1
        return BlockRows(self.coded.attributes, n_classes, self.coded.n_records, self.coded.weights)

    def _user_loss(self, loss: UserLoss, box: Box, rows: Ints, n: int) -> float:
        of_classes = [] if self.classes is None else self._class_counts(self.classes, rows).tolist()
        numbers = [n, *of_classes, *(number for span in box for number in span)]
        return float(loss.of_blocks(self._blocks.measures(np.array([numbers])))[0])

    def _class_counts(self, classes: Labels, rows: Ints) -> Ints:
        n = np.bincount(classes[rows], weights=self.coded.n[rows], minlength=self._blocks.n_classes)
        return n.astype(np.int64)

    def _loss(self, box: Box, rows: Ints) -> float:
        n = int(self.coded.n[rows].sum())
        if isinstance(self.loss, UserLoss):
            return self._user_loss(self.loss, box, rows, n)
        if self.loss == "discernibility":
            return float(n**2)
        if self.loss == "classification" and self.classes is not None:
            return float(n - self._class_counts(self.classes, rows).max())
        if self.loss == "volume":
            return float(n * prod(stop - start for start, stop, _ in box))
        widths = (
            attribute.weight * attribute.widths(*(np.array([number]) for number in span)).item()
            for attribute, span in zip(self.coded.attributes, box, strict=True)
        )
        return n * sum(widths)


def _holds(coded: CodedCounts, box: Box, rows: Ints) -> bool:
    totals = np.array([coded.n[rows].sum()])

    def lengths(column: int) -> Vector:
        start, stop, node = (np.array([number]) for number in box[column])
        return coded.attributes[column].lengths(start, stop, node)

    return bool(coded.holds(rows, np.zeros(rows.size, dtype=np.int64), totals, lengths).all())
