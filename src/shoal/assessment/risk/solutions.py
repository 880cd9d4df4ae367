"""Which values of a class are determined by its released mean.

mean, weights, range of the column -> for every record: determined, open, or undecided

A value is ``low + b step`` with an integer b from 0 to ``most``. The released mean bounds sum(w b) from below and
above. A record is *determined* where all solutions give it the same b. Records of one weight are interchangeable: only
their sum s matters, and several of them are determined only where s forces all to be 0 or all to be ``most``.

dense    where the two bounds are at least the largest weight apart, every s within its own ends has a solution: going
         up from the least to the greatest sum, single steps cannot jump over the interval
in full  otherwise all sums of one half of the weights are matched with those of the other half (meet in the middle)
in part  where these are too many, only values near the mean are tried: two different solutions show that a record is
         open; all other records are undecided
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, prod

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Vector

MOST_SUMS = 2**20  # of one half of the weights
MOST_PARTIAL_SUMS = 2**18  # the same, near the mean
LARGEST_SUM = 2**61
MOST_PLACES = 16  # decimals of weights
MOST_WORK = 2**23  # sums examined for one column
SMALLEST = 1e-200  # largest weight, below which weights are rescaled to stay in the range of doubles
MOST_ROUNDS = 100  # of tightening the ends of the sums

Claims = NDArray[np.bool_]


@dataclass(frozen=True)
class MeanBounds:
    """Bounds of the true mean: at most, or less than, ``off`` away from the released one."""

    mean: Fraction
    off: Fraction
    is_open: bool  # less than

    def of_sum(self, total: int, slack: Fraction) -> tuple[int, int]:
        """The least and the greatest integer sum of a class whose weights add up to ``total``."""
        low, high = ((self.mean + sign * self.off) * total + sign * slack for sign in (-1, 1))
        return (floor(low) + 1, ceil(high) - 1) if self.is_open else (ceil(low), floor(high))


@dataclass(frozen=True)
class SolutionCounts:
    """Numbers of records of a class; all others are open. ``work``: sums that were examined."""

    n_determined: int
    n_undecided: int
    work: int = 0


@dataclass(frozen=True)
class Equation:
    """low <= sum(weights * s) <= high, with 0 <= s <= n * most."""

    weights: Labels  # (n_weights,) different integers, without a common divisor
    n: Labels  # (n_weights,) records of each
    most: int
    low: int
    high: int

    @classmethod
    def of(cls, weights: Vector, n: Labels, between: MeanBounds, most: int) -> Equation:
        """``weights``: different ones, each of ``n`` records; ``between``: in steps above the lowest value."""
        whole, error = _whole(weights, LARGEST_SUM // max(int(n.sum()) * most, 1))
        whole, at = np.unique(whole, return_inverse=True)
        together = np.bincount(at, weights=n).astype(np.int64)
        slack = error * int(n.sum()) * most
        low, high = between.of_sum(int(whole @ together), slack)
        shared = gcd(*whole.tolist())
        return cls(whole // shared, together, most, -(-low // shared), high // shared)

    @property
    def caps(self) -> Labels:
        return self.n * self.most

    def solved(self) -> SolutionCounts:
        ends = self._ends()
        if ends is None:
            return SolutionCounts(0, int(self.n.sum()))
        if self._is_dense:
            return self._of(self._is_fixed(*ends))
        if max(_sizes(_halves(*ends), *ends)) > MOST_SUMS:
            return self._in_part()
        met = _met(self.weights, *ends, self.low, self.high)
        if met.least is None or met.greatest is None:
            return SolutionCounts(0, int(self.n.sum()), met.work)
        return self._of(self._is_fixed(met.least, met.greatest), work=met.work)

    def _of(self, fixed: Claims, open_: Claims | None = None, work: int = 0) -> SolutionCounts:
        undecided = np.zeros_like(fixed) if open_ is None else ~(fixed | open_)
        return SolutionCounts(int(self.n[fixed].sum()), int(self.n[undecided].sum()), work)

    def _is_fixed(self, least: Labels, greatest: Labels) -> Claims:
        """(n_weights,) whether sums from ``least`` to ``greatest`` leave each of their records one value."""
        alone = (self.n == 1) | (least == 0) | (least == self.caps)
        fixed: Claims = (least == greatest) & alone
        return fixed

    @property
    def _is_dense(self) -> bool:
        return self.high - self.low + 1 >= int(self.weights.max())

    def _ends(self) -> tuple[Labels, Labels] | None:
        """The least and the greatest s of each weight that the others allow; None: there is no solution."""
        least, greatest = np.zeros_like(self.caps), self.caps
        for _ in range(MOST_ROUNDS):
            low_sums, high_sums = self.weights * least, self.weights * greatest
            if int(high_sums.sum()) < self.low or int(low_sums.sum()) > self.high:
                return None
            above = max(self.low, 0) - (int(high_sums.sum()) - high_sums)  # what each must add at least
            below = min(self.high, LARGEST_SUM) - (int(low_sums.sum()) - low_sums)
            tighter = np.maximum(least, -(-above // self.weights)), np.minimum(greatest, below // self.weights)
            if (tighter[0] > tighter[1]).any():
                return None
            if (tighter[0] == least).all() and (tighter[1] == greatest).all():
                break
            least, greatest = tighter
        return least, greatest

    def _in_part(self) -> SolutionCounts:
        """Varies some weights at a time near the mean, with all others as near to it as possible."""
        open_, work = np.zeros(len(self.n), dtype=bool), 0
        center = self._center()
        for some, reach in _rounds(len(self.n)):
            least, greatest = np.maximum(center[some] - reach, 0), np.minimum(center[some] + reach, self.caps[some])
            others = int(self.weights @ center - self.weights[some] @ center[some])
            met = _met(self.weights[some], least, greatest, self.low - others, self.high - others)
            work += met.work
            if work > MOST_WORK:
                break
            if met.least is not None and met.greatest is not None:
                found = Equation(self.weights[some], self.n[some], self.most, self.low, self.high)
                open_[some] |= ~found._is_fixed(met.least, met.greatest)
        return self._of(np.zeros_like(open_), open_, work)

    def _center(self) -> Labels:
        """(n_weights,) the s of records at the mean, rounded so that errors do not accumulate."""
        mean = (self.low + self.high) / 2 / int(self.weights @ self.n)
        whole = np.diff(np.rint(mean * np.cumsum(self.n)), prepend=0.0)
        center: Labels = np.clip(whole, 0, self.caps).astype(np.int64)
        return center


@dataclass(frozen=True)
class _SolutionRange:
    """The least and the greatest s of each weight among the solutions; None where there is no solution."""

    least: Labels | None
    greatest: Labels | None
    work: int


def _met(weights: Labels, least: Labels, greatest: Labels, low: int, high: int) -> _SolutionRange:
    """Matches the sums of one half of the weights with what those of the other half leave."""
    halves = _halves(least, greatest)
    shapes = [tuple((greatest[half] - least[half] + 1).tolist()) for half in halves]
    few, many = (_sums(weights[half], shape) for half, shape in zip(halves, shapes, strict=True))
    base = int(weights @ least)
    order = np.argsort(few, kind="stable")
    first = np.searchsorted(few[order], low - base - many, "left")
    last = np.searchsorted(few[order], high - base - many, "right")
    fits = np.flatnonzero(last > first)
    work = few.size + many.size
    if not fits.size:
        return _SolutionRange(None, None, work)
    ends = (np.bincount(side[fits], minlength=few.size + 1) for side in (first, last))
    is_met = np.cumsum(next(ends) - next(ends))[:-1] > 0
    lowest, highest = least.copy(), least.copy()
    for half, shape, found in zip(halves, shapes, (order[is_met], fits), strict=True):
        for at, values in zip(half, np.unravel_index(found, shape) if shape else (), strict=True):
            lowest[at], highest[at] = least[at] + values.min(), least[at] + values.max()
    return _SolutionRange(lowest, highest, work)


def _halves(least: Labels, greatest: Labels) -> tuple[Labels, Labels]:
    """The weights in two halves with about equally many sums, the one with fewer first."""
    sizes = (greatest - least + 1).tolist()
    parts: tuple[list[int], list[int]] = [], []
    n_sums = [1, 1]
    for at in sorted(range(len(sizes)), key=lambda at: -sizes[at]):
        smaller = 0 if n_sums[0] <= n_sums[1] else 1
        parts[smaller].append(at)
        n_sums[smaller] *= sizes[at]
    few, many = parts if n_sums[0] <= n_sums[1] else parts[::-1]
    return np.array(few, dtype=np.int64), np.array(many, dtype=np.int64)


def _sizes(halves: tuple[Labels, Labels], least: Labels, greatest: Labels) -> tuple[int, ...]:
    return tuple(prod((greatest[half] - least[half] + 1).tolist()) for half in halves)


def _sums(weights: Labels, shape: tuple[int, ...]) -> Labels:
    """(product of the shape,) all sums, in the order of ``unravel_index``."""
    sums = np.zeros(1, dtype=np.int64)
    for weight, size in zip(weights.tolist(), shape, strict=True):
        sums = (sums[:, None] + weight * np.arange(size)).ravel()
    return sums


def _rounds(n_weights: int) -> Iterator[tuple[Labels, int]]:
    """Which weights are varied together, and by how much in both directions; every weight once."""
    together = 2
    while 3 ** (together // 2 + 1) <= MOST_PARTIAL_SUMS:
        together += 2
    n_rounds = -(-n_weights // together)
    for some in np.array_split(np.arange(n_weights), n_rounds):
        values = int(MOST_PARTIAL_SUMS ** (1 / -(-len(some) // 2)) + 1e-9)
        yield some, max((values - 1) // 2, 1)


def _whole(weights: Vector, largest: int) -> tuple[Labels, Fraction]:
    """Weights as integer multiples of a unit, and the largest error of one: 0 where all digits fit."""
    weights = np.ldexp(weights, -int(np.frexp(weights.max())[1])) if weights.max() < SMALLEST else weights
    for places in range(MOST_PLACES + 1):
        scale = 10.0**places
        whole = np.rint(weights * scale)
        if float(whole.max()) > min(largest, 2**53):
            break
        if (whole / scale == weights).all():
            return whole.astype(np.int64), Fraction(0)
    scale = min(largest, 2**53) / float(weights.max()) / 2
    return np.maximum(np.rint(weights * scale), 1).astype(np.int64), Fraction(1, 2)
