"""Information loss of columns that were recoded by hand, compared with the values before recoding.

A released value of a recoded column stands for several values of the original. The loss of a record is the share of the
column that a reader of its released value must consider: 0 for a single value, 1 for the whole column. Where a later
method has replaced the value, the share reaches from the released value to the true one; of categories, which have no
distance, it is 1. A blank is 1. Without a later method this is the loss of an extent (normalized certainty penalty).

Top and bottom codes leave numbers, and their loss is that of numbers (`loss.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from shoal.assessment.utility.extent_values import ExtentColumn, certainty_penalty, to_days
from shoal.assessment.utility.loss import column_loss
from shoal.encode.codes import codes_in, to_codes
from shoal.kernels import Labels, Matrix, Vector
from shoal.plan import Extent, Interval, Span, TaxonomyNode, Values
from shoal.release.column_recoding import BoundRecoding, ColumnRecoding, OrderedRecoding
from shoal.schema import Column

Cells: TypeAlias = "pa.ChunkedArray[Any]"


@dataclass(frozen=True, eq=False)
class RecodedCells:
    """A column before recoding, after it, and as released: the same records three times."""

    recoding: ColumnRecoding
    source: Column  # before recoding
    column: Column  # after recoding
    before: Cells
    recoded: Cells
    released: Cells
    by_extents: bool  # released as extents of recoded values

    @property
    def loss(self) -> float:
        """Percent of the original column that is lost; 0 where no value is known."""
        known = self.before.is_valid().to_numpy()
        if not known.any():
            return 0.0
        if isinstance(self.recoding, BoundRecoding):
            return (certainty_penalty if self.by_extents else column_loss)(self.source, self.before, self.released)
        shares = self._ordered_shares() if isinstance(self.recoding, OrderedRecoding) else self._category_shares()
        return 100 * float(shares[known].mean())

    def _ordered_shares(self) -> Vector:
        """(n_records,) Share of the range between the ends of the released value and the true value."""
        numbers = to_days(self.source.name, self.before)
        low, high = (float(end(numbers.values[~numbers.missing])) for end in (np.min, np.max))
        if low == high:
            return np.zeros(len(numbers.values))
        ends, of_record = self._ends(low, high)
        lows, highs = np.clip(np.vstack([ends, [low, high]]), low, high)[of_record].T
        shares: Vector = (np.maximum(highs, numbers.values) - np.minimum(lows, numbers.values)) / (high - low)
        return shares

    def _ends(self, low: float, high: float) -> tuple[Matrix, Labels]:
        """(n, 2) Ends of the different released values in the unit of the original, and the value of each record, -1
        where it is missing. ``low``, ``high``: ends where a released value has none."""
        if self.by_extents:
            found = ExtentColumn.of(self.column, self.released)
            hulls, of_record = [self._hull(extent) for extent in found.extents], found.of_record
        else:
            codes = to_codes(self.column.name, self.released)
            hulls, of_record = [self.recoding.interval_of(each) for each in codes.values.to_pylist()], codes.codes
        ends = [_ends_of(hull, low, high) for hull in hulls]
        return np.array(ends, dtype=np.float64).reshape(-1, 2), of_record

    def _hull(self, extent: Extent) -> Interval | None:
        """The smallest interval of the original that contains an extent of recoded values."""
        match extent:
            case Interval():  # of years
                first = None if extent.low is None else self.recoding.interval_of(extent.low)
                last = None if extent.high is None else self.recoding.interval_of(extent.high)
                end = last.high if last and extent.closed else last.low if last else None
                return Interval(first.low if first else None, end)
            case Span(values) | Values(values):
                parts = [part for part in map(self.recoding.interval_of, values) if part]
                lows, highs = [part.low for part in parts], [part.high for part in parts]
                return Interval(
                    None if None in lows else min(each for each in lows if each is not None),
                    None if None in highs else max(each for each in highs if each is not None),
                )
            case _:
                return None

    def _category_shares(self) -> Vector:
        """(n_records,) Share of the original categories that the released value stands for; 1 where it does not
        contain the recoded value of the record."""
        before, recoded = to_codes(self.source.name, self.before), to_codes(self.column.name, self.recoded)
        pairs = np.unique(np.column_stack([before.codes, recoded.codes]), axis=0)
        pairs = pairs[(pairs >= 0).all(axis=1)]
        n_of = np.bincount(pairs[:, 1], minlength=recoded.n_values)  # original categories of each recoded one
        if not self.by_extents:
            released = codes_in(recoded, to_codes(self.column.name, self.released))
            n_covered = np.append(n_of, [0, 0])[released]
            return np.where(released == recoded.codes, _share(n_covered, before.n_values), 1.0)
        found = ExtentColumn.of(self.column, self.released)
        contains = np.array([list(self._contained(extent, recoded.texts)) for extent in found.extents], dtype=bool)
        contains = np.vstack([contains.reshape(-1, recoded.n_values), np.ones(recoded.n_values, dtype=bool)])
        inside = contains[found.of_record, recoded.codes]
        return np.where(inside, _share((contains @ n_of)[found.of_record], before.n_values), 1.0)

    def _contained(self, extent: Extent, texts: list[str]) -> Iterator[bool]:
        """Whether an extent contains each of the recoded values."""
        tree = self.column.taxonomy
        match extent:
            case Span(values) | Values(values):
                yield from (text in values for text in texts)
            case TaxonomyNode(label, level) if tree:
                below = {path[0] for path in tree.paths if path[level] == label}
                yield from (text in below for text in texts)
            case _:
                yield from (True for _ in texts)


def _ends_of(interval: Interval | None, low: float, high: float) -> tuple[float, float]:
    if interval is None:
        return low, high
    return low if interval.low is None else interval.low, high if interval.high is None else interval.high


def _share(n_covered: Labels, n_values: int) -> Vector:
    """Share of the categories; a single one is known exactly."""
    return np.where(n_covered > 1, n_covered / max(n_values, 1), 0.0)
