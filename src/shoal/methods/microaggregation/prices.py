"""Prices of records: dual values of the set-partitioning bound; no group costs less than the prices of its records.

    SSE of a group  >=  sum of the prices of its records        for every group of k to 2k - 1 records,

so the sum of all prices is a lower bound on the SSE of every partition. Prices that violate this for some groups are
reduced by the largest violation, divided evenly among the records of the group; then the bound is valid again.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from shoal import kernels
from shoal.kernels import Matrix, Vector, thread_pool
from shoal.methods.microaggregation.neighborhoods import nearest_records

Groups = NDArray[np.int32]  # (n_groups, size)
Priced = tuple[Groups, Vector, Vector, int, bool]  # as returned by Pricer.price

RECORDS_PER_JOB = 20
NODES_PER_RECORD = 100  # subsets extended before a search gives up: with bad prices it would not end
NODES = 300_000  # total for a small table, which is more per record
SLACK = 1e-9  # of the bound: more than the rounding error


@dataclass(frozen=True)
class PricingLimits:
    """How many groups a search keeps per job, the cheapest ones, and when it ends."""

    groups_per_job: int
    end: float = float("inf")  # in time.monotonic


@dataclass(frozen=True, eq=False)
class PricedGroups:
    """Groups whose reduced cost, SSE minus prices, is below a threshold."""

    groups: list[Groups]  # one array per size
    reduced_costs: list[Vector]
    least: Vector  # (n_records,) least reduced cost / size of any group with the record
    is_complete: bool  # no group was missed: ``least`` is valid
    has_all: bool  # and all of them are listed

    @property
    def n_groups(self) -> int:
        return sum(map(len, self.groups))


def price_groups(
    pricer: kernels.Pricer,
    k: int,
    prices: Vector,
    threshold: float,
    threads: int,
    limits: PricingLimits,
    all_or_none: bool = False,
) -> PricedGroups:
    """All groups of k to 2k - 1 records below the threshold, or as many as the limits allow.

    With ``all_or_none`` the search ends as soon as it cannot return all.
    """
    n = pricer.n
    sizes = range(k, min(2 * k, n + 1))
    most_nodes = max(NODES_PER_RECORD, NODES // n) * RECORDS_PER_JOB
    given_up = threading.Event()

    def grow(size: int, first: int, report: thread_pool.Report) -> Priced:
        report(1)
        if time.monotonic() > limits.end:
            given_up.set()
        last = first if given_up.is_set() else min(n, first + RECORDS_PER_JOB)
        found = pricer.price(
            duals=prices,
            size=size,
            threshold=threshold,
            first=first,
            last=last,
            max_groups=limits.groups_per_job,
            max_nodes=most_nodes,
        )
        if all_or_none and not (found[4] and found[3] <= limits.groups_per_job):
            given_up.set()
        return found

    jobs = [partial(grow, size, first) for size in sizes for first in range(0, n, RECORDS_PER_JOB)]
    found = thread_pool.run(jobs, threads, lambda done: None)
    per_size = len(jobs) // len(sizes)
    by_size = [found[at : at + per_size] for at in range(0, len(jobs), per_size)]
    is_complete = all(part[4] for part in found) and not given_up.is_set()
    return PricedGroups(
        [np.concatenate([part[0] for part in parts]) for parts in by_size],
        [np.concatenate([part[1] for part in parts]) for parts in by_size],
        np.minimum.reduce([part[2] for part in found]),
        is_complete,
        is_complete and all(part[3] <= limits.groups_per_job for part in found),
    )


def instant_prices(records: Matrix, k: int, threads: int) -> Vector:
    """Half the least mean squared distance of a record to the others of any group: only neighbors are needed.

    The SSE of a group of m is the sum of its squared distances over m, and half of each belongs to either record.
    """
    near = nearest_records(records, 2 * k - 2, threads, look_at_most=len(records))  # (n, up to 2k - 2)
    squared = np.column_stack([((records - records[near[:, at]]) ** 2).sum(axis=1) for at in range(near.shape[1])])
    sums = np.cumsum(squared, axis=1)  # (n, 2k - 2): over the nearest 1, 2, ...
    sizes = np.arange(2, near.shape[1] + 2)
    least: Vector = np.min((sums / (2 * sizes))[:, sizes >= k], axis=1)
    return least


def cheapest_groups(found: PricedGroups, n_records: int, per_record: int) -> list[Groups]:
    """Of the groups found, the ``per_record`` cheapest of every record, per size; the first found on ties."""
    kept = []
    for groups, costs in zip(found.groups, found.reduced_costs, strict=True):
        order = np.argsort(costs, kind="stable")
        seen = np.zeros(n_records, dtype=np.int64)
        chosen = []
        for at in order.tolist():
            if seen[groups[at]].min() < per_record:
                seen[groups[at]] += 1
                chosen.append(at)
        kept.append(groups[np.sort(np.asarray(chosen, dtype=np.int64))])
    return kept
