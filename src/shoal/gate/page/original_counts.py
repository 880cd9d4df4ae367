"""How many records of the original have what a page says; one pass over the records, piece by piece."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.gate.page.passages import INVISIBLE
from shoal.gate.page.readings import COMPUTE, LONGEST
from shoal.gate.page.written_numbers import number_of_text
from shoal.total import Total

FIRST_WORDS = rf"^((?:\S+ ){{{LONGEST - 1}}}\S+) .*$"
Said = str | float  # a phrase in words, or a number


@dataclass
class OriginalCounts:
    """Numbers of records, or of units, by column and by what was said."""

    phrases: pa.Array[Any]
    numbers: pa.Array[Any]
    ends: Mapping[str, Collection[float]]  # of intervals, by column
    unit: str | None  # its distinct values are counted; None: records are
    n_records: int = 0
    n: Counter[tuple[str, Said]] = field(default_factory=Counter)
    units: dict[tuple[str, Said], set[Any]] = field(default_factory=partial(defaultdict, set))
    n_below: Counter[tuple[str, float]] = field(default_factory=Counter)
    n_known: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(
        cls,
        total: Total,
        columns: Sequence[str],
        phrases: Collection[str],
        numbers: Collection[float],
        ends: Mapping[str, Collection[float]],
        unit: str | None,
    ) -> OriginalCounts:
        counts = cls(pa.array(sorted(phrases), pa.string()), pa.array(sorted(numbers), pa.float64()), ends, unit)
        return total(columns, counts.of_piece)

    def of_piece(self, piece: pa.Table) -> OriginalCounts:
        """The counts of a piece."""
        counts = OriginalCounts(self.phrases, self.numbers, self.ends, self.unit)
        counts._add(piece)
        return counts

    def __add__(self, other: OriginalCounts) -> OriginalCounts:
        both = OriginalCounts(self.phrases, self.numbers, self.ends, self.unit, self.n_records + other.n_records)
        for each in (self, other):
            for key, units in each.units.items():
                both.units[key] |= units
        both.n = self.n + other.n
        both.n_below = self.n_below + other.n_below
        both.n_known = self.n_known + other.n_known
        return both

    def _add(self, piece: pa.Table) -> None:
        self.n_records += len(piece)
        units = piece[self.unit].combine_chunks() if self.unit else None
        for name in piece.column_names:
            for candidates, cells in self._readable(piece[name]):
                self._add_cells(name, candidates, cells, units)
            if name in self.ends:
                self._add_ends(name, piece[name])

    def held_by(self, name: str, said: Said) -> int:
        """The number of records, or units, that have the value; 0 if it is none of the column."""
        return len(self.units[name, said]) if self.unit else self.n[name, said]

    def _readable(self, cells: pa.ChunkedArray[Any]) -> list[tuple[pa.Array[Any], pa.Array[Any]]]:
        """What may be said of the column, and its cells in the same form."""
        flat = cells.combine_chunks()
        found = [(self.phrases, words_of(flat))]
        numbers = numbers_of(flat)
        return [*found, (self.numbers, numbers)] if numbers is not None else found

    def _add_cells(self, name: str, candidates: pa.Array[Any], cells: pa.Array[Any], units: Any) -> None:
        said = pc.is_in(cells, value_set=candidates, skip_nulls=True)
        if units is None:
            counted: Any = pc.value_counts(cells.filter(said))
            for each in counted.to_pylist():
                self.n[name, each["values"]] += each["counts"]
            return
        found: Any = cells.filter(said)
        for value, unit in set(zip(found.to_pylist(), units.filter(said).to_pylist(), strict=True)):
            self.units[name, value].add(unit)

    def _add_ends(self, name: str, cells: pa.ChunkedArray[Any]) -> None:
        known = measured(cells.combine_chunks())
        if known is None:
            return
        self.n_known[name] += len(known)
        for end in self.ends[name]:
            self.n_below[name, end] += int(np.count_nonzero(known < end))


def words_of(cells: pa.Array[Any]) -> pa.Array[Any]:
    """The cells as words in lower case, separated by blanks; of many words the first ones. A cell without letters and
    digits, such as +++, is the text itself."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    visible = pc.replace_substring_regex(_texts(cells), INVISIBLE, "")
    texts: pa.Array[Any] = COMPUTE.utf8_normalize(visible, "NFKC")
    words = pc.replace_substring_regex(pc.utf8_lower(texts), r"[^\p{L}\p{N}]+", " ")
    first = pc.replace_substring_regex(pc.utf8_trim_whitespace(words), FIRST_WORDS, r"\1")
    found: pa.Array[Any] = pc.if_else(pc.equal(first, pa.scalar("")), pc.utf8_trim_whitespace(texts), first)
    return found


def _texts(cells: pa.Array[Any]) -> pa.Array[Any]:
    """Cells as text, times as days; numbers are compared as numbers, not as text."""
    if numbers_of(cells) is not None or pa.types.is_nested(cells.type) or pa.types.is_binary(cells.type):
        return pa.nulls(len(cells), pa.string())
    if pa.types.is_timestamp(cells.type):
        cells = pc.cast(cells, pa.date32(), safe=False)
    return pc.cast(cells, pa.string(), safe=False)


def numbers_of(cells: pa.Array[Any]) -> pa.Array[Any] | None:
    """The cells as numbers; None where they are none."""
    kind = cells.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return pc.cast(cells, pa.float64(), safe=False)
    return None


def measured(cells: pa.Array[Any]) -> Any:
    """The known cells as numbers, dates as days since 1970; None where they are neither."""
    kind = cells.type
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        micros = pc.cast(pc.cast(cells, pa.timestamp("us"), safe=False), pa.int64())
        return micros.drop_null().to_numpy() / 86_400_000_000
    numbers = numbers_of(cells)
    if numbers is None:
        return None
    known = numbers.drop_null().to_numpy()
    return known[~np.isnan(known)]


def end_of(text: str, kind: pa.DataType) -> float:
    """The end of an interval as a number; of dates, the first day of what is written."""
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        year, month, day = (*map(int, text.split("-")), 1, 1)[:3]
        return float((date(year, month, day) - date(1970, 1, 1)).days)
    return number_of_text(text)
