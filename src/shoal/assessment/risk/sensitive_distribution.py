"""The values of a sensitive column in a whole release: how often each occurs, their order, and which guesses are alike.

A guess is one value of a nominal column. Of numbers, dates and ordinal values it is an interval that spans at most a
tenth of the ranks of all records, or one value that alone has more; ranks, since a few extreme values would make a
tenth of the range hold nearly everybody (as in interval disclosure: Domingo-Ferrer & Torra 2001)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import positions_among, to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import are_numbers, to_numbers
from shoal.kernels import Ints, Labels, Vector
from shoal.schema import Column
from shoal.schema.spelling import normalized_values

GUESS_SPAN = 0.1  # ranks that a guess of a number spans at most
ROUNDING = 1e-9  # of shares of ranks


@dataclass(frozen=True, eq=False)
class SensitiveValues:
    column: Column
    written: pa.Array[Any]  # (n_written,) the values as released
    codes: Labels  # (n_written,) the value of each, in order where the column has one; -1: a word for missing
    n: Ints | Vector  # (n_values,) records with each value, or parts of persons
    is_ordered: bool

    @classmethod
    def of(cls, column: Column, counts: CountTable) -> SensitiveValues:
        """``counts``: records by the one column."""
        known = counts.known
        written = to_codes(column.name, known.values)
        n_written = np.bincount(written.codes, known.n, minlength=written.n_values)
        codes, is_ordered = _ordered_codes(column, written.values)
        n = np.bincount(codes[codes >= 0], n_written[codes >= 0], minlength=int(codes.max(initial=-1)) + 1)
        return cls(column, written.values, codes, n.astype(np.float64), is_ordered)

    @property
    def n_values(self) -> int:
        return len(self.n)

    def codes_of(self, cells: pa.ChunkedArray[Any]) -> Labels:
        """(n_cells,) the value of each cell; -1 where it is missing."""
        codes: Labels = np.append(self.codes, -1)[positions_among(cells, self.written)]
        return codes

    @cached_property
    def ends(self) -> Vector:
        """(n_values + 1,) records below each value; the last entry is the number of all."""
        return np.concatenate([[0.0], np.cumsum(self.n)])

    @cached_property
    def last_of_guess(self) -> Labels:
        """(n_values,) the last value of the guess that begins with each value."""
        own = np.arange(self.n_values)
        if not self.is_ordered:
            return own
        span = (GUESS_SPAN + ROUNDING) * self.ends[-1]
        reached = np.searchsorted(self.ends, self.ends[:-1] + span, side="right") - 2
        last: Labels = np.maximum(own, reached)
        return last

    @cached_property
    def prior(self) -> Vector:
        """(n_values,) share of all records that the guess which begins with each value holds."""
        shares: Vector = (self.ends[self.last_of_guess + 1] - self.ends[:-1]) / self.ends[-1]
        return shares

    @property
    def guesses_intervals(self) -> bool:
        return bool((self.last_of_guess > np.arange(self.n_values)).any())

    @cached_property
    def parents(self) -> Labels | None:
        """(n_values,) number of the node above each value in the taxonomy; None without a taxonomy of three levels."""
        taxonomy = self.column.taxonomy
        if taxonomy is None or taxonomy.height < 2 or self.is_ordered:
            return None
        above = {path[0]: path[1] for path in taxonomy.paths}
        texts = dict(zip(self.codes.tolist(), (str(value) for value in self.written.to_pylist()), strict=True))
        nodes = [above.get(texts[code], f"no node {code}") for code in range(self.n_values)]
        return np.unique(nodes, return_inverse=True)[1].astype(np.int64)


def _ordered_codes(column: Column, written: pa.Array[Any]) -> tuple[Labels, bool]:
    """(n_written,) codes, and whether their order means something."""
    cells = pa.chunked_array([written])
    if column.kind in ("numeric", "date") and are_numbers(cells):
        return np.unique(to_numbers(column.name, cells).values, return_inverse=True)[1].astype(np.int64), True
    if column.kind == "ordinal" and not set(map(str, written.to_pylist())) - set(column.order or ()):
        return to_codes(column.name, cells, column.order).codes, True
    read = normalized_values(written, column)
    if read is None:
        return np.arange(len(written), dtype=np.int64), False
    numbers: dict[Any, int] = {}
    codes = [-1 if each is None else numbers.setdefault(each, len(numbers)) for each in read]
    return np.array(codes, dtype=np.int64), False
