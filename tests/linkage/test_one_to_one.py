"""One-to-one links: an assignment of least sum, proven by its prices, with the chances of equal records shared."""

from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

import shoal
from shoal.errors import LinkageError
from shoal.linkage.candidates import Candidates
from shoal.linkage.linkage_tables import encode_linkage_arrays
from shoal.linkage.metric import WeightedPoints
from shoal.linkage.one_to_one import one_to_one_links


def solve(A, B, candidates=None):
    truth = np.where(np.arange(len(A)) < len(B), np.arange(len(A)), -1)
    return one_to_one_links(WeightedPoints.unscaled(A, B), truth, candidates)


def points(seed, n, m, *, d=2, values=None):
    rng = np.random.default_rng(seed)
    draw = (lambda size: rng.normal(size=size)) if values is None else lambda size: rng.integers(0, values, size)
    return draw((n, d)).astype(float), draw((m, d)).astype(float)


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 40), st.sampled_from([None, 3, 8]))
def test_the_sum_is_that_of_the_dense_optimum_and_proven(seed, n, m, values):
    A, B = points(seed, n, m, values=values)
    found = solve(A, B)
    distances = cdist(A, B)
    best = distances[linear_sum_assignment(distances)].sum()
    assert found.total == pytest.approx(best, rel=1e-9, abs=1e-9)
    assert found.bound == pytest.approx(best, rel=1e-8, abs=1e-8)
    assert (found.links.records >= 0).sum() == min(n, m)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.1, 0.5, 3.0])
def test_many_records_whose_first_pairs_do_not_suffice(noise):
    A = points(1, 1200, 1, d=4)[0]
    B = A + noise * np.random.default_rng(2).normal(size=A.shape)
    distances = cdist(A, B)
    found = solve(A, B)
    assert found.total == pytest.approx(distances[linear_sum_assignment(distances)].sum(), rel=1e-10)
    assert sorted(found.links.records) == list(range(1200))  # a permutation


@given(st.integers(0, 2**32))
def test_chances_are_those_of_random_choice_among_equal_records(seed):
    A, B = points(seed, 4, 4, d=1, values=2)
    distances = cdist(A, B)
    sums = {order: sum(distances[i, order[i]] for i in range(4)) for order in permutations(range(4))}
    least = [order for order, total in sums.items() if total <= min(sums.values()) + 1e-12]
    expected = [np.mean([order[i] == i for order in least]) for i in range(4)]
    # Values are 0 or 1: the optimal assignments differ by equal persons and records only.
    assert solve(A, B).links.chances == pytest.approx(expected)


def test_one_block_is_no_block_and_blocks_are_solved_alone():
    A, B = points(3, 60, 60)
    tables = encode_linkage_arrays(A, B)
    whole, one = solve(A, B), solve(A, B, shoal.FuzzyBlocking(n_blocks=1).candidates(tables))
    assert one.total == whole.total
    assert (one.links.records == whole.links.records).all()
    halves = np.repeat([0, 1], 30)
    parts = solve(A, B, shoal.LabelBlocking(halves, halves).candidates(tables))
    assert parts.total == pytest.approx(solve(A[:30], B[:30]).total + solve(A[30:], B[30:]).total)
    assert parts.total >= whole.total - 1e-9


def test_a_person_without_a_candidate_has_no_link():
    A, B = points(4, 5, 5)
    labels = np.array([0, 0, 0, 0, 1])
    links = solve(A, B, shoal.LabelBlocking(labels, np.zeros(5, int)).candidates(encode_linkage_arrays(A, B))).links
    assert links.records[4] == -1
    assert links.chances[4] == 0


def test_all_equal_records_are_the_baseline():
    assert solve(np.ones((6, 2)), np.ones((6, 2))).links.chances == pytest.approx(1 / 6)


def test_wrong_options(monkeypatch):
    A, B = points(5, 30, 30)
    tables = encode_linkage_arrays(A, B)
    for blocking in (shoal.SortedNeighborhood(("0",), 5), shoal.StandardBlocking(("0", "1"))):
        with pytest.raises(LinkageError, match="do not overlap"):
            solve(A, B, blocking.candidates(tables))
    monkeypatch.setattr("shoal.linkage.one_to_one.MOST_RECORDS", 29)
    with pytest.raises(LinkageError, match="largest block has 30"):
        solve(A, B, Candidates.all_pairs(30, 30))


def test_as_a_linkage(monkeypatch):
    A = points(6, 300, 1, d=3)[0]
    B = A + 0.3 * np.random.default_rng(0).normal(size=A.shape)
    original, released = (pa.table({f"v{j}": X[:, j] for j in range(3)}) for X in (A, B))
    free = shoal.link(original, released, truth="position")
    linked = shoal.link(original, released, truth="position", one_to_one=True)
    assert linked.risk > free.risk  # who is certain helps to place the others
    assert "proven to be the least over all pairs" in linked.notes[-1]
    with pytest.raises(LinkageError, match="one guess"):
        shoal.link(original, released, truth="position", one_to_one=True, k=2)
    with pytest.raises(LinkageError, match="distance, mahalanobis or rank"):
        shoal.link(original, released, truth="position", one_to_one=True, by="probabilistic")
    monkeypatch.setattr("shoal.linkage.link_tables.MOST_RECORDS", 100)  # above, blocks of a 2^d-tree
    blocked = shoal.link(original, released, truth="position", one_to_one=True)
    assert blocked.blocking is not None
    assert "of every block" in blocked.notes[-1]
