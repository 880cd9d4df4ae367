"""A sample of the classes of a release, drawn by a hash of their values: the same on every engine and in any pieces.

counts by class, piece by piece -> the counts of at most ``most`` classes

Every class has a mark, its pseudo-random hash; the classes with the lowest marks are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import is_time
from shoal.kernels import Labels

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


def sampled_classes(pieces: Iterable[CountTable], n_columns: int, most: int) -> SampledClasses:
    """At most ``most`` classes. In every piece the first ``n_columns`` form the class; no class is in two pieces."""
    kept: list[CountTable] = []
    marks: list[Marks] = []
    n_classes = 0
    for piece in pieces:
        piece_marks = _marks(piece, n_columns)
        n_classes += len(np.unique(piece_marks))
        kept, marks = _lowest_marks([*kept, piece], [*marks, piece_marks], most)
    if not kept:
        none = np.zeros(0, dtype=np.int64)
        return SampledClasses(CountTable(pa.table({}), none), none, 0)
    order = np.argsort(marks[0], kind="stable")
    rows_per_class = np.unique(marks[0], return_counts=True)[1]
    counts = CountTable(kept[0].combinations.take(order), kept[0].n[order])
    return SampledClasses(counts, rows_per_class.astype(np.int64), n_classes)


def _lowest_marks(
    pieces: Sequence[CountTable], marks: Sequence[Marks], most: int
) -> tuple[list[CountTable], list[Marks]]:
    counts, all_marks = CountTable.concat(pieces), np.concatenate(marks)
    distinct = np.unique(all_marks)
    if len(distinct) > most:
        is_low = all_marks <= distinct[most - 1]
        counts, all_marks = counts.only(is_low), all_marks[is_low]
    return [counts], [all_marks]


def _marks(piece: CountTable, n_columns: int) -> Marks:
    """(n_rows,) the mark of the class of each row."""
    marks: Marks = np.zeros(len(piece), dtype=np.uint64)
    for cells in piece.combinations.columns[:n_columns]:
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
