"""Refinement of a partition by local search: descent first, then simulated annealing.

arrays of one block, Partition -> RefinedPartition

Moves: a record is moved to the group of a nearby record, or swapped with the best member of it; a group that reaches 2k
records is split; a group of k is dissolved into its neighbors. So all groups end with k to 2k - 1 records.

A table of up to 12 records is solved to optimality. One of up to 8,192 is searched by chains that all start from the
descended partition, and the best end is taken; the first on ties. A larger one is searched by a single annealing in
stages, over tiles processed in parallel. Random numbers belong to a chain or a tile, so the result does not depend on
the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.errors import ArrayError
from shoal.kernels import Labels, Matrix, thread_pool
from shoal.methods.microaggregation.annealing import AnnealingProblem, AnnealingStage, Seed
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.search_budget import N_STAGES, Budget, ProposalBudget, TimeBudget, descent_length
from shoal.methods.microaggregation.tiny_table import is_tiny, optimal_partition
from shoal.plan import Partition

SMALL = 8192  # largest number of records that chains search as a whole
LAST_DESCENT = 0.05  # share of a chain that is a pure descent


@dataclass(frozen=True, eq=False, repr=False)
class RefinedPartition(Partition):
    """A refined partition and the proposals it took: those of the descent, then of every chain or stage.

    ``refine(..., proposals=refined.proposals)`` reproduces it, independently of time.
    """

    proposals: tuple[int, ...] = ()


def refine(
    X: ArrayLike,
    partition: Partition,
    k: int,
    *,
    seconds: float | None = None,
    proposals: int | Sequence[int] | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> RefinedPartition:
    """The best partition found into groups of ``k`` to 2k - 1 records, never worse than ``partition``.

    The budget is a time, or a number of proposals, a total or a list like ``RefinedPartition.proposals``; without
    one only the descent is run. A time includes the search for nearest records and the descent: where it is over before
    these are done, what was found so far is returned.
    """
    records = partition.records(X)
    k, seed = kernels.check_k(k, len(records)), kernels.check_seed(seed)
    budget = budget_of(seconds, proposals, len(records))
    start = split_large_groups(records, partition, k)
    if is_tiny(records) or start.n_groups == 1:
        return RefinedPartition(optimal_partition(records, k, start).labels)
    problem = AnnealingProblem.of(records, k, thread_pool.n_threads(threads), budget.is_over)
    search = anneal_chains if len(records) <= SMALL else anneal_tiles
    best, spent = search(problem, start.labels, np.random.SeedSequence(seed), budget)
    return RefinedPartition(problem.best_of(start.labels, best), tuple(spent))


def split_large_groups(records: Matrix, partition: Partition, k: int) -> Partition:
    """Groups of k to 2k - 1 records: larger ones are split by MDAV."""
    partition.check(k)
    labels = partition.labels.copy()
    n_groups = partition.n_groups
    for group in np.flatnonzero(partition.sizes >= 2 * k):
        members = np.flatnonzero(partition.labels == group)
        parts = mdav(records[members], k)
        labels[members] = np.where(parts.labels == 0, group, parts.labels + n_groups - 1)
        n_groups += parts.n_groups - 1
    return Partition(labels)


def budget_of(seconds: float | None, proposals: int | Sequence[int] | None, n_records: int) -> Budget:
    """The requested budget: a time, a total of proposals, a list of proposals, or the first descent only."""
    small = n_records <= SMALL
    if seconds is not None and proposals is not None:
        raise ArrayError.two_budgets()
    if seconds is not None:
        return TimeBudget(seconds, small)
    if proposals is None:
        return ProposalBudget([descent_length(n_records, small)])
    counts = [int(count) for count in np.atleast_1d(proposals)]
    if min(counts, default=0) < 0:
        raise ArrayError.too_small("proposals", 0, min(counts))
    return ProposalBudget.of_total(counts[0], n_records, small) if np.ndim(proposals) == 0 else ProposalBudget(counts)


def anneal_chains(
    problem: AnnealingProblem,
    start: Labels,
    seed: Seed,
    budget: Budget,
    seen: Callable[[Labels], object] = lambda labels: None,
) -> tuple[Labels, list[int]]:
    """Descent, then chains from its end: the best result, the first on ties. ``seen`` receives each chain's result."""
    if n_pilot := budget.pilot(len(start)):
        problem.run_chains([start], [[AnnealingStage(n_pilot)]], [np.random.SeedSequence(0)], lambda n_done: None)
        budget.report(n_pilot)
    spent = [budget.descent(len(start))]
    of_descent = seed.spawn(1)
    best = descended = start
    if spent[0]:
        with progress.stage("descending", spent[0]) as at:
            best = descended = problem.run_chains([start], [[AnnealingStage(spent[0])]], of_descent, at)[0]
        budget.report(spent[0])
    heat = problem.heat(descended)
    while lengths := budget.chains(len(start), problem.threads):
        stages = [
            [AnnealingStage(length - (rest := int(LAST_DESCENT * length)), heat), AnnealingStage(rest)]
            for length in lengths
        ]
        with progress.stage(f"annealing, loss {problem.loss(best):.4f} %", sum(lengths)) as at:
            ends = problem.run_chains([descended] * len(stages), stages, seed.spawn(len(stages)), at)
        budget.report(sum(lengths))
        for end in ends:
            seen(end)
        best = problem.best_of(best, *ends)
        spent += lengths
    return best, spent


def anneal_tiles(problem: AnnealingProblem, start: Labels, seed: Seed, budget: Budget) -> tuple[Labels, list[int]]:
    """Descent, then one annealing in stages; the last stage is a descent again."""
    if n_pilot := budget.pilot(len(start)):
        problem.run_tiles(start, AnnealingStage(n_pilot), np.random.SeedSequence(0), lambda n_done: None)
        budget.report(n_pilot)
    spent: list[int] = []

    def go(what: str, labels: Labels, stage: AnnealingStage) -> Labels:
        spent.append(stage.n_proposals)
        of_stage = seed.spawn(1)[0]
        if stage.n_proposals == 0:
            return labels
        if stage.heat.hot:
            what = f"{what}, loss {problem.loss(labels):.4f} %"
        with progress.stage(what, stage.n_proposals) as at:
            end = problem.run_tiles(labels, stage, of_stage, at)
        budget.report(stage.n_proposals)
        return end

    labels = descended = go("descending", start, AnnealingStage(budget.descent(len(start))))
    if budget.is_over():
        return descended, spent
    heat = problem.heat(descended)
    for number in range(N_STAGES - 1):
        part = heat.between(number / (N_STAGES - 1), (number + 1) / (N_STAGES - 1))
        labels = go("annealing", labels, AnnealingStage(budget.stage(N_STAGES - number), part))
    return problem.best_of(descended, go("descending", labels, AnnealingStage(budget.stage(1)))), spent
