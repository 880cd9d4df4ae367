"""mu-Approx agrees with its slow twin, and holds what it promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.mu_approx import mu_approx as twin
from reference.tables import groups, tables
from reference.univariate import least_error
from shoal import kernels


@settings(deadline=None)
@given(tables(), st.integers(2, 7))
def test_it_agrees_with_its_twin(X, k):
    if k <= len(X):
        assert sorted(groups(shoal.mu_approx(X, k))) == sorted(twin(X, k))


@settings(deadline=None)
@given(tables(most=120), st.integers(2, 9))
def test_groups_have_k_to_2k_minus_1_records(X, k):
    if k <= len(X):
        assert shoal.mu_approx(X, k).check(k).sizes.max() <= 2 * k - 1


@settings(deadline=None)
@given(tables(most=120), st.integers(2, 9))
def test_trees_have_k_records_and_once_cut_little_more_than_3k(X, k):
    if k <= len(X):
        forest = kernels.nearest_forest(X, k)
        cut = shoal.Partition(kernels.cut_forest(forest, k)).check(k)
        assert cut.sizes.max() <= max(2 * k - 1, 3 * k - 3)


@pytest.mark.parametrize("k", [3, 4, 5, 8])
def test_a_star_is_cut_through_its_center(k):
    """Everyone points to the record in the middle, so that only copies of it hold the parts together."""
    points_to = np.zeros(101, dtype=np.int64)
    points_to[0] = -1
    cut = shoal.Partition(kernels.cut_forest(points_to, k)).check(k)
    assert cut.sizes.max() <= max(2 * k - 1, 3 * k - 3)


@given(st.integers(0, 2**32), st.integers(2, 4))
@settings(max_examples=examples(15), deadline=None)
def test_it_is_within_its_bound_of_the_best(seed, k):
    X = np.random.default_rng(seed).normal(size=(8, 2))
    assert shoal.mu_approx(X, k).sse(X) <= k**3 * least_error(X.tolist(), k)


@pytest.mark.parametrize("search", ["scan", "tree"])
def test_the_search_changes_nothing(search):
    X = np.random.default_rng(7).normal(size=(3000, 3)).round(1)
    assert (kernels.nearest_forest(X, 4, kernels.NeighborSearch[search]) == kernels.nearest_forest(X, 4)).all()


def test_a_heap_of_duplicates_costs_no_more_than_other_records():
    """All point to one record: a star of all records, cut in one go."""
    assert (shoal.mu_approx(np.ones((60_000, 2)), 3).sizes == 3).all()
