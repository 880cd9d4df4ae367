"""Data on boxes: number of records, cost, and the splits all of whose parts satisfy the requirements.

Coded rows -> BoxTable

A box is evaluated once, however many partitions it is a block of: one pass over its cells counts every part of every
split, and all parts are checked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.enumeration.bounds import BoxCosts
from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.enumeration import splits_in
from shoal.methods.generalization.enumeration.split_set import Range
from shoal.requirements import Requirement
from shoal.requirements.groups import Groups
from shoal.requirements.judge import Key, domain_keys
from shoal.requirements.requirement import reads_numbers

EXACT = 2**53  # integers up to this are exact


@dataclass(frozen=True)
class BoxEntry:
    """A box as a block. ``choices``: its admissible splits, with the cost of the parts and a lower bound on it."""

    cost: float
    floor: float
    choices: dict[int, tuple[float, float]]


@dataclass(frozen=True)
class FinestCells:
    """The finest cells with records. ``counts``: n, MinCost, then classes, then every sensitive column."""

    codes: Ints  # (n_cells, n_columns)
    counts: Matrix  # (n_cells, n_counts)
    n_classes: int
    sensitive: dict[Key, slice]  # the columns of ``counts`` of each sensitive column

    @classmethod
    def of(cls, coded: CodedCounts, classes: Labels | None, pricing: BoxCosts) -> FinestCells:
        first_rows, cell = distinct_combinations(coded.codes.T, len(coded.codes))
        columns = [_table(cell, np.zeros_like(coded.n), coded.n, 1)]
        by_class = columns[0] if classes is None else _table(cell, classes, coded.n, int(classes.max()) + 1)
        columns += [pricing.cell_floors(columns[0][:, 0], _minority(columns[0][:, 0], by_class))[:, None], by_class]
        sensitive, first = {}, 2 + by_class.shape[1]
        for key, one in coded.sensitive.items():
            columns.append(_table(cell, one.values, coded.n, one.whole.size))
            sensitive[key] = slice(first, first := first + one.whole.size)
        codes = np.asfortranarray(coded.codes[first_rows])  # read column by column
        return cls(codes, np.hstack(columns), by_class.shape[1], sensitive)

    def inside(self, box: tuple[Range, ...]) -> Ints:
        is_inside = np.ones(len(self.codes), dtype=bool)
        for column, (start, stop, _) in enumerate(box):
            lowest, highest = self._ends[column]
            if start > lowest or stop <= highest:
                is_inside &= (self.codes[:, column] >= start) & (self.codes[:, column] < stop)
        return np.flatnonzero(is_inside)

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        """The lowest and the highest code of every column."""
        return list(zip(self.codes.min(axis=0).tolist(), self.codes.max(axis=0).tolist(), strict=True))


class BoxTable:
    """Entries of boxes, computed on first access. ``ties``: splits without gain are included, too."""

    def __init__(
        self,
        space: BoxSpace,
        coded: CodedCounts,
        classes: Labels | None,
        pricing: BoxCosts,
        *,
        empty_blocks: bool,
        ties: bool,
    ) -> None:
        self.space, self.coded, self.pricing, self.empty_blocks, self.ties = space, coded, pricing, empty_blocks, ties
        self.cells = FinestCells.of(coded, classes, pricing)
        self._entries: dict[int, BoxEntry] = {}
        if self[0].cost > EXACT:
            raise PolicyError.loss_too_large(pricing.loss)

    def __getitem__(self, box: int) -> BoxEntry:
        entry = self._entries.get(box)
        if entry is None:
            entry = self._entries[box] = self._evaluate(box)
        return entry

    def _evaluate(self, box: int) -> BoxEntry:
        inside = self.cells.inside(self.space.boxes[box])
        whole = self.cells.counts[inside].sum(axis=0, keepdims=True)
        ((cost, floor),) = self._prices(whole, [box])
        choices = {}
        if self.ties or floor < cost:  # otherwise no division gains anything
            for split, parts in self._admissible_splits(box, inside):
                choices[split] = (sum(each[0] for each in parts), sum(each[1] for each in parts))
        return BoxEntry(cost, floor, choices)

    def _admissible_splits(self, box: int, inside: Ints) -> Iterator[tuple[int, list[tuple[float, float]]]]:
        """The splits all of whose parts satisfy the requirements, with cost and lower bound of each part."""
        splits = list(splits_in(self.space.available(box)))
        if not splits:
            return
        parts = [self.space.children(box, split) for split in splits]
        flat = [part for each in parts for part in each]
        counts = self._counts(box, inside, splits)
        prices, holds = self._prices(counts, flat), self._holds(counts, flat)
        at = 0
        for split, each in zip(splits, parts, strict=True):
            if holds[at : at + len(each)].all():
                yield split, prices[at : at + len(each)]
            at += len(each)

    def _counts(self, box: int, inside: Ints, splits: list[int]) -> Matrix:
        """(n_parts, n_counts) of every part of every split."""
        found, sums = [], {}
        for split in splits:
            column = self.space.splits.splits[split].column
            start, stop, _ = part = self.space.boxes[box][column]
            if column not in sums:
                sums[column] = self._cumulative_counts(inside, column, start, stop)
            for low, high, _ in self.space.splits.parts(split, part):
                found.append(sums[column][high - start] - sums[column][low - start])
        return np.array(found)

    def _cumulative_counts(self, inside: Ints, column: int, start: int, stop: int) -> Matrix:
        """(n_codes + 1, n_counts) cumulative counts: of all cells below each code."""
        codes, counts = self.cells.codes[inside, column] - start, self.cells.counts[inside]
        each = [np.bincount(codes, weights=one, minlength=stop - start) for one in counts.T]
        return np.vstack([np.zeros(counts.shape[1]), np.cumsum(np.column_stack(each), axis=0)])

    def _prices(self, counts: Matrix, boxes: list[int]) -> list[tuple[float, float]]:
        """Cost and lower bound of every box."""
        n, classes = counts[:, 0], counts[:, 2 : 2 + self.cells.n_classes]
        n_cells = np.array([self.space.n_cells(box) for box in boxes], dtype=np.float64)
        costs = self.pricing.costs(n, _minority(n, classes), n_cells)
        floors = self.pricing.floors(n, counts[:, 1], costs)
        return list(zip(costs.tolist(), floors.tolist(), strict=True))

    def _holds(self, counts: Matrix, boxes: list[int]) -> NDArray[np.bool_]:
        """(n_boxes,) whether all requirements are satisfied; empty boxes satisfy them if empty blocks are allowed."""
        totals: Ints = counts[:, 0].astype(np.int64)
        holds = np.where(totals == 0, self.empty_blocks, totals >= self.coded.least)
        filled = np.flatnonzero(holds & (totals > 0))
        for requirement in self.coded.requirements if filled.size and not self.coded.only_sizes else ():
            for groups in self._groups(requirement, totals, counts, boxes, filled):
                holds[filled] &= requirement.holds(groups)
        return holds

    def _groups(
        self, requirement: Requirement, totals: Ints, counts: Matrix, boxes: list[int], filled: Ints
    ) -> Iterator[Groups]:
        """The boxes as input of a requirement; for a sensitive column, one for each form of it."""
        if requirement.reads == "totals" or requirement.column is None:
            yield Groups(totals[filled])
        elif reads_numbers(requirement.reads):
            raise PolicyError.not_native(requirement.name)
        elif requirement.reads == "extents":
            yield Groups(totals[filled], extents={requirement.column: self._lengths(requirement.column, boxes)[filled]})
        from scipy.sparse import csr_array

        for key in domain_keys(requirement, self.cells.sensitive):
            shown = csr_array(counts[filled][:, self.cells.sensitive[key]].astype(np.int64))
            yield Groups(totals[filled], shown, self.coded.sensitive[key].whole, self.coded.sensitive[key].tree)

    def _lengths(self, name: str, boxes: list[int]) -> Vector:
        """(n_boxes,) as ``MinimumLength`` measures them."""
        column = [attribute.domain.name for attribute in self.coded.attributes].index(name)
        parts = np.array([self.space.boxes[box][column] for box in boxes])
        return self.coded.attributes[column].lengths(*parts.T)


def _table(cell: Ints, values: Ints, n: Ints, n_values: int) -> Matrix:
    """(n_cells, n_values) number of records of every cell with every value; -1 (missing) is not counted."""
    known = values >= 0
    keys = cell[known] * n_values + values[known]
    counts = np.bincount(keys, weights=n[known], minlength=(int(cell.max()) + 1) * n_values)
    return counts.astype(np.float64).reshape(-1, n_values)


def _minority(n: Vector, classes: Matrix) -> Vector:
    most: Vector = classes.max(axis=1)
    return n - most
