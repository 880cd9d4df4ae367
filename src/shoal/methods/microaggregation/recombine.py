"""Recombination: the best partition composed of the groups of many partitions, which no single search finds.

    choose        from the pool of all groups in which chains ended
    choose_cheap  from groups that cost little more than the prices of their records (those of the lower bound)
    anneal        chains from the best partition, at a lower temperature, to obtain other groups to choose from
    windows       of a large table: tiles of some hundred records, each recomposed optimally

Every step starts from the best partition so far and never makes it worse.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from shoal import progress
from shoal.kernels import Ints, Labels, Vector, thread_pool
from shoal.methods.microaggregation.annealing import AnnealingProblem, AnnealingStage, CoolingSchedule, Seed
from shoal.methods.microaggregation.neighborhoods import Tiling
from shoal.methods.microaggregation.pool import Pool
from shoal.methods.microaggregation.prices import PricingLimits, cheapest_groups, instant_prices, price_groups
from shoal.methods.microaggregation.pricing import ColumnGeneration
from shoal.methods.microaggregation.search_budget import TIME_MARGIN
from shoal.methods.microaggregation.set_partitioning import choose
from shoal.plan import Partition

MOST_PRICED = 5000  # records whose distances to all others can be stored
PER_CHAIN = 3000  # proposals per record of a chain from the best partition
LARGE_SHARE = 0.2  # of the gap: a group with a larger share hides where the others could gain
RECORDS_PER_WINDOW = 120
SECONDS_PER_WINDOW = 2.0
GROUPS_PER_JOB = 5000


@dataclass
class Recombination:
    """The best partition so far, and the pool of groups encountered."""

    problem: AnnealingProblem
    best: Labels
    pool: Pool
    seed: Seed
    prices: Vector | None = field(default=None, init=False)  # (n_records,) of the lower bound
    is_optimal: bool = field(default=False, init=False)  # proven: no better partition exists
    n_tries: int = field(default=0, init=False)  # calls of choose_cheap since the last gain
    speed: float = field(default=0.0, init=False)  # proposals per second of the last chains, all threads together

    def keep(self, labels: Labels) -> bool:
        """Adds a partition to the pool and keeps it if it is better; true if so."""
        self.pool.add_partition(labels)
        better = self.problem.best_of(self.best, labels)
        gained = better is not self.best
        self.best = better
        return gained

    def choose(self, seconds: float | None = None, n_nodes: int | None = None) -> bool:
        """Chooses the best partition from those groups of the pool that a better one may need; true if it is better."""
        self.pool.add_partition(self.best)
        useful = np.arange(len(self.pool))
        if self.prices is not None:
            gap = Partition(self.best).sse(self.problem.records) - self.prices.sum()
            useful = np.flatnonzero(self.pool.reduced_costs(self.prices) <= gap)
        return self.keep(choose(self.pool, useful.tolist(), self.best, seconds, n_nodes).labels)

    def chain_length(self, n_chains: int, seconds: float) -> int:
        """Proposals of each of so many chains that fit into a time; 0 where they are fewer than the records."""
        fits = int(TIME_MARGIN * seconds * self.speed / n_chains)
        return min(fits, PER_CHAIN * len(self.best)) if fits >= len(self.best) else 0

    def anneal(self, heat: CoolingSchedule, n_chains: int, n_proposals: int) -> bool:
        """Runs chains of so many proposals from the best partition; true if one ends better."""
        started_at = time.monotonic()
        stages = [AnnealingStage(n_proposals, heat), AnnealingStage(n_proposals // 20)]
        with progress.stage(
            f"annealing again, loss {self.problem.loss(self.best):.4f} %", n_chains * n_proposals
        ) as at:
            ends = self.problem.run_chains([self.best] * n_chains, [stages] * n_chains, self.seed.spawn(n_chains), at)
        self.speed = n_chains * n_proposals / max(1e-6, time.monotonic() - started_at)
        gains = [self.keep(end) for end in ends]
        return any(gains)

    def choose_cheap(self, end: float, seconds: float) -> bool:
        """Chooses from the groups of least reduced cost of every record, more of them at every try; true if better."""
        known = self.best
        prices, free = self._prices(end - seconds / 2)
        if self.is_optimal:
            return self.best is not known
        records, labels = self.problem.records[free], _renumber(self.best[free])
        pricing = ColumnGeneration(records, self.problem.k, prices, labels, Pool(records), self.problem.threads)
        reach = pricing.gap / 16 * 2 ** min(2.0, self.n_tries / 2)
        found = price_groups(
            pricing.pricer, self.problem.k, prices, reach, self.problem.threads, PricingLimits(GROUPS_PER_JOB, end)
        )
        for groups in cheapest_groups(found, len(free), 10 * 2**self.n_tries):
            pricing.pool.add(groups)
        inside = np.isin(np.arange(len(self.best)), free)
        for group in self.pool.groups:
            if len(pricing.pool) < 10**6 and inside[list(group)].all():
                pricing.pool.add(np.searchsorted(free, [group]))
        choice = choose(pricing.pool, range(len(pricing.pool)), labels, min(seconds, end - time.monotonic()))
        merged = self.best.copy()
        merged[free] = choice.labels + self.best.max() + 1
        gained = self.keep(_renumber(merged))
        self.n_tries = 0 if gained and not choice.is_optimal else self.n_tries + 1
        return gained

    def _prices(self, end: float) -> tuple[Vector, Ints]:
        """Prices of the records that may move, and these records: groups with a large share of the gap are excluded."""
        problem = self.problem
        prices = instant_prices(problem.records, problem.k, problem.threads) if self.prices is None else self.prices
        free = np.arange(len(self.best))
        while True:
            records, labels = problem.records[free], _renumber(self.best[free])
            pool = self.pool if len(free) == len(self.best) else Pool(records)
            pricing = ColumnGeneration(records, problem.k, prices, labels, pool, problem.threads)
            pricing.improve(end)
            if len(free) == len(self.best):
                self.prices = pricing.prices
                self.is_optimal = pricing.close(end)
                self.keep(pricing.best)
            gaps = pricing.gaps()  # (n_groups,)
            large = gaps > LARGE_SHARE * gaps.sum()
            if self.is_optimal or not large.any() or large.all() or time.monotonic() > end:
                return pricing.prices, free
            stays = ~large[pricing.best]
            free, prices = free[stays], pricing.prices[stays]

    def windows(self, end: float) -> bool:
        """Solves every window to optimality, as far as its time limit allows; true if the partition is better."""
        problem = self.problem
        rng = np.random.default_rng(self.seed.spawn(1)[0])
        tiling = Tiling.of(problem.records, self.best, max(2, RECORDS_PER_WINDOW // problem.k), rng)
        jobs = [partial(_window, problem, self.best, tile, end) for tile in tiling.tiles]
        with progress.stage(f"solving windows, loss {problem.loss(self.best):.4f} %", len(jobs)) as at:
            solved = thread_pool.run(jobs, problem.threads, at)
        labels = np.empty_like(self.best)
        n_groups = 0
        for tile, inside in zip(tiling.tiles, solved, strict=True):
            labels[tile] = inside + n_groups
            n_groups += int(inside.max()) + 1
        better = problem.best_of(self.best, labels)
        gained = better is not self.best
        self.best = better
        return gained


def _window(problem: AnnealingProblem, labels: Labels, tile: Ints, end: float, report: thread_pool.Report) -> Labels:
    records, inside = problem.records[tile], _renumber(labels[tile])
    until = min(end, time.monotonic() + SECONDS_PER_WINDOW)
    report(1)
    if time.monotonic() < end and inside.max() > 0:
        pricing = ColumnGeneration(records, problem.k, instant_prices(records, problem.k, 1), inside, Pool(records), 1)
        if pricing.improve(until):
            pricing.close(until)
        return pricing.best
    return inside


def _renumber(labels: Labels) -> Labels:
    """The same groups, renumbered without gaps."""
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
