"""A lower bound on the SSE of any partition into groups of at least k records.

arrays of one block -> LowerBound(float)

At once: every record is at least as far from its group as from its nearest neighbors. Stronger, for tables of up to
5,000 records: the linear relaxation of set partitioning over all groups of k to 2k - 1 records (a larger group is never
better than its halves), by column generation with exact pricing. Where the groups that could still be part of a better
partition are few, the integer problem over them closes the gap: then the bound is the optimum, and the partition is
known.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.kernels import thread_pool
from shoal.methods.microaggregation.annealing import Ground
from shoal.methods.microaggregation.budget import Clock
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.pool import Pool
from shoal.methods.microaggregation.prices import SLACK, instant_prices
from shoal.methods.microaggregation.pricing import Pricing
from shoal.methods.microaggregation.refine import restarts
from shoal.plan import Partition

MOST_RECORDS = 5000  # squared distances of all pairs are held: 200 MB
SHARE_OF_CHAINS = 0.25  # of the time, for a first pool of groups
SECONDS_PER_RECORD = 0.01  # and no more than that
PER_CHAIN = 1000  # proposals per record: many short chains see more groups than few long ones


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
    n_threads = thread_pool.n_threads(threads)
    prices = instant_prices(records, k, n_threads)
    instant = _safe(float(prices.sum()))
    if n > MOST_RECORDS:
        return LowerBound(instant, instant)
    pool = Pool(records)
    budget = Clock(min(SHARE_OF_CHAINS * seconds, SECONDS_PER_RECORD * n), small=True, per_chain=PER_CHAIN)
    ground = Ground.of(records, k, n_threads)
    best, _ = restarts(ground, mdav(records, k).labels, np.random.SeedSequence(0), budget, pool.add_partition)
    pricing = Pricing(records, k, prices, best, pool, n_threads)
    pricing.improve(end)
    if pricing.close(end):
        optimum = Partition(pricing.best)
        return LowerBound(optimum.sse(records), instant, optimum)
    return LowerBound(max(instant, _safe(pricing.bound)), instant)


def _safe(bound: float) -> float:
    return max(0.0, bound * (1 - SLACK))
