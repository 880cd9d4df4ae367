"""A sample of the classes of a release, drawn by a hash of their values: the same on every engine and in any pieces.

totals over classes -> the counts of at most ``most`` classes

Every class has a mark, its pseudo-random hash; the classes with the lowest marks are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import is_time
from shoal.kernels import Labels
from shoal.total import TotalOfClasses

Marks = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)
MISSING_MARK = np.uint64(1)  # the mark of a missing cell


@dataclass(frozen=True, eq=False)
class SampledClasses:
    counts: CountTable  # class by class
    rows_per_class: Labels  # (n_sampled,) rows of every class
    n_classes: int  # of the release

    @property
    def rows(self) -> Iterator[slice]:
        """The rows of each class in turn."""
        return map(slice, self.starts.tolist(), np.cumsum(self.rows_per_class).tolist())

    @property
    def starts(self) -> Labels:
        """(n_sampled,) the first row of every class."""
        starts: Labels = np.cumsum(self.rows_per_class) - self.rows_per_class
        return starts

    @property
    def sizes(self) -> Labels:
        """(n_sampled,) records of every class."""
        return np.add.reduceat(self.n, self.starts) if len(self) else self.n

    @property
    def n(self) -> Labels:
        """(n_rows,) records."""
        return self.counts.n

    def __len__(self) -> int:
        return len(self.rows_per_class)


@dataclass(frozen=True, eq=False)
class ClassSample:
    """Accumulator of the ``most`` classes with the lowest marks, or of all if there are no more."""

    most: int
    counts: CountTable
    marks: Marks  # (n_rows,) of the class of each row
    n_classes: int  # of all classes so far

    @classmethod
    def of(cls, n_columns: int, most: int, table: pa.Table) -> ClassSample:
        """Of the classes by the first ``n_columns`` columns of counts."""
        counts = CountTable.of(table)
        marks = _marks(counts, n_columns)
        return _lowest_marks(most, counts, marks, len(np.unique(marks)))

    def __add__(self, other: ClassSample) -> ClassSample:
        marks = np.concatenate([self.marks, other.marks])
        return _lowest_marks(self.most, self.counts + other.counts, marks, self.n_classes + other.n_classes)

    def in_order(self) -> SampledClasses:
        order = np.argsort(self.marks, kind="stable")
        rows_per_class = np.unique(self.marks, return_counts=True)[1]
        counts = CountTable(self.counts.combinations.take(order), self.counts.n[order])
        return SampledClasses(counts, rows_per_class.astype(np.int64), self.n_classes)


def sampled_classes(
    classes: TotalOfClasses, columns: Sequence[str], values: Sequence[str], most: int
) -> SampledClasses:
    """At most ``most`` of the classes by ``columns``, with their ``values``."""
    return classes(columns, values, partial(ClassSample.of, len(columns), most)).in_order()


def _lowest_marks(most: int, counts: CountTable, marks: Marks, n_classes: int) -> ClassSample:
    distinct = np.unique(marks)
    if len(distinct) > most:
        is_low = marks <= distinct[most - 1]
        counts, marks = counts.only(is_low), marks[is_low]
    return ClassSample(most, counts, marks, n_classes)


def _marks(counts: CountTable, n_columns: int) -> Marks:
    """(n_rows,) the mark of the class of each row."""
    marks: Marks = np.zeros(len(counts), dtype=np.uint64)
    for cells in counts.combinations.columns[:n_columns]:
        marks = (marks ^ _bits(cells)) * GOLDEN
        marks ^= marks >> HALF
    return marks


def _bits(cells: pa.ChunkedArray[Any]) -> Marks:
    """(n_rows,) 64 bits, equal where the cells are equal."""
    if pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type) or is_time(cells.type):
        return _bits_of_numbers(cells)
    codes = to_codes("", cells)
    texts = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in codes.texts]
    by_code = np.append(np.frombuffer(b"".join(texts), dtype="<u8"), MISSING_MARK)  # the last is indexed by -1
    return by_code[codes.codes].astype(np.uint64)


def _bits_of_numbers(cells: Any) -> Marks:
    integers = cells.cast(pa.int32()) if pa.types.is_date32(cells.type) else cells
    if is_time(integers.type):
        integers = integers.cast(pa.int64())
    missing = integers.is_null().to_numpy()
    numbers = integers.cast(pa.float64(), safe=False).fill_null(0.0).to_numpy() + 0.0  # turns -0.0 into 0.0
    return np.where(missing, MISSING_MARK, np.ascontiguousarray(numbers).view(np.uint64))
