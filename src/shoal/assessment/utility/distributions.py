"""Distribution of a column before and after, in bins that disclose nobody: each has at least k records of the original.

The outer bins are open, so that no smallest or largest value is shown; rare categories are merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.assessment.utility.date_edges import STEPS, DateStep, calendar_step
from shoal.assessment.utility.extent_values import ExtentColumn, expected_numbers, expected_values, to_days
from shoal.encode.codes import Codes, to_codes
from shoal.encode.number_column import NumberColumn, to_numbers
from shoal.kernels import Vector
from shoal.schema import Column, Kind

Values: TypeAlias = "pa.ChunkedArray[Any]"
Mask = NDArray[np.bool_]

MOST_BINS = 24
MISSING = "missing"
MERGED = "rarer values"
SPECIAL = (MERGED, MISSING)  # bins that are shown only where they have k records


@dataclass(frozen=True)
class Distribution:
    """Shares of the records in every bin, in percent."""

    column: str
    kind: Kind
    bins: tuple[str, ...]
    original: tuple[float, ...]
    released: tuple[float, ...]

    def with_labels(self, labels: Mapping[object, str]) -> Distribution:
        """The same with the value labels of the file next to its codes, as in "married (2)"."""
        by_code = {_code_text(code): text for code, text in labels.items() if text}
        bins = (f"{by_code[name]} ({name})" if name in by_code else name for name in self.bins)
        return replace(self, bins=tuple(bins)) if self.kind in ("nominal", "ordinal") else self


def _code_text(code: object) -> str:
    """A code of a value label as the cells of a release show it."""
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def distribution(
    column: Column, original: Values, released: Values, k: int, *, by_extents: bool = False
) -> Distribution:
    """``k``: the fewest records that a bin of the original may hold.

    For extents, the released distribution is the one that a reader would expect.
    """
    bins = BINS.get(column.kind, _CategoryBins).of(column, original, k)
    before = bins.count(original)
    after = bins.expect(ExtentColumn.of(column, released)) if by_extents else bins.count(released)
    is_shown = _are_shown(bins.names, before, after, k)
    names = tuple(name for name, shown in zip(bins.names, is_shown, strict=True) if shown)
    return _shares(column, names, before[is_shown], after[is_shown], k)


def _are_shown(names: Sequence[str], before: Vector, after: Vector, k: int) -> Mask:
    """(n_bins,) whether a bin is shown. Special ones are not where there are fewer than k records before and after: a
    bin that only appears with its first record would tell that there is one, even if its share reads 0 %."""
    are_special = np.isin(names, SPECIAL)
    shown: Mask = ~are_special | (np.maximum(before, after) >= k)
    return shown


@dataclass(frozen=True)
class _NumberBins:
    """Numbers between edges; the last bin is for missing values."""

    column: Column
    original: Values
    edges: Vector

    @classmethod
    def of(cls, column: Column, original: Values, k: int) -> Self:
        numbers = to_numbers(column.name, original)
        return cls(column, original, inner_edges(numbers.values[~numbers.missing], k))

    @property
    def names(self) -> tuple[str, ...]:
        return (*interval_names([f"{edge:.12g}" for edge in self.edges]), MISSING)

    def count(self, values: Values) -> Vector:
        numbers = self._numbers(values)
        bin_numbers = np.searchsorted(self.edges, numbers.values, side="right")
        bin_numbers[numbers.missing] = len(self.edges) + 1
        return np.bincount(bin_numbers, minlength=len(self.edges) + 2).astype(np.float64)

    def expect(self, extents: ExtentColumn) -> Vector:
        known = expected_numbers(self.column, self.original, extents, self.edges)
        return np.append(known, np.count_nonzero(extents.of_record < 0))

    def _numbers(self, values: Values) -> NumberColumn:
        return to_numbers(self.column.name, values)


@dataclass(frozen=True)
class _DateBins(_NumberBins):
    """Days between edges of the calendar; the last bin is for missing values."""

    step: DateStep = STEPS[0]

    @classmethod
    def of(cls, column: Column, original: Values, k: int) -> Self:
        numbers = to_days(column.name, original)
        days = numbers.values[~numbers.missing]
        if not _can_be_binned(days, k):
            return cls(column, original, np.empty(0))
        low, high = np.quantile(days, [0.01, 0.99])
        step = calendar_step((high - low) / MOST_BINS)
        return cls(column, original, choose_edges(days, step.edges(low, high), k), step)

    @property
    def names(self) -> tuple[str, ...]:
        return (*interval_names([self.step.name(edge) for edge in self.edges]), MISSING)

    def _numbers(self, values: Values) -> NumberColumn:
        return to_days(self.column.name, values)


def inner_edges(values: Vector, k: int) -> Vector:
    """Round numbers between bins of at least k values each; the two outer bins are open."""
    if not _can_be_binned(values, k):
        return np.empty(0)
    low, high = np.quantile(values, [0.01, 0.99])
    step = _round_step((high - low) / MOST_BINS) if high > low else _round_step(values.max() - values.min())
    step = max(step, 1.0) if (values == np.rint(values)).all() else step
    return choose_edges(values, step * np.arange(np.ceil(low / step), np.floor(high / step) + 1), k)


def _can_be_binned(values: Vector, k: int) -> bool:
    return len(values) >= 2 * k and values.min() < values.max()


def choose_edges(values: Vector, candidates: Vector, k: int) -> Vector:
    """The edges that leave at least k values in every bin, chosen from the lowest candidate up."""
    below = np.searchsorted(np.sort(values), candidates, side="left")
    edges: list[float] = []
    n_in_earlier = 0
    for edge, n_below in zip(candidates, below, strict=True):
        if n_below - n_in_earlier >= k and len(values) - n_below >= k:
            edges.append(float(edge))
            n_in_earlier = int(n_below)
    return np.array(edges)


def _round_step(width: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not below ``width``."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= width * (1 - 1e-12)))


def interval_names(edges: Sequence[str]) -> tuple[str, ...]:
    if not edges:
        return ("all",)
    between = (f"[{low}, {high})" for low, high in pairwise(edges))
    return (f"< {edges[0]}", *between, f">= {edges[-1]}")


@dataclass(frozen=True)
class _CategoryBins:
    """The frequent values, then all rarer ones together, last the missing values."""

    column: Column
    codes: Codes  # of the original
    frequent: tuple[str, ...]

    @classmethod
    def of(cls, column: Column, original: Values, k: int) -> Self:
        codes = to_codes(column.name, original, column.order)
        counts = np.bincount(codes.codes + 1, minlength=codes.n_values + 1)[1:]
        frequent_codes = [code for code in range(codes.n_values) if counts[code] >= k]
        codes_shown = sorted(sorted(frequent_codes, key=lambda code: -counts[code])[:MOST_BINS])
        return cls(column, codes, tuple(codes.texts[code] for code in codes_shown))

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.frequent, MERGED, MISSING)

    def count(self, values: Values) -> Vector:
        codes = to_codes(self.column.name, values)
        counts = np.bincount(codes.codes + 1, minlength=codes.n_values + 1)
        return self._bin_counts(dict(zip(codes.texts, counts[1:].tolist(), strict=True)), int(counts[0]))

    def expect(self, extents: ExtentColumn) -> Vector:
        n_missing = int(np.count_nonzero(extents.of_record < 0))
        return self._bin_counts(expected_values(self.column, self.codes, extents), n_missing)

    def _bin_counts(self, counts_by_value: Mapping[str, float], n_missing: int) -> Vector:
        shown = [counts_by_value.get(value, 0.0) for value in self.frequent]
        return np.array([*shown, sum(counts_by_value.values()) - sum(shown), n_missing], dtype=np.float64)


BINS: Mapping[Kind, type[_NumberBins | _CategoryBins]] = {"numeric": _NumberBins, "date": _DateBins}


def _shares(column: Column, bins: tuple[str, ...], before: Vector, after: Vector, k: int) -> Distribution:
    """Percent of the records. A bin with fewer than k records of the original is shown as empty before, and after if it
    has fewer than k released records as well."""
    is_hidden = before < k
    before, after = np.where(is_hidden, 0, before), np.where(is_hidden & (after < k), 0, after)
    return Distribution(
        column.name,
        column.kind,
        bins,
        tuple((100 * before / max(before.sum(), 1)).tolist()),
        tuple((100 * after / max(after.sum(), 1)).tolist()),
    )
