"""Micro-SOM: groups of at least k records, flat in k, refined to k to 2k - 1."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.tables import groups, tables
from shoal import datasets
from shoal.errors import ArrayError, PolicyError


@settings(max_examples=examples(25))
@given(tables(most=100), st.integers(2, 9))
def test_groups_have_k_records_and_refined_ones_less_than_2k(X, k):
    if k <= len(X):
        plain = shoal.micro_som(X, k).check(k)
        refined = shoal.micro_som(X, k, refined=True).check(k)
        grown = shoal.micro_som(X, k, grow=2 * k).check(k)
        assert refined.sizes.max() <= 2 * k - 1
        assert refined.sse(X) <= plain.sse(X) + 1e-9
        assert grown.sse(X) <= plain.sse(X) + 1e-9


def test_cells_with_enough_records_are_groups_as_they_are():
    X = shoal.standardize(datasets.uniform_array(4000, 3, seed=0))
    found = shoal.micro_som(X, 2, rules=shoal.MapRules(size=(6, 6)))
    cells = np.unique(found.map.labels, return_inverse=True)[1]
    assert groups(found) == groups(shoal.Partition(cells))


def test_refined_groups_stay_inside_of_their_part():
    X = shoal.standardize(datasets.uniform_array(2000, 2, seed=0))
    plain, refined = shoal.micro_som(X, 3), shoal.micro_som(X, 3, refined=True)
    pairs = np.unique(np.column_stack([refined.labels, plain.labels]), axis=0)
    assert len(pairs) == refined.n_groups
    for part in (0, 7):
        inside = plain.labels == part
        alone = shoal.mdav(X[inside], 3)
        assert np.array_equal(np.unique(refined.labels[inside], return_inverse=True)[1], alone.labels)


def test_maps_of_their_own_leave_no_large_group_that_can_be_divided():
    X = shoal.standardize(datasets.uniform_array(5000, 3, seed=0))
    small = shoal.MapRules(size=(4, 4))
    plain, grown = shoal.micro_som(X, 3, rules=small), shoal.micro_som(X, 3, rules=small, grow=50)
    assert plain.sizes.max() > 150
    assert grown.check(3).sizes.max() <= 50
    assert grown.sse(X) < 0.1 * plain.sse(X)


@pytest.mark.gate(but=("more0", "more1"))
@pytest.mark.parametrize("more", [{}, {"refined": True}, {"grow": 30}])
def test_same_seed_same_groups_on_any_number_of_threads(more):
    X = shoal.standardize(datasets.uniform_array(3000, 3, seed=1))
    found = [shoal.micro_som(X, 4, seed=2, threads=threads, **more).labels for threads in (1, 2, 4)]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_the_loss_hardly_depends_on_k():
    X = shoal.standardize(datasets.uniform_array(20_000, 3, seed=0))
    losses = [shoal.micro_som(X, k).information_loss(X) for k in (2, 6, 10)]
    assert losses[2] < 1.01 * losses[0]
    assert losses[2] < 2.0


def test_gaps_are_filled_by_the_map_where_that_is_asked_for():
    X = np.random.default_rng(0).normal(size=(500, 3))
    X[::7, 1] = np.nan
    for more in ({}, {"refined": True}, {"grow": 20}):
        assert shoal.micro_som(X, 3, missing="known", **more).check(3).n_records == 500
    with pytest.raises(ArrayError, match="72 NaN"):
        shoal.micro_som(X, 3)


@pytest.mark.parametrize(
    ("X", "k", "n_groups"),
    [(np.ones((30, 2)), 3, 1), (np.arange(6.0)[:, None], 3, 1), (np.ones((3, 1)), 3, 1), (np.eye(5), 5, 1)],
)
def test_odd_tables(X, k, n_groups):
    assert shoal.micro_som(X, k).check(k).n_groups == n_groups


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: shoal.micro_som(np.ones((1, 2)), 2), ArrayError, "k = 2 needs at least 2 records"),
        (lambda: shoal.micro_som(np.ones((9, 2)), 10), ArrayError, "k = 10 needs at least 10"),
        (lambda: shoal.micro_som(np.ones((9, 2)), 1), ArrayError, "k must be an integer of 2"),
        (lambda: shoal.micro_som(np.ones((9, 2)), 3, grow=5), PolicyError, "grow must be 6 or more"),
        (lambda: shoal.micro_som(np.ones((9, 2)), 3, missing="drop"), PolicyError, "missing is 'drop'"),
        (lambda: shoal.micro_som(np.ones((9, 2)), 3, threads=0), ArrayError, "threads must be 1"),
    ],
)
def test_bad_input(call, error, words):
    with pytest.raises(error, match=words):
        call()
