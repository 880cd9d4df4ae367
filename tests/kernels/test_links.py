"""Every search of links finds the same, and what looking at every pair finds, ties and all."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_numbers import examples
from reference import linkage as twin
from shoal import kernels
from shoal.linkage.record_links import Links

PLAIN = np.empty(0, dtype=np.uint64)  # equal to the bit is equal


def ones(n):
    return np.ones(n, dtype=np.int64)


def files(n, m, d, seed, grid):
    chance = np.random.default_rng(seed)
    made = [
        chance.integers(0, 4, (size, d)).astype(float) if grid else chance.normal(size=(size, d)) for size in (n, m)
    ]
    truth = np.full(n, -1)
    known = chance.permutation(min(n, m))
    truth[known] = chance.permutation(m)[: len(known)]
    truth[chance.random(n) < 0.2] = -1
    return *made, truth


@settings(max_examples=examples(50))
@given(
    st.integers(1, 40), st.integers(1, 120), st.integers(1, 3), st.integers(0, 2**32), st.booleans(), st.integers(1, 4)
)
def test_tree_and_scan_agree_with_the_twin(n, m, d, seed, grid, k):
    A, B, truth = files(n, m, d, seed, grid)
    everybody = [set(range(m))] * n

    def measure(i, j):
        return twin.squared_distance(A[i], B[j])

    whole = np.zeros(n, dtype=np.int64), np.full(n, m)
    order = np.random.default_rng(seed).permutation(m)
    for counts, distances in (
        kernels.LinkTree(B, np.ones(d), PLAIN, ones(m)).tally(A, truth, k),
        kernels.LinkRuns(B, np.ones(d), PLAIN, order, ones(m)).tally(A, *whole, truth, k),
    ):
        links = Links.of(counts, distances, k)
        assert links.chances.tolist() == twin.chances(measure, truth, everybody, k)
        assert list(zip(links.records, links.n_ties, strict=True)) == twin.nearest(measure, everybody)
        assert distances.tolist() == [measure(i, j) for i, j in enumerate(links.records)]


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32), st.integers(1, 3))
def test_runs_are_all_that_is_looked_at(n, m, seed, k):
    A, B, truth = files(n, m, 2, seed, grid=True)
    chance = np.random.default_rng(seed)
    order = chance.permutation(m)
    begin, end = np.sort(chance.integers(0, m + 1, (2, n)), axis=0)
    runs = [set(order[b:e].tolist()) for b, e in zip(begin, end, strict=True)]
    inside = np.array([t if t in run else -1 for t, run in zip(truth, runs, strict=True)])

    def measure(i, j):
        return twin.squared_distance(A[i], B[j])

    search = kernels.LinkRuns(B, np.ones(2), PLAIN, order, ones(m))
    links = Links.of(*search.tally(A, begin.copy(), end.copy(), inside, k), k)
    assert links.chances.tolist() == twin.chances(measure, inside, runs, k)
    assert list(zip(links.records, links.n_ties, strict=True)) == twin.nearest(measure, runs)


@pytest.mark.parametrize("n", [1, 33, 5000])
def test_records_that_are_all_alike_are_one_tie(n):
    counts, distances = kernels.LinkTree(np.full((n, 3), 0.3), np.ones(3), PLAIN, ones(n)).tally(
        np.zeros((2, 3)), np.array([n - 1, 0]), 1
    )
    assert counts.tolist() == [[0, n, 0, n]] * 2
    assert (distances > 0).all()


@settings(max_examples=examples(50))
@given(st.integers(1, 60), st.integers(0, 2**32), st.booleans())
def test_fingerprints_are_of_numbers_without_rounding(n, seed, whole):
    """Sums of doubles and of their squares, modulo a prime, as fractions give them."""
    prime = 2**61 - 1
    chance = np.random.default_rng(seed)
    values = (
        chance.integers(-(2**50), 2**50, n).astype(float)
        if whole
        else chance.normal(size=n) * 10.0 ** chance.integers(-200, 200, n)
    )
    exact = [Fraction(value) for value in values.tolist()]
    sums = [sum(exact), sum(value * value for value in exact)]
    assert kernels.residue_sums(values) == tuple(
        total.numerator * pow(total.denominator, -1, prime) % prime for total in sums
    )


def nearly_tied(seed):
    """Thirds and sevenths: many distances that are equal or within rounding of each other."""
    chance = np.random.default_rng(seed)
    unit = 3 if seed % 2 else 7
    B, A = (chance.integers(0, 5, (n, 3)).astype(float) / unit for n in (40, 10))
    parts = chance.integers(1, 7, 3).tolist()
    residues = np.array([pow(part, -1, 2**61 - 1) for part in parts], dtype=np.uint64)
    return A, B, chance.integers(0, 40, 10), 1 / np.array(parts), residues


def test_no_figure_depends_on_the_order_of_the_candidates():
    for seed in range(600):
        A, B, truth, weights, residues = nearly_tied(seed)
        begin, end = np.zeros(10, dtype=np.int64), np.full(10, 40)
        chance = np.random.default_rng(seed)
        orders = [np.arange(40), np.arange(40)[::-1].copy(), chance.permutation(40)]
        found = [
            kernels.LinkRuns(B, weights, residues, order, ones(40)).tally(A, begin, end, truth, 40) for order in orders
        ]
        pairs = kernels.LinkDistances(A, B, truth, weights, residues)
        at = chance.permutation(400)
        pairs.consider(at // 40, at % 40)
        found += [pairs.tally(), kernels.LinkTree(B, weights, residues, ones(40)).tally(A, truth, 40)]
        for counts, nearest in found[1:]:
            assert (counts[:, :2] == found[0][0][:, :2]).all(), seed
            assert (nearest == found[0][1]).all(), seed
