"""The univariate optimum is the optimum, at any offset, and its columns add up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.tables import tables
from reference.univariate import least_error, least_error_of_a_cut
from shoal import kernels
from shoal.errors import ArrayError

few = st.integers(-50, 50).map(lambda value: value / 4)


@settings(max_examples=examples(30), deadline=None)
@given(st.lists(few, min_size=2, max_size=9), st.integers(2, 4))
def test_no_partition_of_any_kind_is_better(values, k):
    if k <= len(values):
        found = shoal.optimal_univariate(values, k).check(k)
        assert found.sse(np.array(values)[:, None]) == pytest.approx(least_error([[v] for v in values], k))


@pytest.mark.gate
def test_no_partition_of_twelve_records_is_better():
    values = np.random.default_rng(5).gamma(1, size=12)
    for k in (3, 4, 5):
        best = least_error(values[:, None].tolist(), k)
        assert shoal.optimal_univariate(values, k).sse(values[:, None]) == pytest.approx(best)


@settings(deadline=None)
@given(tables(most=20), st.integers(2, 5), st.integers(0, 2**32))
def test_no_cut_of_a_path_is_better(X, k, seed):
    if k <= len(X):
        path = np.random.default_rng(seed).permutation(len(X))
        found = shoal.Partition(kernels.best_cut(X, path, k)).check(k)
        assert found.sizes.max() <= 2 * k - 1
        assert (np.diff(found.labels[path]) >= 0).all()
        best = float(least_error_of_a_cut(X.tolist(), path.tolist(), k))
        assert found.sse(X) == pytest.approx(best, rel=1e-9, abs=1e-12)


@settings(deadline=None)
@given(tables(most=60, columns=1), st.integers(2, 6))
def test_groups_follow_each_other_and_have_k_to_2k_minus_1_records(X, k):
    if k <= len(X):
        found = shoal.optimal_univariate(X[:, 0], k).check(k)
        assert found.sizes.max() <= 2 * k - 1
        assert (
            np.diff(X[np.argsort(found.labels, kind="stable"), 0][np.r_[0, np.cumsum(found.sizes)[:-1]]]) >= 0
        ).all()


def test_a_large_offset_costs_no_digits():
    values = np.random.default_rng(1).integers(0, 1000, 500) / 1024  # exact at any offset below
    at_home, far_away = shoal.optimal_univariate(values, 5), shoal.optimal_univariate(values + 2.0**40, 5)
    assert far_away.sse(values[:, None]) == pytest.approx(at_home.sse(values[:, None]), rel=1e-9)


def test_it_beats_every_heuristic_in_one_column():
    x = np.random.default_rng(2).lognormal(size=300)
    best = shoal.optimal_univariate(x, 4).sse(x[:, None])
    for other in (shoal.mdav, shoal.vmdav):
        assert best <= other(x[:, None], 4).sse(x[:, None])


def test_individual_ranking_is_the_optimum_of_every_column():
    X = np.random.default_rng(3).normal(size=(100, 3))
    found = shoal.individual_ranking(X, 3)
    assert len(found.columns) == 3
    for j, groups in enumerate(found.columns):
        assert (groups.labels == shoal.optimal_univariate(X[:, j], 3).labels).all()
    assert found.sse(X) == pytest.approx(sum(g.sse(X[:, [j]]) for j, g in enumerate(found.columns)))
    assert found.information_loss(X) < shoal.mdav(X, 3).information_loss(X) / 10
    with pytest.raises(shoal.ShoalError, match="3 columns"):
        found.sse(X[:, :2])


def test_a_matrix_is_refused():
    with pytest.raises(shoal.ShoalError, match="one dimension"):
        shoal.optimal_univariate(np.zeros((5, 2)), 2)


def test_what_would_overflow_is_refused():
    with pytest.raises(ArrayError, match="overflow or underflow"):
        shoal.optimal_univariate([-1e308, 1e308, -1e308, 1e308, 0, 0, 1], 3)
