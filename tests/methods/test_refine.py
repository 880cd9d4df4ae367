"""Refinement is never worse than its input, keeps its promises, and comes out the same again."""

import signal
import threading
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.exhaustive import optimum
from reference.tables import tables
from shapes import POINTS, points
from shoal import kernels
from shoal.errors import ArrayError
from shoal.methods.microaggregation.annealing import AnnealingProblem
from shoal.methods.microaggregation.neighborhoods import nearest_records
from shoal.methods.microaggregation.refine import anneal_chains, anneal_tiles, budget_of
from shoal.methods.microaggregation.search_budget import ProposalBudget, TimeBudget


def some_partition(n, k, chance):
    """Groups of at least k records, some of them far too large."""
    n_groups = max(1, n // (k + int(chance.integers(0, 2 * k))))
    return shoal.Partition(chance.permutation(np.arange(n) % n_groups))


def same(p, q):
    return p.labels.tolist() == q.labels.tolist()


@settings(deadline=None)
@given(tables(), st.integers(2, 6), st.integers(0, 20_000), st.integers(0, 2**32))
def test_it_is_never_worse_and_all_groups_have_k_to_2k_minus_1_records(X, k, proposals, seed):
    assume(k <= len(X))
    start = some_partition(len(X), k, np.random.default_rng(seed))
    refined = shoal.refine(X, start, k, proposals=proposals, seed=seed)
    assert refined.sse(X) <= start.sse(X) + 1e-12 * (1 + start.sse(X))
    assert k <= refined.sizes.min()
    assert refined.sizes.max() <= 2 * k - 1


def test_groups_of_just_2k_records_are_divided_before_any_proposal():
    X = np.random.default_rng(1).random((20, 2))
    assert set(shoal.refine(X, shoal.Partition(np.arange(20) % 5), 2, proposals=0).sizes) <= {2, 3}


@pytest.mark.parametrize("n", [3, 5, 6, 8, 9])  # k, 2k-1, 2k, 3k-1, 3k
@pytest.mark.parametrize("d", [1, 2, 17])
def test_the_smallest_tables_reach_the_optimum(n, d):
    X = np.random.default_rng(n).random((n, d))
    refined = shoal.refine(X, shoal.mdav(X, 3), 3, proposals=50_000)
    assert refined.sse(X) == pytest.approx(optimum(X, 3))


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(0, 2**32), st.integers(6, 11), st.integers(2, 4))
def test_it_finds_the_optimum_of_a_dozen_records(seed, n, k):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    refined = shoal.refine(X, shoal.mdav(X, k), k, proposals=300_000)
    assert optimum(X, k) <= refined.sse(X) * (1 + 1e-12)
    assert refined.sse(X) <= optimum(X, k) * 1.05


SEARCHES = {"chains": anneal_chains, "tiles": anneal_tiles}


def searched(X, start, k, budget, search, seed, threads):
    """What a search makes of a table that would be too small for it."""
    ground = replace(AnnealingProblem.of(X, k, threads), records_per_tile=60)
    labels, spent = SEARCHES[search](ground, start.labels, np.random.SeedSequence(seed), budget)
    return shoal.Partition(labels), spent


@pytest.mark.parametrize("search", SEARCHES)
def test_threads_decide_nothing(search):
    X = np.random.default_rng(3).normal(size=(500, 3))
    start = shoal.mdav(X, 3)

    def found(seed, threads):
        budget = ProposalBudget.of_total(300_000, len(X), small=search == "chains")
        return searched(X, start, 3, budget, search, seed, threads)[0]

    one, two, three = (found(5, threads) for threads in (1, 2, 3))
    assert same(one, two)
    assert same(two, three)
    assert one.sse(X) < 0.97 * start.sse(X)
    assert not same(one, found(6, 1))


def a_clock(step):
    """Every look at it takes so long."""
    ticks = count()
    return lambda: step * next(ticks)


@pytest.mark.parametrize("search", [pytest.param("chains", marks=pytest.mark.long), "tiles"])
def test_a_time_can_be_replayed(search):
    X = np.random.default_rng(3).normal(size=(300, 4))
    start = shoal.mdav(X, 4)
    clock = TimeBudget(0.4, search == "chains", now=a_clock(0.02))
    timed, spent = searched(X, start, 4, clock, search, 1, 2)
    assert len([length for length in spent if length]) > 1
    assert same(timed, searched(X, start, 4, ProposalBudget(spent), search, 1, 1)[0])


@pytest.mark.parametrize("speed", [1e3, 1e6, 1e9])  # proposals per second
@pytest.mark.parametrize("seconds", [0.0, 0.5, 60.0])
def test_what_a_clock_gives_out_fits_into_its_time(speed, seconds):
    """By a clock that is turned on by what is done."""
    now = 0.0
    clock = TimeBudget(seconds, True, now=lambda: now)
    pilot = clock.pilot(1000)
    measured = now = now + pilot / speed
    clock.report(pilot)
    first = clock.descent(1000)
    now += first / speed
    clock.report(first)
    while lengths := clock.chains(1000, 2):
        now += sum(lengths) / speed
        clock.report(sum(lengths))
    assert now <= max(seconds, measured)
    assert now > 0.9 * seconds or seconds * speed < 1000 * 2


@dataclass(frozen=True, eq=False)
class TimedProblem(AnnealingProblem):
    """Every run takes its proposals' share of a second and a little more; when it began is written down."""

    clock: list[float] = field(default_factory=lambda: [0.0])
    begun: list[float] = field(default_factory=list)

    def _take(self, n_proposals):
        self.begun.append(self.clock[0])
        self.clock[0] += n_proposals / 10_000 + 0.1

    def run_chains(self, starts, stages, seeds, at):
        self._take(sum(stage.n_proposals for chain in stages for stage in chain))
        return list(starts)

    def run_tiles(self, labels, stage, seed, at):
        self._take(stage.n_proposals)
        return labels


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.5, 3.0, 20.0])
def test_no_run_begins_after_the_time_is_over(search, seconds):
    """And none but the pilot is longer than what is left of it."""
    X = np.random.default_rng(0).normal(size=(200, 2))
    ground = TimedProblem(**vars(AnnealingProblem.of(X, 3, 1)))
    budget = TimeBudget(seconds, search == "chains", now=lambda: ground.clock[0])
    start = shoal.mdav(X, 3).labels
    SEARCHES[search](ground, start, np.random.SeedSequence(0), budget)
    pilot = 0.14
    assert all(begun < max(seconds, 1e-9) for begun in ground.begun)
    assert ground.clock[0] <= max(seconds, pilot) + 0.1
    assert seconds < 1 or ground.clock[0] > 0.8 * seconds


def test_records_that_are_not_reached_in_time_have_themselves_as_neighbors():
    X = np.random.default_rng(0).normal(size=(5000, 2))
    looks = count()
    near = nearest_records(X, 3, 1, lambda: next(looks) >= 2)
    assert (near[:2000] == nearest_records(X, 3, 1)[:2000]).all()
    assert (near[2000:] == np.arange(2000, 5000)[:, None]).all()


def test_without_time_the_partition_stays():
    X = np.random.default_rng(0).normal(size=(9000, 2))
    start = shoal.mdav(X, 3)
    for n in (300, 9000):
        part = shoal.mdav(X[:n], 3)
        refined = shoal.refine(X[:n], part, 3, seconds=0.0)
        assert sum(refined.proposals) == 0
        assert same(refined, part)
    assert same(shoal.microaggregate(X, 3, seconds=0.0), start)


def test_refine_hands_its_seconds_to_a_clock():
    budget = budget_of(30.0, None, 1000)
    assert isinstance(budget, TimeBudget)
    assert 0 < budget.seconds_left <= 30


def test_two_budgets_are_refused():
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ArrayError, match="not both"):
        shoal.refine(X, shoal.mdav(X, 3), 3, seconds=1, proposals=10)


@pytest.mark.parametrize("proposals", [-1, [5, -1]])
def test_negative_proposals_are_refused(proposals):
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ArrayError, match="proposals must be 0 or more"):
        shoal.refine(X, shoal.mdav(X, 3), 3, proposals=proposals)


def test_no_thread_is_refused():
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ArrayError, match="threads must be 1 or more"):
        shoal.refine(X, shoal.mdav(X, 3), 3, threads=0)


def test_a_partition_with_small_groups_is_refused():
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ArrayError, match="fewer than k"):
        shoal.refine(X, shoal.mdav(X, 3), 4)


@pytest.mark.gate
def test_ctrl_c_is_heard_between_steps():
    X = np.random.default_rng(0).normal(size=(3000, 3))
    start = shoal.mdav(X, 3)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores Ctrl-C
    interrupt = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    interrupt.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            shoal.refine(X, start, 3, seconds=60)
    finally:
        interrupt.join()
        signal.signal(signal.SIGINT, before)


def test_progress_says_the_loss():
    from contextlib import contextmanager

    from shoal import progress

    told = []

    @contextmanager
    def listener(what, total):
        told.append(what)
        yield lambda done: None

    X = np.random.default_rng(0).random((300, 2))
    start = shoal.mdav(X, 3)
    with progress.report_to(listener):
        shoal.refine(X, start, 3, proposals=200_000)
    assert told[0] == "finding nearest records"
    assert told[1] == "descending"
    assert told[2].startswith("annealing, loss 0.")


@pytest.mark.parametrize(("n", "m"), [(3000, 300), (300, 6000)])
def test_a_partition_of_another_table_is_refused(n, m):
    chance = np.random.default_rng(0)
    other = shoal.mdav(chance.random((m, 2)), 3)
    with pytest.raises(ArrayError, match=f"has {m} records, but the array has {n}"):
        shoal.refine(chance.random((n, 2)), other, 3, proposals=100)


@pytest.mark.long
def test_very_large_groups_of_a_large_table():
    X = np.random.default_rng(0).normal(size=(9000, 2))
    start = shoal.mdav(X, 3000)
    assert shoal.refine(X, start, 3000, proposals=2_000).sse(X) <= start.sse(X)


@pytest.mark.parametrize("shape", ["skewed", "clustered", "nested"])
@pytest.mark.parametrize("search", [anneal_chains, anneal_tiles])
def test_more_legs_are_never_worse_than_the_descent(shape, search):
    """Hot legs without the proposals to cool down end worse than they began: the better end must be kept."""
    X = points(shape, 300, 2)
    start, descent = shoal.mdav(X, 3).labels, 30_000
    ground = AnnealingProblem.of(X, 3, 1)

    def loss(*proposals):
        return ground.loss(search(ground, start, np.random.SeedSequence(1), ProposalBudget(list(proposals)))[0])

    assert all(loss(descent, hot) <= loss(descent) for hot in (300, 3000))


@pytest.mark.parametrize("shape", POINTS)
def test_a_descent_never_climbs(shape):
    """Proposal by proposal, counted anew from the groups: without heat nothing passes that costs more."""
    X, k = shoal.standardize(points(shape, 60, 2)), 3
    labels = shoal.mdav(X, k).labels
    neighbors = kernels.nearest_neighbors(X, np.arange(len(X)), 13)[:, 1:].astype(np.int32)
    state = kernels.Annealing(X, labels, k, np.ascontiguousarray(neighbors), 7)
    state.plan(3000, 0.0, 0.0)
    before = shoal.Partition(labels).sse(X)
    while state.step(1):
        after = shoal.Partition(state.labels()).sse(X)
        assert after <= before * (1 + 1e-12)
        before = after
