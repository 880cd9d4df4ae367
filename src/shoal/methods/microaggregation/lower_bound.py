"""A lower bound on the SSE of any partition into groups of at least k records.

arrays of one block -> LowerBound(float)

The instant bound: every record is at least as far from its group as from its nearest neighbors. A stronger one, for
tables of up to 5,000 records: the linear relaxation of set partitioning over all groups of k to 2k - 1 records (a
larger group is never better than its halves), by column generation with exact pricing. Where only few groups could
still be part of a better partition, the integer problem over them closes the gap: then the bound is the optimum, and
the optimal partition is known.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.kernels import thread_pool
from shoal.methods.microaggregation.annealing import AnnealingProblem
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.pool import Pool
from shoal.methods.microaggregation.prices import SLACK, instant_prices
from shoal.methods.microaggregation.pricing import ColumnGeneration
from shoal.methods.microaggregation.refine import anneal_chains
from shoal.methods.microaggregation.search_budget import TimeBudget
from shoal.plan import Partition

MOST_RECORDS = 5000  # squared distances of all pairs are stored: 200 MB
SHARE_OF_CHAINS = 0.25  # of the time, to fill an initial pool of groups
SECONDS_PER_RECORD = 0.01  # upper limit of that time
PER_CHAIN = 1000  # proposals per record: many short chains visit more groups than few long ones


class LowerBound(float):
    """A lower bound on the SSE. ``optimum`` is a partition that attains it, where one is known."""

    instant: float
    optimum: Partition | None

    def __new__(cls, value: float, instant: float, optimum: Partition | None = None) -> LowerBound:
        bound = super().__new__(cls, value)
        bound.instant, bound.optimum = instant, optimum
        return bound

    @property
    def is_optimal(self) -> bool:
        return self.optimum is not None


def lower_bound(X: ArrayLike, k: int, *, seconds: float = 10, threads: int | None = None) -> LowerBound:
    """A lower bound on the SSE of all partitions of ``X`` into groups of at least ``k`` records."""
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
    budget = TimeBudget(min(SHARE_OF_CHAINS * seconds, SECONDS_PER_RECORD * n), small=True, per_chain=PER_CHAIN)
    problem = AnnealingProblem.of(records, k, n_threads)
    best, _ = anneal_chains(problem, mdav(records, k).labels, np.random.SeedSequence(0), budget, pool.add_partition)
    pricing = ColumnGeneration(records, k, prices, best, pool, n_threads)
    pricing.improve(end)
    if pricing.close(end):
        optimum = Partition(pricing.best)
        return LowerBound(optimum.sse(records), instant, optimum)
    return LowerBound(max(instant, _safe(pricing.bound)), instant)


def _safe(bound: float) -> float:
    return max(0.0, bound * (1 - SLACK))
