"""Univariate blocking: equal intervals of the range of one column, or runs of the records sorted by it.

arrays of all records -> Blocks

Both are the baselines for the 2^d-tree in Solanas, Martinez-Balleste, Domingo-Ferrer & Mateo-Sanz (2006), ARES:

    intervals   n / limit intervals of equal width, with any number of records in each (section 3, tables 3 and 4)
    runs        records sorted by the column, cut into runs of limit records (section 1; reproduces table 5)

Where the paper leaves it open: n / limit is rounded to the nearest integer; records with equal values are cut in the
order of the table; a block of fewer than k records is fused with the next one, the last with the previous one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.blocking.blocks import Blocks, check_limit
from shoal.errors import ArrayError, PolicyError
from shoal.kernels import Ints, Labels, Matrix, Vector

Form = Literal["intervals", "runs"]


@dataclass(frozen=True, eq=False)
class IntervalRule:
    """Intervals of equal width over the range of a column; a value on a border belongs to the upper interval."""

    column: int
    lower: float
    upper: float
    blocks: Labels  # (n_intervals,)

    form: ClassVar[str] = "of one column"

    def interval_of(self, X: Matrix) -> Labels:
        """(n_records,) 0 .. n_intervals - 1; values outside the range belong to the first or last interval."""
        width = self.upper - self.lower
        share = (_column(X, self.column) - self.lower) / width if width > 0 else np.zeros(len(X))
        n_intervals = len(self.blocks)
        return np.clip(np.floor(share * n_intervals), 0, n_intervals - 1).astype(np.int64)

    def block_of(self, X: Matrix) -> Labels:
        return self.blocks[self.interval_of(X)]

    @property
    def n_blocks(self) -> int:
        return int(self.blocks.max()) + 1

    def to_json(self) -> str:
        table = {"rule": "intervals", "column": self.column, "lower": self.lower, "upper": self.upper}
        return json.dumps({**table, "blocks": self.blocks.tolist()})

    @classmethod
    def from_table(cls, table: dict[str, Any]) -> IntervalRule:
        blocks = np.array(table["blocks"], dtype=np.int64)
        return cls(int(table["column"]), float(table["lower"]), float(table["upper"]), blocks)


@dataclass(frozen=True, eq=False)
class RunRule:
    """Runs of the sorted column: a run begins at a value, after a given number of records with that same value.

    Applies to a whole table only: records with equal values are distinguished by their order in it.
    """

    column: int
    first: Vector  # (n_blocks,) the first value of every run, ascending
    after: Ints  # (n_blocks,) records of this value in earlier runs

    form: ClassVar[str] = "of one column"

    def block_of(self, X: Matrix) -> Labels:
        values = _column(X, self.column)
        order = np.argsort(values, kind="stable")
        ascending = values[order]
        begin, end = (np.searchsorted(ascending, self.first, side=side) for side in ("left", "right"))
        begin = np.append(0, np.minimum(begin + self.after, end)[1:])  # the first run includes all smaller values
        labels = np.empty(len(values), dtype=np.int64)
        labels[order] = np.searchsorted(begin, np.arange(len(values)), side="right") - 1
        return labels

    @property
    def n_blocks(self) -> int:
        return len(self.first)

    def to_json(self) -> str:
        first, after = self.first.tolist(), self.after.tolist()
        return json.dumps({"rule": "runs", "column": self.column, "first": first, "after": after})

    @classmethod
    def from_table(cls, table: dict[str, Any]) -> RunRule:
        first, after = np.array(table["first"], dtype=np.float64), np.array(table["after"], dtype=np.int64)
        return cls(int(table["column"]), first, after)


def univariate_blocks(X: ArrayLike, k: int, *, column: int = 0, limit: int = 1000, form: Form = "intervals") -> Blocks:
    """About n / ``limit`` blocks of at least ``k`` records each, by one column."""
    records = kernels.as_matrix(X)
    k = kernels.check_k(k, len(records))
    limit = check_limit(limit, k)
    if not 0 <= column < records.shape[1]:
        raise ArrayError.bad_dimensions(records.shape[1])
    if form not in get_args(Form):
        raise PolicyError.unknown_choice("univariate_blocks.form", form, get_args(Form))
    rule = _intervals(records, column, limit, k) if form == "intervals" else _runs(records, column, limit, k)
    return Blocks(rule.block_of(records), rule)


def _intervals(X: Matrix, column: int, limit: int, k: int) -> IntervalRule:
    values = X[:, column]
    n_intervals = max(1, round(len(X) / limit))
    unfused = IntervalRule(column, float(values.min()), float(values.max()), np.arange(n_intervals))
    counts = np.bincount(unfused.interval_of(X), minlength=n_intervals)
    return IntervalRule(column, unfused.lower, unfused.upper, fuse_adjacent(counts, k))


def _runs(X: Matrix, column: int, limit: int, k: int) -> RunRule:
    ascending = np.sort(X[:, column])
    begin = np.arange(0, len(X), limit)
    if len(begin) > 1 and len(X) - begin[-1] < k:  # the last run is too short and is fused with the previous one
        begin = begin[:-1]
    first = ascending[begin]
    return RunRule(column, first, begin - np.searchsorted(ascending, first))


def fuse_adjacent(counts: Ints, k: int) -> Labels:
    """(n_intervals,) block of every interval: adjacent intervals are fused to blocks of at least ``k`` records."""
    blocks = np.empty(len(counts), dtype=np.int64)
    block, n_records = 0, 0
    for at, count in enumerate(counts.tolist()):
        blocks[at] = block
        n_records += count
        if n_records >= k:
            block, n_records = block + 1, 0
    last = max(block - 1, 0)  # the remainder belongs to the last complete block
    return np.minimum(blocks, last)


def _column(X: Matrix, column: int) -> Vector:
    records = kernels.as_matrix(X)
    if column >= records.shape[1]:
        raise ArrayError.bad_dimensions(records.shape[1])
    return records[:, column]
