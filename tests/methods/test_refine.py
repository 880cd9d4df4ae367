"""Refinement is never worse than its input, keeps its promises, and comes out the same again."""

import signal
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from reference.exhaustive import optimum
from reference.tables import tables
from shapes import POINTS, points
from shoal import kernels
from shoal.errors import ArrayError
from shoal.methods.microaggregation import refine as refinement


def some_partition(n, k, chance):
    """Groups of at least k records, some of them far too large."""
    n_groups = max(1, n // (k + int(chance.integers(0, 2 * k))))
    return shoal.Partition(chance.permutation(np.arange(n) % n_groups))


def same(p, q):
    return p.labels.tolist() == q.labels.tolist()


@settings(deadline=None)
@given(tables(), st.integers(2, 6), st.integers(0, 20_000), st.integers(0, 2**32))
def test_it_is_never_worse_and_all_groups_have_k_to_2k_minus_1_records(X, k, proposals, seed):
    if k > len(X):
        return
    start = some_partition(len(X), k, np.random.default_rng(seed))
    refined = shoal.refine(X, start, k, proposals=proposals, seed=seed)
    assert refined.sse(X) <= start.sse(X) + 1e-12 * (1 + start.sse(X))
    assert k <= refined.sizes.min()
    assert refined.sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("n", [3, 5, 6, 8, 9])  # k, 2k-1, 2k, 3k-1, 3k
@pytest.mark.parametrize("d", [1, 2, 17])
def test_the_smallest_tables_reach_the_optimum(n, d):
    X = np.random.default_rng(n).random((n, d))
    refined = shoal.refine(X, shoal.mdav(X, 3), 3, proposals=50_000)
    assert refined.sse(X) == pytest.approx(optimum(X, 3))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(6, 11), st.integers(2, 4))
def test_it_finds_the_optimum_of_a_dozen_records(seed, n, k):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    refined = shoal.refine(X, shoal.mdav(X, k), k, proposals=300_000)
    assert optimum(X, k) <= refined.sse(X) * (1 + 1e-12)
    assert refined.sse(X) <= optimum(X, k) * 1.05


@pytest.mark.parametrize("small", [10**6, 10])  # chains; tiles
def test_threads_decide_nothing(monkeypatch, small):
    monkeypatch.setattr(refinement, "SMALL", small)
    monkeypatch.setattr("shoal.methods.microaggregation.annealing.RECORDS_PER_TILE", 60)
    X = np.random.default_rng(3).normal(size=(500, 3))
    start = shoal.mdav(X, 3)
    one, two, three = (shoal.refine(X, start, 3, proposals=300_000, seed=5, threads=t) for t in (1, 2, 3))
    assert same(one, two)
    assert same(two, three)
    assert one.sse(X) < 0.97 * start.sse(X)
    assert not same(one, shoal.refine(X, start, 3, proposals=300_000, seed=6))


@pytest.mark.parametrize("small", [10**6, 10])  # chains; tiles
def test_a_time_can_be_replayed(monkeypatch, small):
    monkeypatch.setattr(refinement, "SMALL", small)
    X = np.random.default_rng(3).normal(size=(300, 4))
    start = shoal.mdav(X, 4)
    timed = shoal.refine(X, start, 4, seconds=0.4, seed=1, threads=2)
    assert len(timed.proposals) > 1
    assert same(timed, shoal.refine(X, start, 4, proposals=timed.proposals, seed=1, threads=1))


def test_a_time_is_kept():
    import time

    X = np.random.default_rng(0).normal(size=(2000, 5))
    start = shoal.mdav(X, 3)
    begun = time.monotonic()
    shoal.refine(X, start, 3, seconds=1.0)
    assert time.monotonic() - begun < 4  # a busy machine is forgiven


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
    with progress.heard_by(listener):
        shoal.refine(X, start, 3, proposals=200_000)
    assert told[0] == "finding near records"
    assert told[1] == "descending"
    assert told[2].startswith("annealing, loss 0.")


@pytest.mark.parametrize(("n", "m"), [(3000, 300), (300, 6000)])
def test_a_partition_of_another_table_is_refused(n, m):
    chance = np.random.default_rng(0)
    other = shoal.mdav(chance.random((m, 2)), 3)
    with pytest.raises(ArrayError, match=f"of {m} records, the array has {n}"):
        shoal.refine(chance.random((n, 2)), other, 3, proposals=100)


def test_very_large_groups_of_a_large_table():
    X = np.random.default_rng(0).normal(size=(9000, 2))
    start = shoal.mdav(X, 3000)
    assert shoal.refine(X, start, 3000, proposals=20_000).sse(X) <= start.sse(X)


@pytest.mark.parametrize("shape", ["skewed", "clustered", "nested"])
@pytest.mark.parametrize("small", [True, False])
def test_more_legs_are_never_worse_than_the_descent(monkeypatch, shape, small):
    """Hot legs without the proposals to cool down end worse than they began: the better end must be kept."""
    monkeypatch.setattr("shoal.methods.microaggregation.refine.SMALL", 10_000 if small else 0)
    X = points(shape, 300, 2)
    start, descent = shoal.mdav(X, 3), 30_000
    descended = shoal.refine(X, start, 3, proposals=[descent], seed=1)
    for hot in (300, 3000):
        further = shoal.refine(X, start, 3, proposals=[descent, hot], seed=1)
        assert further.sse(X) <= descended.sse(X)


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
