"""Microaggregation that uses a given budget as well as possible, by choosing and combining the methods.

arrays of one block -> Microaggregation(Partition)

    at most 12 records            the optimum, by trying all subsets
    no budget                     MDAV, then descent
    proposals                     MDAV, descent, annealing; a small table also chooses from the groups of all chains
    seconds, a small table        the same in a third of the time, then recombination in rounds until time is up
    seconds, a large table        MDAV, descent, annealing over tiles; given enough time, windows solved exactly

A budget in proposals gives reproducible results; the result of a budget in seconds depends on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.errors import ArrayError, PolicyError
from shoal.kernels import Ints, Labels, thread_pool
from shoal.methods.method_budget import MethodBudget
from shoal.methods.microaggregation.annealing import AnnealingProblem
from shoal.methods.microaggregation.in_blocks import group_blocks
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.methods.microaggregation.pool import Pool
from shoal.methods.microaggregation.prices import SLACK, instant_prices
from shoal.methods.microaggregation.recombine import MOST_PRICED, Recombination
from shoal.methods.microaggregation.refine import SMALL, anneal_chains, anneal_tiles, budget_of
from shoal.methods.microaggregation.search_budget import TimeBudget
from shoal.methods.microaggregation.tiny_table import gap, is_tiny, optimal_partition
from shoal.plan import Partition

PROOF = "proof of optimality"  # the last step, where the partition is the optimum
NODES = 200  # branch-and-bound nodes of the integer problem, where the budget is in proposals
SHARE_OF_CHAINS = 0.3  # of the time, spent before recombination
SHARE_OF_WINDOWS = 0.3  # of the time, for a large table whose budget exceeds PATIENT seconds
SECONDS_FOR_WINDOWS = 60.0
SECONDS_PER_CHOICE = 60.0


@dataclass(frozen=True)
class HistoryEntry:
    """A completed step: what was done, the time at its end, and the information loss then, in percent."""

    what: str
    seconds: float
    loss: float


@dataclass(frozen=True, eq=False, repr=False)
class Microaggregation(Partition):
    """A partition, the steps that led to it, and a lower bound on the loss of every partition.

    bound  information loss in percent; None where it was not computed, in blocks and above 8,192 records
    """

    steps: tuple[HistoryEntry, ...] = ()
    proposals: tuple[int, ...] = ()
    bound: float | None = None

    @property
    def gap(self) -> float | None:
        """Loss in excess of the bound, as a share of the bound."""
        if self.bound is None:
            return None
        return gap(self.steps[-1].loss, self.bound)


def microaggregate(
    X: ArrayLike,
    k: int,
    *,
    seconds: float | None = None,
    proposals: int | Sequence[int] | None = None,
    seed: int = 0,
    threads: int | None = None,
    blocks: Partition | None = None,
) -> Microaggregation:
    """Groups of ``k`` to 2k - 1 records with as little information loss as the budget allows.

    With ``blocks`` every block is grouped separately, with its share of the budget and its own random seed. ``seconds``
    include MDAV, which is always completed.
    """
    started_at = time.monotonic()
    records = kernels.as_matrix(X)
    k, seed = kernels.check_k(k, len(records)), kernels.check_seed(seed)
    if seconds is not None and proposals is not None:
        raise ArrayError.two_budgets()
    if blocks is not None:
        return _in_blocks(records, k, seconds, proposals, seed, thread_pool.n_threads(threads), blocks)
    start = mdav(records, k)
    history = History(records, started_at)
    history.add("MDAV", start.labels)
    if is_tiny(records) or start.n_groups == 1:
        best = optimal_partition(records, k, start)
        history.add(PROOF, best.labels)
        return Microaggregation(best.labels, tuple(history.steps), bound=history.steps[-1].loss)
    until = None if seconds is None else started_at + seconds
    problem = AnnealingProblem.of(
        records, k, thread_pool.n_threads(threads), lambda: until is not None and time.monotonic() >= until
    )
    seeds = np.random.SeedSequence(seed)
    work = on_small_table if len(records) <= SMALL else on_large_table
    labels, spent = work(problem, start.labels, seeds, until, proposals, history)
    found = Microaggregation(labels, tuple(history.steps), tuple(spent), _bound(problem, history))
    found.check(k)
    return found


def _bound(problem: AnnealingProblem, history: History) -> float | None:
    """A lower bound on the loss: that of the found partition once it is proven, else by the nearest records of each."""
    if history.steps[-1].what == PROOF:
        return history.steps[-1].loss
    if len(problem.records) > SMALL:
        return None
    total = Partition(np.zeros(len(problem.records), dtype=np.int64)).sse(problem.records)
    prices = instant_prices(problem.records, problem.k, problem.threads)
    return 100 * (1 - SLACK) * float(prices.sum()) / total if total > 0 else 0.0


def _in_blocks(
    records: kernels.Matrix,
    k: int,
    seconds: float | None,
    proposals: int | Sequence[int] | None,
    seed: int,
    threads: int,
    blocks: Partition,
) -> Microaggregation:
    if proposals is not None and not isinstance(proposals, int):
        raise ArrayError.listed_proposals()
    started_at = time.monotonic()
    records = blocks.records(records)

    def group(members: Ints) -> Partition:
        share = len(members) / len(records)
        return microaggregate(
            records.take(members, axis=0),
            k,
            seconds=None if seconds is None else seconds * share * threads,
            proposals=None if proposals is None else int(proposals * share),
            seed=int(np.random.SeedSequence(seed, spawn_key=(int(blocks.labels[members[0]]),)).generate_state(1)[0]),
            threads=1,
        )

    found = group_blocks(blocks, group, threads=threads)
    history = History(records, started_at)
    history.add(f"the same within {blocks.n_groups} blocks", found.labels)
    return Microaggregation(found.labels, tuple(history.steps))


class History:
    """The steps completed so far."""

    def __init__(self, records: kernels.Matrix, started_at: float) -> None:
        self._records = records
        self._begun = started_at
        self.steps: list[HistoryEntry] = []

    def add(self, what: str, labels: Labels) -> None:
        loss = Partition(labels).information_loss(self._records)
        self.steps.append(HistoryEntry(what, time.monotonic() - self._begun, loss))


def on_small_table(
    problem: AnnealingProblem,
    start: Labels,
    seed: np.random.SeedSequence,
    until: float | None,
    proposals: int | Sequence[int] | None,
    history: History,
) -> tuple[Labels, list[int]]:
    pool = Pool(problem.records)
    left = 0.0 if until is None else until - time.monotonic()
    budget = (
        budget_of(None, proposals, len(start))
        if until is None
        else TimeBudget(SHARE_OF_CHAINS * left, True, per_chain=3000)
    )
    best, spent = anneal_chains(problem, start, seed, budget, pool.add_partition)
    history.add(f"descent and {len(spent) - 1} chains" if spent[1:] else "descent", best)
    if not pool.groups:
        return best, spent
    work = Recombination(problem, best, pool, seed)
    if until is None:
        work.choose(n_nodes=NODES)
        history.add("choice from the groups of all chains", work.best)
        return work.best, spent
    if isinstance(budget, TimeBudget):
        work.speed = budget.speed
    _rounds(work, until, history)
    return work.best, spent


def _rounds(work: Recombination, until: float, history: History) -> None:
    """Repeats: choose from the pool, choose among cheap groups, anneal; until time is up or the optimum is proven."""
    heat = work.problem.heat(work.best)
    n_round = 0
    while (left := until - time.monotonic()) > 1:
        if work.choose(min(SECONDS_PER_CHOICE, left / 2)):
            history.add("choice from the groups of all chains", work.best)
        left = until - time.monotonic()
        if len(work.best) <= MOST_PRICED and left > 5 and work.choose_cheap(until, min(2 * SECONDS_PER_CHOICE, left)):
            history.add("choice from cheap groups", work.best)
        if work.is_optimal:
            history.add(PROOF, work.best)
            return
        n_chains = 2 * work.problem.threads
        length = work.chain_length(n_chains, until - time.monotonic())
        if length == 0:
            return
        if work.anneal(heat.between(0.4 + 0.1 * (n_round % 3), 1.0), n_chains, length):
            history.add("chains from the best partition", work.best)
        n_round += 1


def on_large_table(
    problem: AnnealingProblem,
    start: Labels,
    seed: np.random.SeedSequence,
    until: float | None,
    proposals: int | Sequence[int] | None,
    history: History,
    min_seconds: float = SECONDS_FOR_WINDOWS,
) -> tuple[Labels, list[int]]:
    """``min_seconds``: seconds of budget from which solving windows exactly is worthwhile."""
    if until is None:
        best, spent = anneal_tiles(problem, start, seed, budget_of(None, proposals, len(start)))
        history.add("descent and annealing over tiles", best)
        return best, spent
    left = until - time.monotonic()
    share = 1 - SHARE_OF_WINDOWS if left > min_seconds else 1.0
    best, spent = anneal_tiles(problem, start, seed, TimeBudget(share * left, False))
    history.add("descent and annealing over tiles", best)
    work = Recombination(problem, best, Pool(problem.records), seed)
    gains = share < 1
    while gains and until - time.monotonic() > 1:
        gains = work.windows(until)
        history.add("windows solved to optimality", work.best)
    return work.best, spent


@dataclass(frozen=True)
class Microaggregate(MicroaggregationMethod):
    """``microaggregate`` as the method of a policy.

    proposals  the budget as a number of proposals, so that the release is reproducible; if omitted, MDAV and descent
    """

    proposals: int | None = None
    name: Literal["microaggregate"] = "microaggregate"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.proposals is not None and self.proposals < 1:
            raise PolicyError.too_small("method.proposals", 1, self.proposals, "leave it out to skip annealing")

    @property
    def seeks_optimum(self) -> bool:
        return True

    @property
    def budget(self) -> MethodBudget | None:
        stages = ("descending", "annealing", "annealing again")
        return None if self.proposals is None else MethodBudget(self.proposals, "proposals", stages)

    def with_share(self, share: float) -> Microaggregate:
        return self if self.proposals is None else replace(self, proposals=max(1, round(share * self.proposals)))

    def plan(self, X: kernels.Matrix, k: int, seed: int) -> Partition:
        return microaggregate(X, k, proposals=self.proposals, seed=seed)
