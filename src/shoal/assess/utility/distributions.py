"""How a column is spread before and after, in bins that show nobody: none holds fewer than k records of the original.

The outer bins are open, so that no smallest or largest value is shown; rare categories are merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.codes import to_codes
from shoal.encode.numbers import Numbers, to_numbers
from shoal.kernels import Labels, Vector
from shoal.schema import Column

Values: TypeAlias = "pa.ChunkedArray[Any]"

MOST_BINS = 24
MISSING = "missing"
MERGED = "rarer values"


@dataclass(frozen=True)
class Distribution:
    """Shares of the records in every bin, in percent."""

    column: str
    bins: tuple[str, ...]
    original: tuple[float, ...]
    released: tuple[float, ...]


def distribution(column: Column, original: Values, released: Values, k: int) -> Distribution:
    """``k``: the fewest records that a bin of the original may hold."""
    by_kind = _of_numbers if column.kind == "numeric" else _of_categories
    if column.kind == "date":
        original, released = _years(original), _years(released)
        by_kind = _of_numbers
    return by_kind(column, original, released, k)


def _of_numbers(column: Column, original: Values, released: Values, k: int) -> Distribution:
    before, after = to_numbers(column.name, original), to_numbers(column.name, released)
    edges = inner_edges(before.values[~before.missing], k)
    names = interval_names(edges)
    counts = [_binned(numbers, edges) for numbers in (before, after)]
    if not (before.missing.any() or after.missing.any()):
        counts = [count[:-1] for count in counts]
    else:
        names = (*names, MISSING)
    return _shares(column.name, names, counts[0], counts[1], k)


def _binned(numbers: Numbers, edges: Vector) -> Labels:
    """Records of every bin, the missing ones last."""
    place = np.searchsorted(edges, numbers.values, side="right")
    place[numbers.missing] = len(edges) + 1
    return np.bincount(place, minlength=len(edges) + 2)


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


def _of_categories(column: Column, original: Values, released: Values, k: int) -> Distribution:
    before, after = to_codes(column.name, original, column.order), to_codes(column.name, released)
    counts = np.bincount(before.codes + 1, minlength=before.n_values + 1)
    frequent = [code for code in range(before.n_values) if counts[code + 1] >= k]
    frequent = sorted(sorted(frequent, key=lambda code: -counts[code + 1])[:MOST_BINS])
    texts = before.texts
    place = {texts[code]: at for at, code in enumerate(frequent)}
    n_bins = len(frequent) + 2  # and the rarer values, and the missing ones
    shares = []
    for codes in (before, after):
        bin_of = np.array([*(place.get(text, n_bins - 2) for text in codes.texts), n_bins - 1])
        shares.append(np.bincount(bin_of[codes.codes], minlength=n_bins))
    names = (*(texts[code] for code in frequent), MERGED, MISSING)
    used = [at for at in range(n_bins) if at < len(frequent) or shares[0][at] or shares[1][at]]
    return _shares(column.name, tuple(names[at] for at in used), shares[0][used], shares[1][used], k)


def _shares(name: str, bins: tuple[str, ...], before: Labels, after: Labels, k: int) -> Distribution:
    """Percent of the records; a bin of fewer than k records is shown as empty."""
    hidden = before < k
    before, after = np.where(hidden, 0, before), np.where(hidden & (after < k), 0, after)
    return Distribution(
        name,
        bins,
        tuple((100 * before / max(before.sum(), 1)).tolist()),
        tuple((100 * after / max(after.sum(), 1)).tolist()),
    )


def _years(values: Values) -> Any:
    return pc.year(values)
