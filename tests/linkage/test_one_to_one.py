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
from shoal import kernels
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


@pytest.mark.gate(but=("0.1", "0.5"))
@pytest.mark.parametrize("noise", [0.1, 0.5, 3.0])
def test_many_records_whose_first_pairs_do_not_suffice(noise):
    A = points(1, 1200, 1, d=4)[0]
    B = A + noise * np.random.default_rng(2).normal(size=A.shape)
    distances = cdist(A, B)
    found = solve(A, B)
    assert found.total == pytest.approx(distances[linear_sum_assignment(distances)].sum(), rel=1e-10)
    assert sorted(found.links.records) == list(range(1200))  # a permutation


@pytest.mark.parametrize(("n", "m"), [(500, 500), (450, 500), (500, 450), (40, 500), (500, 40)])
@pytest.mark.parametrize("values", [None, 6])
def test_files_of_other_sizes_and_many_equal_records(n, m, values):
    A, B = points(7, n, m, d=3, values=values)
    distances = cdist(A, B)
    found = solve(A, B)
    best = distances[linear_sum_assignment(distances)].sum()
    assert found.total == pytest.approx(best, rel=1e-10)
    widest = np.ptp(np.vstack([A, B]), axis=0)
    assert found.total - 1.1e-11 * max(n, m) * np.sqrt((widest**2).sum()) <= found.bound <= found.total


def dense_pricing(persons, records, prices, limits, n_wanted):
    """(person, record) pairs below the limits, the lowest distance minus price first: a slow twin."""
    pairs = []
    for person, reduced in enumerate(cdist(persons, records) - prices):
        order = np.lexsort((np.arange(len(records)), reduced))[:n_wanted]
        pairs += [(person, int(record)) for record in order if reduced[record] < limits[person]]
    return pairs


@given(st.integers(0, 2**32), st.integers(1, 30), st.integers(1, 300), st.integers(1, 12))
def test_pricing_finds_every_pair_below_the_limit(seed, n, m, n_wanted):
    A, B = points(seed, n, m, d=3)
    rng = np.random.default_rng(seed)
    prices, limits = -rng.exponential(0.5, m), rng.exponential(2, n)
    limits[rng.random(n) < 0.2] = np.inf
    persons, records, costs = kernels.RecordPricing(B).below(A, prices, limits, n_wanted)
    assert list(zip(persons.tolist(), records.tolist(), strict=True)) == dense_pricing(A, B, prices, limits, n_wanted)
    assert costs == pytest.approx(cdist(A, B)[persons, records])


@pytest.mark.parametrize(("n", "m"), [(200, 200), (150, 200), (200, 150)])
def test_an_auction_is_as_near_to_the_optimum_as_it_says(n, m):
    A, B = points(8, n, m, d=3)
    distances = cdist(A, B)
    assignment = kernels.Assignment(n, np.ones(m, dtype=np.int64), 50.0)
    persons, records = (each.ravel() for each in np.indices((n, m)))
    assignment.add(persons.copy(), records.copy(), distances.ravel())
    slack = assignment.start()
    links, prices = assignment.records(), assignment.prices()
    linked = np.flatnonzero(links >= 0)
    assert len(linked) == min(n, m)
    assert len(np.unique(links[linked])) == len(linked)
    assignment.settle(0, n)
    settled = assignment.records()
    best = distances[linear_sum_assignment(distances)].sum()
    assert distances[settled >= 0, settled[settled >= 0]].sum() == pytest.approx(best)
    if n == m:  # otherwise records that remain free lose their price
        own = distances[linked, links[linked]] - prices[links[linked]]
        assert (own <= (distances - prices).min(axis=1) + slack + 1e-12).all()


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
