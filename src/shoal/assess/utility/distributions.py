"""How a column is spread before and after, in bins that show nobody: none holds fewer than k records of the original.

The outer bins are open, so that no smallest or largest value is shown; rare categories are merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assess.utility.told import Texts, expected_numbers, expected_values
from shoal.encode.codes import Codes, to_codes
from shoal.encode.numbers import Numbers, to_numbers
from shoal.kernels import Vector
from shoal.schema import Column, Kind

Values: TypeAlias = "pa.ChunkedArray[Any]"

MOST_BINS = 24
MISSING = "missing"
MERGED = "rarer values"
SPECIAL = (MERGED, MISSING)  # bins that are shown only where somebody is in them


@dataclass(frozen=True)
class Distribution:
    """Shares of the records in every bin, in percent."""

    column: str
    kind: Kind
    bins: tuple[str, ...]
    original: tuple[float, ...]
    released: tuple[float, ...]


def distribution(
    column: Column, original: Values, released: Values, k: int, *, told_by_extents: bool = False
) -> Distribution:
    """``k``: the fewest records that a bin of the original may hold.

    Of extents, the release is as its reader would expect the values to be spread.
    """
    bins = (_NumberBins if column.kind in ("numeric", "date") else _CategoryBins).of(column, original, k)
    before = bins.counted(original)
    after = bins.expected(Texts.of(column, released)) if told_by_extents else bins.counted(released)
    used = np.array([name not in SPECIAL or n > 0 for name, n in zip(bins.names, before + after, strict=True)])
    names = tuple(name for name, is_used in zip(bins.names, used, strict=True) if is_used)
    return _shares(column, names, before[used], after[used], k)


@dataclass(frozen=True)
class _NumberBins:
    """Numbers, or years of dates, between edges; last what is missing."""

    column: Column
    original: Values
    edges: Vector

    @classmethod
    def of(cls, column: Column, original: Values, k: int) -> Self:
        numbers = _numbers(column, original)
        return cls(column, original, inner_edges(numbers.values[~numbers.missing], k))

    @property
    def names(self) -> tuple[str, ...]:
        return (*interval_names(self.edges), MISSING)

    def counted(self, values: Values) -> Vector:
        numbers = _numbers(self.column, values)
        place = np.searchsorted(self.edges, numbers.values, side="right")
        place[numbers.missing] = len(self.edges) + 1
        return np.bincount(place, minlength=len(self.edges) + 2).astype(np.float64)

    def expected(self, texts: Texts) -> Vector:
        edges = _first_days(self.edges) if self.column.kind == "date" else self.edges
        known = expected_numbers(self.column, self.original, texts, edges)
        return np.append(known, np.count_nonzero(texts.of_record < 0))


def _numbers(column: Column, values: Values) -> Numbers:
    years: Any = pc.year(values) if column.kind == "date" else values
    return to_numbers(column.name, years)


def _first_days(years: Vector) -> Vector:
    """Of years, in days since 1970."""
    return np.array([np.datetime64(f"{int(year):04}-01-01", "D").astype(np.int64) for year in years], dtype=np.float64)


def inner_edges(values: Vector, k: int) -> Vector:
    """Round numbers between bins of at least k values each; the two outer bins are open."""
    if len(values) < 2 * k or values.min() == values.max():
        return np.empty(0)
    low, high = np.quantile(values, [0.01, 0.99])
    step = _round_step((high - low) / MOST_BINS) if high > low else _round_step(values.max() - values.min())
    candidates = step * np.arange(np.ceil(low / step), np.floor(high / step) + 1)
    below = np.searchsorted(np.sort(values), candidates, side="left")
    edges: list[float] = []
    taken = 0
    for edge, n_below in zip(candidates, below, strict=True):
        if n_below - taken >= k and len(values) - n_below >= k:
            edges.append(float(edge))
            taken = int(n_below)
    return np.array(edges)


def _round_step(width: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not below ``width``."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= width * (1 - 1e-12)))


def interval_names(edges: Vector) -> tuple[str, ...]:
    if not len(edges):
        return ("all",)
    between = (f"[{low:g}, {high:g})" for low, high in pairwise(edges))
    return (f"< {edges[0]:g}", *between, f">= {edges[-1]:g}")


@dataclass(frozen=True)
class _CategoryBins:
    """The frequent values, then all rarer ones together, last what is missing."""

    column: Column
    codes: Codes  # of the original
    frequent: tuple[str, ...]

    @classmethod
    def of(cls, column: Column, original: Values, k: int) -> Self:
        codes = to_codes(column.name, original, column.order)
        counts = np.bincount(codes.codes + 1, minlength=codes.n_values + 1)[1:]
        enough = [code for code in range(codes.n_values) if counts[code] >= k]
        shown = sorted(sorted(enough, key=lambda code: -counts[code])[:MOST_BINS])
        return cls(column, codes, tuple(codes.texts[code] for code in shown))

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.frequent, MERGED, MISSING)

    def counted(self, values: Values) -> Vector:
        codes = to_codes(self.column.name, values)
        counts = np.bincount(codes.codes + 1, minlength=codes.n_values + 1)
        return self._binned(dict(zip(codes.texts, counts[1:].tolist(), strict=True)), int(counts[0]))

    def expected(self, texts: Texts) -> Vector:
        n_missing = int(np.count_nonzero(texts.of_record < 0))
        return self._binned(expected_values(self.column, self.codes, texts), n_missing)

    def _binned(self, n_of: Mapping[str, float], n_missing: int) -> Vector:
        shown = [n_of.get(value, 0.0) for value in self.frequent]
        return np.array([*shown, sum(n_of.values()) - sum(shown), n_missing], dtype=np.float64)


def _shares(column: Column, bins: tuple[str, ...], before: Vector, after: Vector, k: int) -> Distribution:
    """Percent of the records; a bin of fewer than k records is shown as empty."""
    hidden = before < k
    before, after = np.where(hidden, 0, before), np.where(hidden & (after < k), 0, after)
    return Distribution(
        column.name,
        column.kind,
        bins,
        tuple((100 * before / max(before.sum(), 1)).tolist()),
        tuple((100 * after / max(after.sum(), 1)).tolist()),
    )
