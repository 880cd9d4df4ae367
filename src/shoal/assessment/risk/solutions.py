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

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class MeanBounds:
    """Bounds of the true mean: at most, or less than, ``error`` away from the released one."""

    mean: Fraction
    error: Fraction
    is_strict: bool  # less than

    def sum_bounds(self, total: int, slack: Fraction) -> tuple[int, int]:
        """The least and the greatest integer sum of a class whose weights add up to ``total``."""
        low, high = ((self.mean + sign * self.error) * total + sign * slack for sign in (-1, 1))
        return (floor(low) + 1, ceil(high) - 1) if self.is_strict else (ceil(low), floor(high))


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
    def of(cls, weights: Vector, n: Labels, mean_bounds: MeanBounds, most: int) -> Equation:
        """``weights``: different ones, each of ``n`` records; ``mean_bounds``: in steps above the lowest value."""
        integers, error = _integer_weights(weights, LARGEST_SUM // max(int(n.sum()) * most, 1))
        integers, at = np.unique(integers, return_inverse=True)
        n_of_weight = np.bincount(at, weights=n).astype(np.int64)
        slack = error * int(n.sum()) * most
        low, high = mean_bounds.sum_bounds(int(integers @ n_of_weight), slack)
        divisor = gcd(*integers.tolist())
        return cls(integers // divisor, n_of_weight, most, -(-low // divisor), high // divisor)

    @property
    def caps(self) -> Labels:
        return self.n * self.most

    def count_solutions(self) -> SolutionCounts:
        """How many records are determined, and how many undecided."""
        bounds = self._tightened_bounds()
        if bounds is None:
            return SolutionCounts(0, int(self.n.sum()))
        if self._is_dense:
            return self._counts(self._is_fixed(*bounds))
        if max(_numbers_of_sums(_halves(*bounds), *bounds)) > MOST_SUMS:
            return self._count_partially()
        found = _meet_in_the_middle(self.weights, *bounds, self.low, self.high)
        if found.least is None or found.greatest is None:
            return SolutionCounts(0, int(self.n.sum()), found.work)
        return self._counts(self._is_fixed(found.least, found.greatest), work=found.work)

    def _counts(self, fixed: Mask, open_: Mask | None = None, work: int = 0) -> SolutionCounts:
        undecided = np.zeros_like(fixed) if open_ is None else ~(fixed | open_)
        return SolutionCounts(int(self.n[fixed].sum()), int(self.n[undecided].sum()), work)

    def _is_fixed(self, least: Labels, greatest: Labels) -> Mask:
        """(n_weights,) whether sums from ``least`` to ``greatest`` leave each of their records one value."""
        alone = (self.n == 1) | (least == 0) | (least == self.caps)
        fixed: Mask = (least == greatest) & alone
        return fixed

    @property
    def _is_dense(self) -> bool:
        return self.high - self.low + 1 >= int(self.weights.max())

    def _tightened_bounds(self) -> tuple[Labels, Labels] | None:
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

    def _count_partially(self) -> SolutionCounts:
        """Varies some weights at a time near the mean, with all others as near to it as possible."""
        open_, work = np.zeros(len(self.n), dtype=bool), 0
        center = self._center()
        for varied, reach in _varied_weights(len(self.n)):
            least = np.maximum(center[varied] - reach, 0)
            greatest = np.minimum(center[varied] + reach, self.caps[varied])
            fixed_sum = int(self.weights @ center - self.weights[varied] @ center[varied])
            found = _meet_in_the_middle(
                self.weights[varied], least, greatest, self.low - fixed_sum, self.high - fixed_sum
            )
            work += found.work
            if work > MOST_WORK:
                break
            if found.least is not None and found.greatest is not None:
                equation = Equation(self.weights[varied], self.n[varied], self.most, self.low, self.high)
                open_[varied] |= ~equation._is_fixed(found.least, found.greatest)
        return self._counts(np.zeros_like(open_), open_, work)

    def _center(self) -> Labels:
        """(n_weights,) the s of records at the mean, rounded so that errors do not accumulate."""
        mean = (self.low + self.high) / 2 / int(self.weights @ self.n)
        integers = np.diff(np.rint(mean * np.cumsum(self.n)), prepend=0.0)
        center: Labels = np.clip(integers, 0, self.caps).astype(np.int64)
        return center


def count_without_weights(n: int, mean_bounds: MeanBounds, most: int) -> SolutionCounts:
    """The same of the equation of ``n`` records of weight 1: every sum within its ends has a solution."""
    if n * most > LARGEST_SUM:
        return Equation.of(np.ones(1), np.array([n]), mean_bounds, most).count_solutions()
    low, high = mean_bounds.sum_bounds(n, Fraction(0))
    least, greatest = max(low, 0), min(high, n * most)
    if least > greatest:
        return SolutionCounts(0, n)
    is_fixed = least == greatest and (n == 1 or least in (0, n * most))
    return SolutionCounts(n if is_fixed else 0, 0)


@dataclass(frozen=True)
class _SolutionRange:
    """The least and the greatest s of each weight among the solutions; None where there is no solution."""

    least: Labels | None
    greatest: Labels | None
    work: int


def _meet_in_the_middle(weights: Labels, least: Labels, greatest: Labels, low: int, high: int) -> _SolutionRange:
    """Matches the sums of one half of the weights with what those of the other half leave."""
    halves = _halves(least, greatest)
    shapes = [tuple((greatest[half] - least[half] + 1).tolist()) for half in halves]
    few_sums, many_sums = (_sums(weights[half], shape) for half, shape in zip(halves, shapes, strict=True))
    base = int(weights @ least)
    order = np.argsort(few_sums, kind="stable")
    first = np.searchsorted(few_sums[order], low - base - many_sums, "left")
    last = np.searchsorted(few_sums[order], high - base - many_sums, "right")
    matching = np.flatnonzero(last > first)
    work = few_sums.size + many_sums.size
    if not matching.size:
        return _SolutionRange(None, None, work)
    borders = (np.bincount(side[matching], minlength=few_sums.size + 1) for side in (first, last))
    is_matched = np.cumsum(next(borders) - next(borders))[:-1] > 0
    lowest, highest = least.copy(), least.copy()
    for half, shape, found in zip(halves, shapes, (order[is_matched], matching), strict=True):
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


def _numbers_of_sums(halves: tuple[Labels, Labels], least: Labels, greatest: Labels) -> tuple[int, ...]:
    return tuple(prod((greatest[half] - least[half] + 1).tolist()) for half in halves)


def _sums(weights: Labels, shape: tuple[int, ...]) -> Labels:
    """(product of the shape,) all sums, in the order of ``unravel_index``."""
    sums = np.zeros(1, dtype=np.int64)
    for weight, size in zip(weights.tolist(), shape, strict=True):
        sums = (sums[:, None] + weight * np.arange(size)).ravel()
    return sums


def _varied_weights(n_weights: int) -> Iterator[tuple[Labels, int]]:
    """Which weights are varied together, and by how much in both directions; every weight once."""
    n_together = 2
    while 3 ** (n_together // 2 + 1) <= MOST_PARTIAL_SUMS:
        n_together += 2
    n_rounds = -(-n_weights // n_together)
    for varied in np.array_split(np.arange(n_weights), n_rounds):
        values = int(MOST_PARTIAL_SUMS ** (1 / -(-len(varied) // 2)) + 1e-9)
        yield varied, max((values - 1) // 2, 1)


def _integer_weights(weights: Vector, largest: int) -> tuple[Labels, Fraction]:
    """Weights as integer multiples of a unit, and the largest error of one: 0 where all digits fit."""
    weights = np.ldexp(weights, -int(np.frexp(weights.max())[1])) if weights.max() < SMALLEST else weights
    for places in range(MOST_PLACES + 1):
        scale = 10.0**places
        integers = np.rint(weights * scale)
        if float(integers.max()) > min(largest, 2**53):
            break
        if (integers / scale == weights).all():
            return integers.astype(np.int64), Fraction(0)
    scale = min(largest, 2**53) / float(weights.max()) / 2
    return np.maximum(np.rint(weights * scale), 1).astype(np.int64), Fraction(1, 2)
