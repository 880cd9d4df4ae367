"""microaggregate picks what fits, says what it did, and is no worse than what it starts from."""

import time

import numpy as np
import pytest

import shoal
from shoal.errors import ArrayError
from shoal.methods.microaggregation.annealing import AnnealingProblem
from shoal.methods.microaggregation.auto import History, on_large_table


def test_without_a_budget_it_descends():
    X = np.random.default_rng(0).normal(size=(200, 3))
    found = shoal.microaggregate(X, 3)
    assert [step.what for step in found.steps] == ["MDAV", "descent"]
    assert found.check(3).sse(X) < shoal.mdav(X, 3).sse(X)
    assert found.steps[-1].loss == pytest.approx(found.information_loss(X))


@pytest.mark.gate
def test_proposals_give_the_same_on_any_number_of_threads():
    X = np.random.default_rng(1).normal(size=(150, 3))
    one, two = (shoal.microaggregate(X, 3, proposals=4_000_000, threads=t) for t in (1, 2))
    assert one.labels.tolist() == two.labels.tolist()
    assert [step.what for step in one.steps] == ["MDAV", "descent and 3 chains", "choice from the groups of all chains"]


@pytest.mark.long
def test_seconds_recombine():
    X = np.random.default_rng(2).normal(size=(120, 3))
    found = shoal.microaggregate(X, 3, seconds=6)
    bound = shoal.lower_bound(X, 3, seconds=5)
    assert found.sizes.max() <= 5
    assert bound <= found.check(3).sse(X) * (1 + 1e-9)
    assert found.sse(X) <= 1.05 * bound
    losses = [step.loss for step in found.steps]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.gate
def test_it_stops_at_a_proof():
    X = np.random.default_rng(2).normal(size=(30, 2))
    found = shoal.microaggregate(X, 3, seconds=10)
    assert found.steps[-1].what == "proof of optimality"
    assert found.sse(X) == pytest.approx(shoal.lower_bound(X, 3))


@pytest.mark.gate
def test_rounds_go_on_where_nothing_is_proved():
    X = np.random.default_rng(2).normal(size=(250, 8)) ** 3  # with a few records far out
    found = shoal.microaggregate(X, 4, seconds=2)
    assert found.check(4).sizes.max() <= 7
    losses = [step.loss for step in found.steps]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.long
def test_a_large_table_is_tiled_and_its_windows_are_solved():
    X = np.random.default_rng(3).normal(size=(600, 2))
    start, history = shoal.mdav(X, 3), History(X, time.monotonic())
    best, _ = on_large_table(
        AnnealingProblem.of(X, 3, 1),
        start.labels,
        np.random.SeedSequence(0),
        time.monotonic() + 10,
        None,
        history,
        min_seconds=1.0,
    )
    found = shoal.Partition(best)
    assert found.check(3).sizes.max() <= 5
    assert found.sse(X) < start.sse(X)
    assert "windows solved to optimality" in [step.what for step in history.steps]


@pytest.mark.parametrize("n", [3, 5, 6, 8])
def test_the_smallest_tables(n):
    X = np.random.default_rng(n).random((n, 2))
    assert shoal.microaggregate(X, 3, proposals=10_000).check(3).n_records == n


def test_two_budgets_are_refused():
    with pytest.raises(ArrayError, match="not both"):
        shoal.microaggregate(np.eye(9), 3, seconds=1, proposals=1)
