"""MDAV agrees with its slow twin, and holds what it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.mdav import mdav as twin
from reference.tables import groups, tables
from shoal.errors import ArrayError


@pytest.mark.parametrize("search", ["scan", "tree"])
@given(X=tables(), k=st.integers(2, 6))
def test_it_agrees_with_its_twin(search, X, k):
    if k <= len(X):
        assert groups(shoal.mdav(X, k, search=search)) == twin(X, k)


@pytest.mark.parametrize("search", ["scan", "tree"])
@given(X=tables(), k=st.integers(2, 9), data=st.data())
def test_units_of_several_members_agree_with_the_twin(search, X, k, data):
    members = data.draw(st.lists(st.integers(1, 5), min_size=len(X), max_size=len(X)))
    if k <= sum(members):
        partition = shoal.mdav(X, k, members=members, search=search)
        assert groups(partition) == twin(X, k, members)
        assert (np.bincount(partition.labels, weights=members) >= k).all()


@pytest.mark.parametrize("members", [[1, 0, 1], [1, 1], [1.0, 1.0, 1.0], [[1, 1, 1]]])
def test_unfit_members_are_refused(members):
    with pytest.raises(ArrayError, match="members"):
        shoal.mdav(np.zeros((3, 1)), 2, members=members)


def larger_tables():
    """Many leaves of the tree, with and without ties, far from the origin and close to it."""
    chance = np.random.default_rng(7)
    yield "uniform", chance.random((3000, 3))
    yield "normal, 13 columns", chance.normal(size=(1500, 13))
    yield "skewed", chance.lognormal(0, 3, (2000, 2))
    yield "grid", chance.integers(0, 12, (2500, 3)).astype(float)
    yield "z-scores of a grid", shoal.standardize(chance.integers(0, 5, (2500, 3)))
    yield "corners", np.eye(7)[chance.integers(0, 7, 2000)]
    yield "few points", chance.random((9, 4))[chance.integers(0, 9, 1200)]
    yield "constant", np.full((700, 2), 0.3)
    yield "far away", 1e9 + chance.random((1500, 3))
    yield "one column", chance.normal(size=(2000, 1))
    yield "huge and tiny", chance.normal(size=(1000, 3)) * np.array([1e135, 1.0, 1e-135])


@pytest.mark.parametrize("k", [2, 3, 10])
@pytest.mark.parametrize("X", [pytest.param(X, id=name) for name, X in larger_tables()])
def test_every_search_finds_the_same_groups(X, k):
    by_scan = shoal.mdav(X, k, search="scan")
    for search in ("tree", "automatic"):
        assert (shoal.mdav(X, k, search=search).labels == by_scan.labels).all()


def tables_of_ties():
    """Hundreds of records at a few points, many of which are equally far from each other."""
    chance = np.random.default_rng(3)
    yield "few points", chance.normal(size=(7, 3))[chance.integers(0, 7, 400)]
    yield "corners of a cube", chance.integers(0, 2, (300, 3)) * 2.0 - 1.0
    yield "a grid of many leaves", chance.integers(0, 10, (350, 2)).astype(float)
    yield "two zeros", np.where(chance.integers(0, 2, (200, 2)), 0.0, -0.0)
    yield (
        "two nominal columns",
        np.hstack([np.eye(4)[chance.integers(0, 4, 300)], np.eye(3)[chance.integers(0, 3, 300)]]),
    )
    yield "most records at one point", np.vstack([np.zeros((250, 2)), chance.integers(0, 3, (60, 2))])


@pytest.mark.gate(but=("corners of a cube-scan", "few points-scan", "few points-tree"))
@pytest.mark.parametrize("search", ["scan", "tree"])
@pytest.mark.parametrize("X", [pytest.param(X, id=name) for name, X in tables_of_ties()])
def test_ties_agree_with_the_twin(search, X):
    members = np.random.default_rng(4).integers(1, 4, len(X)).tolist()
    assert groups(shoal.mdav(X, 3, search=search)) == twin(X, 3)
    assert groups(shoal.mdav(X, 7, members=members, search=search)) == twin(X, 7, members)


def test_equal_records_are_grouped_by_their_numbers():
    """So many that it would take an hour to compare each with all others."""
    n = 1_000_000
    assert (shoal.mdav(np.full((n, 2), 0.3), 4).labels == np.arange(n) // 4).all()


@given(tables(), st.integers(2, 6))
def test_all_groups_but_one_have_k_records(X, k):
    if k <= len(X):
        sizes = np.sort(shoal.mdav(X, k).sizes)
        assert (sizes[:-1] == k).all()
        assert k <= sizes[-1] <= 2 * k - 1


@pytest.mark.parametrize("n", [3, 5, 6, 8, 9])  # k, 2k-1, 2k, 3k-1, 3k
def test_the_smallest_tables(n):
    X = np.random.default_rng(n).random((n, 2))
    assert groups(shoal.mdav(X, 3)) == twin(X, 3)


@given(st.integers(0, 2**32), st.integers(2, 5))
def test_the_order_of_records_decides_nothing_but_ties(seed, k):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(30, 3))  # no ties among real numbers
    order = chance.permutation(30)
    original = {frozenset(group) for group in groups(shoal.mdav(X, k))}
    shuffled = {frozenset(order[group].tolist()) for group in groups(shoal.mdav(X[order], k))}
    assert original == shuffled


def test_progress_reaches_the_number_of_records():
    from contextlib import contextmanager

    from shoal import progress

    told = []

    @contextmanager
    def listener(what, total):
        told.append((what, total))
        yield told.append

    X = np.random.default_rng(0).normal(size=(5000, 40))
    with progress.report_to(listener):
        shoal.mdav(X, 2)
    assert told[0] == ("grouping records", 5000)
    assert told[1:] == sorted(told[1:])
    assert told[-1] == 5000
    assert len(told) > 3
