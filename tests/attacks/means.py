"""Means that give the values back.

The intruder holds the release and the policy: the mean of every class as it is written, the released weights of its
records, and what everybody knows of the column: its values are whole numbers from ``low`` to ``high``. With different
weights and all digits of the mean, sum(w a) = m sum(w) is a subset sum that mostly one vector solves. They look for all
vectors by meeting in the middle, and name the value of a record where all agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from attacks.published import Published
from attacks.rates import Rate

Vector = NDArray[np.float64]
Whole = NDArray[np.int64]

MOST_SUMS = 20_000  # of half of the records of a class: who has more time takes more
MOST_SOLUTIONS = 200_000  # with more, no value is sure
LAST_BITS = 2.0**-50  # what a mean of 64 bits is off by, as a share of the greatest value


@dataclass(frozen=True)
class Known:
    """What everybody knows: whole numbers ``low`` to ``high``; and how far a written mean may be from the true one,
    in units of its last digit (``reach``): a half where it is rounded to the nearest."""

    low: int
    high: int
    reach: float = 0.5


def guesses(published: Published, column: str, known: Known, weight: str | None = None) -> dict[int, int]:
    """The value of a record, by its place in the release, where it is sure."""
    records, columns = published.records, published.policy["columns"]
    keys = [name for name, rule in columns.items() if rule["role"] == "quasi_identifier"]
    weights = np.array(records[weight].to_pylist(), dtype=float) if weight else np.ones(len(records))
    texts = records[column].to_pylist()
    off = _off(known, most_digits(texts))
    found: dict[int, int] = {}
    for members in _classes(records.select(keys).to_pylist()):
        mean = texts[members[0]]
        if mean:
            values = determined(weights[members], float(mean), off, known)
            found |= {at: value for at, value in zip(members, values, strict=True) if value is not None}
    return found


def rate(published: Published, column: str, known: Known, truth: Sequence[int], weight: str | None = None) -> Rate:
    """``truth``: the original of every released record."""
    found = guesses(published, column, known, weight)
    return Rate(sum(truth[at] == value for at, value in found.items()), len(truth))


def most_digits(texts: Sequence[str]) -> int:
    """After the point, of the whole column."""
    return max((max(-int(Decimal(text).as_tuple().exponent), 0) for text in texts if text), default=0)


def _off(known: Known, n_digits: int) -> float:
    """From the written mean to the true one: no digit more is known than the last bits of a number hold."""
    return max(known.reach * 10.0**-n_digits, LAST_BITS * max(abs(known.low), abs(known.high)))


def _classes(rows: Sequence[dict[str, str]]) -> Iterator[list[int]]:
    members: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(rows):
        members.setdefault(tuple(row.values()), []).append(at)
    return iter(members.values())


def determined(weights: Vector, mean: float, off: float, known: Known) -> list[int | None]:
    """Of every record of a class the value that all vectors have which fit; None where they differ."""
    solutions = solve(weights, mean, off, known)
    if solutions is None or not len(solutions):
        return [None] * len(weights)
    same = (solutions == solutions[0]).all(axis=0)
    return [int(value) if is_same else None for value, is_same in zip(solutions[0], same, strict=True)]


def solve(weights: Vector, mean: float, off: float, known: Known) -> Whole | None:
    """(n_solutions, n_records) all vectors that fit, or None where they are too many to look at."""
    n, span = len(weights), known.high - known.low + 1
    half = n // 2
    if span ** (n - half) > MOST_SUMS:
        return None
    left, right = (_vectors(size, known) for size in (half, n - half))
    sums = right @ weights[half:]
    order = np.argsort(sums)
    target, slack = mean * weights.sum(), off * weights.sum() + 1e-12 * abs(mean) * weights.sum()
    rest = target - left @ weights[:half]
    first = np.searchsorted(sums[order], rest - slack, "left")
    last = np.searchsorted(sums[order], rest + slack, "right")
    n_fits = last - first
    if n_fits.sum() > MOST_SOLUTIONS:
        return None
    ours = np.repeat(np.arange(len(left)), n_fits)
    theirs = np.concatenate([order[:0], *map(order.__getitem__, map(slice, first[n_fits > 0], last[n_fits > 0]))])
    return np.hstack([left[ours], right[theirs]])


@lru_cache(maxsize=8)
def _vectors(n: int, known: Known) -> Whole:
    """(span ** n, n) all there are."""
    values = np.arange(known.low, known.high + 1)
    shape = (len(values),) * n
    return values[np.stack(np.unravel_index(np.arange(prod(shape)), shape), axis=-1).reshape(-1, n)]
