"""A lower bound on the SSE of any partition into groups of at least k records.

arrays of one block -> LowerBound(float)

At once: every record is at least as far from its group as from its nearest neighbors. Stronger, for tables of up to
5,000 records: the linear relaxation of set partitioning over all groups of k to 2k - 1 records (a larger group is never
better than its halves), by column generation with exact pricing. Prices lie between the best so far, for which the bound
holds, and the duals of the relaxation (in-out separation, Ben-Ameur & Neto 2007, doi:10.1002/net.20190), so the
bound holds at every moment. Where the groups that could still be part of a better partition are few, the integer
problem over them closes the gap: then the bound is the optimum, and the partition is known.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.kernels import Labels, Matrix, Vector
from shoal.methods.microaggregation import crew
from shoal.methods.microaggregation.annealing import Ground
from shoal.methods.microaggregation.budget import Clock
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.pool import Pool
from shoal.methods.microaggregation.prices import SLACK, instant_prices, low, search
from shoal.methods.microaggregation.refine import restarts
from shoal.methods.microaggregation.set_partitioning import Relaxation, choose
from shoal.plan import Partition

MOST_RECORDS = 5000  # squared distances of all pairs are held: 200 MB
GROUPS_PER_JOB = 500
NEW_PER_RECORD = 3  # groups added in a round
SHARE_OF_CHAINS = 0.25  # of the time, for a first pool of groups
PER_CHAIN = 1000  # proposals per record: many short chains see more groups than few long ones
CLOSE = 1e-7  # of the value: a relaxation this near its bound is solved
MOST_TO_CLOSE = 20_000  # groups of an integer problem that may be worth its while


class LowerBound(float):
    """A bound on the SSE. ``optimum`` is a partition that reaches it, where one is known."""

    instant: float
    optimum: Partition | None

    def __new__(cls, value: float, instant: float, optimum: Partition | None = None) -> LowerBound:
        bound = super().__new__(cls, value)
        bound.instant, bound.optimum = instant, optimum
        return bound

    @property
    def is_optimal(self) -> bool:
        return self.optimum is not None


def lower_bound(X: ArrayLike, k: int, seconds: float = 10, threads: int | None = None) -> LowerBound:
    """A bound that no partition of ``X`` into groups of at least ``k`` records can go below."""
    records = kernels.as_matrix(X)
    n = len(records)
    k = kernels.check_k(k, n)
    end = time.monotonic() + seconds
    if n < 2 * k:
        whole = Partition(np.zeros(n, dtype=np.int64))
        return LowerBound(whole.sse(records), whole.sse(records), whole)
    crew_size = crew.n_threads(threads)
    prices = instant_prices(records, k, crew_size)
    instant = _safe(float(prices.sum()))
    if n > MOST_RECORDS:
        return LowerBound(instant, instant)
    pool = Pool(records)
    budget = Clock(SHARE_OF_CHAINS * seconds, small=True, per_chain=PER_CHAIN)
    ground = Ground.of(records, k, crew_size)
    best, _ = restarts(ground, mdav(records, k).labels, np.random.SeedSequence(0), budget, pool.add_partition)
    pricing = Pricing(records, k, prices, best, pool, crew_size)
    pricing.improve(end)
    if pricing.close(end):
        best = Partition(pricing.best)
        return LowerBound(best.sse(records), instant, best)
    return LowerBound(max(instant, _safe(pricing.bound)), instant)


@dataclass
class Pricing:
    """Column generation: a growing pool of groups, prices for which the bound holds, and the best partition known."""

    records: Matrix
    k: int
    prices: Vector  # (n_records,) no group costs less than its records are worth
    best: Labels
    pool: Pool
    threads: int
    distances: Matrix = field(init=False)

    def __post_init__(self) -> None:
        self.pool.add_partition(self.best)
        self.distances = kernels.squared_distances(self.records)
        self._relaxation = Relaxation(self.pool)

    @property
    def bound(self) -> float:
        return float(self.prices.sum())

    @property
    def gap(self) -> float:
        """What a better partition may still gain."""
        return max(0.0, Partition(self.best).sse(self.records) - self.bound)

    def improve(self, end: float) -> bool:
        """Better prices until the clock says ``end``; true when the relaxation is solved."""
        step = 0.5  # the share of the way from the prices to the duals
        with progress.stage("pricing groups", 100) as at:
            while time.monotonic() < end:
                value, duals = self._relaxation.solve()
                at(min(100, int(100 * self.bound / value)) if value > 0 else 100)
                if value - self.bound <= CLOSE * value:
                    return True
                tried = self.prices + step * (duals - self.prices)
                found = search(self.distances, self.k, tried, 0.0, self.threads, GROUPS_PER_JOB)
                n_new = sum(map(self.pool.add, low(found, len(tried), NEW_PER_RECORD)))
                if not found.is_complete:
                    step /= 2
                    continue
                lowered = tried + np.minimum(found.least, 0.0)
                if lowered.sum() > self.bound:
                    self.prices = lowered
                elif n_new == 0 and step == 1.0:
                    return True
                step = 1.0 if n_new == 0 else min(0.5, 2 * step)
        return False

    def close(self, end: float) -> bool:
        """True when ``best`` is the optimum: no group that a better partition needs is left out."""
        gap = self.gap
        if gap <= CLOSE * self.bound:
            return True
        reach = gap * (1 + 1e-6) + SLACK * self.bound
        found = search(self.distances, self.k, self.prices, reach, self.threads, GROUPS_PER_JOB, all_or_none=True)
        if not found.has_all or found.n_groups > MOST_TO_CLOSE or time.monotonic() >= end:
            return False
        for groups in found.groups:
            self.pool.add(groups)
        possible = np.flatnonzero(self.pool.reduced_costs(self.prices) <= reach)
        choice = choose(self.pool, possible.tolist(), self.best, end - time.monotonic())
        if Partition(choice.labels).sse(self.records) < Partition(self.best).sse(self.records):
            self.best = choice.labels
        return choice.is_optimal


def _safe(bound: float) -> float:
    return max(0.0, bound * (1 - SLACK))
