"""The bound lies below every partition, and meets the optimum where it says so."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.exhaustive import optimum
from shoal import kernels
from shoal.methods.microaggregation.pool import Pool
from shoal.methods.microaggregation.prices import instant_prices


def records(kind, n, d, seed):
    chance = np.random.default_rng(seed)
    return chance.normal(size=(n, d)) if kind == "reals" else chance.integers(0, 3, (n, d)).astype(float)


kinds = st.sampled_from(["reals", "few"])


@pytest.mark.gate
@settings(max_examples=examples(25), deadline=None)
@given(kinds, st.integers(4, 11), st.integers(1, 3), st.integers(2, 4), st.integers(0, 2**32))
def test_a_dozen_records_have_their_optimum(kind, n, d, k, seed):
    X = records(kind, n, d, seed)
    bound = shoal.lower_bound(X, k, seconds=5)
    best = optimum(X, k)
    assert bound.instant <= best + 1e-9
    assert bound == pytest.approx(best, abs=1e-9)
    assert bound.is_optimal
    assert bound.optimum.check(k).sse(X) == pytest.approx(best, abs=1e-9)


@pytest.mark.gate
@settings(max_examples=examples(10), deadline=None)
@given(kinds, st.integers(20, 80), st.integers(1, 5), st.integers(2, 5), st.integers(0, 2**32))
def test_no_partition_goes_below_it(kind, n, d, k, seed):
    X = records(kind, n, d, seed)
    start = shoal.mdav(X, k)
    bound = shoal.lower_bound(X, k, seconds=0.5)
    assert bound.instant <= bound * (1 + 1e-9)
    assert bound <= shoal.refine(X, start, k, proposals=100_000).sse(X) * (1 + 1e-9)


@pytest.mark.gate
def test_thirty_records_are_solved():
    X = np.random.default_rng(4).normal(size=(30, 3))
    assert shoal.lower_bound(X, 3, seconds=10).is_optimal


def test_no_time_gives_a_bound_too():
    X = np.random.default_rng(4).normal(size=(200, 3))
    bound = shoal.lower_bound(X, 3, seconds=0)
    assert 0 < bound.instant <= bound <= shoal.mdav(X, 3).sse(X)


def test_a_large_table_has_the_instant_bound():
    X = np.random.default_rng(4).normal(size=(6000, 2))
    bound = shoal.lower_bound(X, 3)
    assert bound == bound.instant
    assert not bound.is_optimal
    assert bound < shoal.mdav(X, 3).sse(X)


@settings(max_examples=examples(40), deadline=None)
@given(kinds, st.integers(5, 12), st.integers(2, 5), st.sampled_from([-0.1, 0.0, 0.3]), st.integers(0, 2**32))
def test_pricing_misses_no_group(kind, n, size, threshold, seed):
    from itertools import combinations

    X = records(kind, n, 2, seed)
    prices = np.random.default_rng(seed).random(n)
    pricer = kernels.Pricer(X)
    groups, costs, least, n_found, is_complete = pricer.price(
        duals=prices, size=size, threshold=threshold, first=0, last=n, max_groups=10**6, max_nodes=10**6
    )
    wanted = Pool(X)
    wanted.add(np.array(list(combinations(range(n), size))))
    expected = {
        group: cost
        for group, cost in zip(wanted.groups, wanted.reduced_costs(prices), strict=True)
        if cost < threshold - 1e-9
    }
    found = {tuple(sorted(group)): cost for group, cost in zip(groups.tolist(), costs, strict=True)}
    assert is_complete
    assert len(found) == len(groups) == n_found
    assert expected.keys() <= found.keys()
    assert all(cost < threshold + 1e-9 for cost in found.values())
    assert all(found[group] == pytest.approx(cost, abs=1e-9) for group, cost in expected.items())
    assert all(least[i] <= cost / size + 1e-9 for group, cost in expected.items() for i in group)


@settings(deadline=None)
@given(kinds, st.integers(6, 40), st.integers(2, 4), st.integers(0, 2**32))
def test_instant_prices_are_worth_no_more_than_any_group(kind, n, k, seed):
    X = records(kind, n, 2, seed)
    prices = instant_prices(X, k, threads=1)
    chance = np.random.default_rng(seed)
    for _ in range(20):
        group = chance.choice(n, size=int(chance.integers(k, min(n, 2 * k - 1) + 1)), replace=False)
        sse = ((X[group] - X[group].mean(axis=0)) ** 2).sum()
        assert prices[group].sum() <= sse + 1e-9


@pytest.mark.gate
@pytest.mark.parametrize("scale", [1e-5, 1e-3, 1e4])
@pytest.mark.parametrize("seed", [0, 2])
def test_a_proof_does_not_hang_on_the_unit(seed, scale):
    X = np.random.default_rng(seed).normal(size=(18, 2))
    as_it_is, rescaled = shoal.lower_bound(X, 3, seconds=5), shoal.lower_bound(scale * X, 3, seconds=5)
    assert as_it_is.is_optimal
    assert rescaled.is_optimal
    assert rescaled == pytest.approx(scale**2 * as_it_is, rel=1e-6)
