"""Column generation: prices that approach the bound of the linear relaxation, and an integer problem to close the gap.

Prices are chosen between the best so far, for which the bound is valid, and the duals of the relaxation over the known
groups (in-out separation, Ben-Ameur & Neto 2007, doi:10.1002/net.20190); so the bound is valid at every moment.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from shoal import kernels, progress
from shoal.kernels import Labels, Matrix, Vector
from shoal.methods.microaggregation.pool import Pool
from shoal.methods.microaggregation.prices import SLACK, PricingLimits, cheapest_groups, price_groups
from shoal.methods.microaggregation.set_partitioning import Relaxation, choose
from shoal.plan import Partition

GROUPS_PER_JOB = 500
NEW_PER_RECORD = 3  # groups added in a round
CLOSE = 1e-7  # of the value: a relaxation this close to its bound counts as solved
MOST_TO_CLOSE = 20_000  # largest number of groups of an integer problem worth solving


@dataclass
class ColumnGeneration:
    """Column generation: a growing pool of groups, prices for which the bound is valid, the best known partition."""

    records: Matrix
    k: int
    prices: Vector  # (n_records,) no group costs less than the sum of its records' prices
    best: Labels
    pool: Pool
    threads: int
    pricer: kernels.Pricer = field(init=False)

    def __post_init__(self) -> None:
        self.pool.add_partition(self.best)
        self.pricer = kernels.Pricer(self.records)
        self._relaxation = Relaxation(self.pool)

    @property
    def bound(self) -> float:
        return float(self.prices.sum())

    @property
    def gap(self) -> float:
        """The most by which a better partition may still reduce the SSE."""
        return max(0.0, Partition(self.best).sse(self.records) - self.bound)

    def gaps(self) -> Vector:
        """SSE of each group of the best partition minus the prices of its records, (n_groups,)."""
        errors = (self.records - Partition(self.best).centroids(self.records)[self.best]) ** 2
        return np.bincount(self.best, weights=errors.sum(axis=1) - self.prices).astype(np.float64)

    def improve(self, end: float) -> bool:
        """Improves the prices until time ``end``; true when the relaxation is solved."""
        step = 0.5  # share of the distance from the prices to the duals
        with progress.stage("pricing groups", 100) as at:
            while time.monotonic() < end:
                value, duals = self._relaxation.solve(end - time.monotonic())
                at(min(100, int(100 * self.bound / value)) if value > 0 else 100)
                if value - self.bound <= CLOSE * value:
                    return True
                candidate = self.prices + step * (duals - self.prices)
                found = price_groups(
                    self.pricer, self.k, candidate, 0.0, self.threads, PricingLimits(GROUPS_PER_JOB, end)
                )
                n_new = sum(map(self.pool.add, cheapest_groups(found, len(candidate), NEW_PER_RECORD)))
                if not found.is_complete:
                    step /= 2
                    continue
                lowered = candidate + np.minimum(found.least, 0.0)
                if lowered.sum() > self.bound:
                    self.prices = lowered
                elif n_new == 0 and step == 1.0:
                    return True
                step = 1.0 if n_new == 0 else min(0.5, 2 * step)
        return False

    def close(self, end: float) -> bool:
        """True when ``best`` is the optimum: no group that a better partition needs was left out."""
        gap = self.gap
        if gap <= CLOSE * self.bound:
            return True
        reach = gap * (1 + 1e-6) + SLACK * self.bound
        limits = PricingLimits(MOST_TO_CLOSE, end)
        found = price_groups(self.pricer, self.k, self.prices, reach, self.threads, limits, all_or_none=True)
        if not found.has_all or found.n_groups > MOST_TO_CLOSE or time.monotonic() >= end:
            return False
        for groups in found.groups:
            self.pool.add(groups)
        possible = np.flatnonzero(self.pool.reduced_costs(self.prices) <= reach)
        choice = choose(self.pool, possible.tolist(), self.best, end - time.monotonic())
        if Partition(choice.labels).sse(self.records) < Partition(self.best).sse(self.records):
            self.best = choice.labels
        return choice.is_optimal
