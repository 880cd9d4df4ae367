"""Rank swapping: a released value is at most p % of the ranks away from the original one.

If partners are searched for upward, at distance x of the window (0 to 1) a share 2^(x - 1) of the values is not yet
swapped when the scan arrives: half of the values at the scan have been taken, each by a visit that draws with equal
probability among the free ones of the window, and this is the only share that reproduces itself. So the distance of
partners has the density ln 2 * 2^x. If partners are searched for on both sides, in random order, the density is
taken to be uniform. Of equal values the intruder does not know the ranks, so the density is averaged over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.assessment.risk.informed.likelihood import Likelihood, Mask, MissingCells, SearchWindow
from shoal.assessment.risk.informed.stratum_values import ColumnValues
from shoal.errors import PerturbationError
from shoal.kernels import Labels, Vector
from shoal.methods.perturbation import RankSwap


@dataclass(frozen=True, eq=False)
class RankSwapLikelihood(Likelihood):
    """Ranks are those among the original values of a stratum, from ``lowest`` to ``highest`` where values are equal."""

    lowest: Labels  # (n_original,)
    highest: Labels  # (n_original,)
    record_lowest: Labels  # (n_released,)
    record_highest: Labels  # (n_released,)
    reach: Labels  # (n_original,) ranks between partners at most, in the person's stratum
    n_ranks: Labels  # (n_original,) of the person's stratum
    is_upward: bool
    missing: MissingCells

    @classmethod
    def of(cls, values: ColumnValues, method: RankSwap) -> RankSwapLikelihood:
        persons, records = np.zeros((2, len(values.persons)), np.int64), np.zeros((2, len(values.records)), np.int64)
        reach, n_ranks = np.zeros((2, len(values.persons)), dtype=np.int64)
        for stratum in values.strata:
            ascending = np.sort(stratum.basis)
            persons[:, stratum.persons] = _rank_range(ascending, values.persons[stratum.persons])
            records[:, stratum.records] = _rank_range(ascending, values.records[stratum.records])
            reach[stratum.persons], n_ranks[stratum.persons] = _reach(method, len(ascending)), len(ascending)
        ranks = (persons[0], persons[1], records[0], records[1])
        return cls((values.name,), *ranks, reach, n_ranks, method.window == "upward", values.missing)

    def possible(self, persons: Labels, records: Labels) -> Mask | None:
        if self.missing.occur:
            return None
        reach = self.reach[persons]
        near: Mask = self.record_highest[records] >= self.lowest[persons] - reach
        near &= self.record_lowest[records] <= self.highest[persons] + reach
        return near

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        low, high, reach = self.lowest[persons], self.highest[persons], self.reach[persons]
        record_low, record_high = self.record_lowest[records], self.record_highest[records]
        nearest = np.maximum(np.maximum(low - record_high, record_low - high), 0)
        farthest = np.maximum(record_high - low, high - record_low)
        share = _share_up_to(self.is_upward)
        inside = share(np.minimum(farthest, reach) + 1, reach + 1) - share(np.minimum(nearest, reach), reach + 1)
        mean = np.where(nearest <= reach, inside, 0.0) / (farthest - nearest + 1)
        with np.errstate(divide="ignore"):
            ratios = np.log(mean * self.n_ranks[persons] / 2)
        return self.missing.applied_to(ratios, persons, records)

    @property
    def window(self) -> SearchWindow | None:
        """By the highest rank of a record's value; the lowest ranks behind a record in this order end the window."""
        if self.missing.occur:
            return None
        order = np.argsort(self.record_highest).astype(np.int64)
        lowest_behind = np.minimum.accumulate(self.record_lowest[order][::-1])[::-1]
        reached = (self.lowest - self.reach, self.highest + self.reach)
        return SearchWindow(order, self.record_highest[order], lowest_behind, *reached)


def _rank_range(ascending: Vector, values: Vector) -> tuple[Labels, Labels]:
    """The lowest and highest rank of each value; a value that does not occur has the rank of the next higher one."""
    order = np.argsort(values)  # a search for ascending values is much faster
    low, above = np.empty((2, len(values)), dtype=np.int64)
    low[order], above[order] = (np.searchsorted(ascending, values[order], side) for side in ("left", "right"))
    return low, np.maximum(low, above - 1)


def _reach(method: RankSwap, n: int) -> int:
    """0 where the stratum is too small for a swap."""
    try:
        return max(method.reach(n, "")) if n else 0
    except PerturbationError:
        return 0


def _share_up_to(is_upward: bool) -> Callable[[Labels, Labels], Vector]:
    """The share of the partners that are fewer than ``distance`` ranks away, of a window of ``width``."""

    def upward(distance: Labels, width: Labels) -> Vector:
        return np.exp2(distance / width) - 1

    def uniform(distance: Labels, width: Labels) -> Vector:
        return distance / width

    return upward if is_upward else uniform
