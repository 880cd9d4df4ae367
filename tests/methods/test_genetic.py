"""The genetic method keeps its promises, and finds the best of few records."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference.tables import tables
from reference.univariate import least_error


@settings(deadline=None, max_examples=examples(50))
@given(tables(), st.integers(2, 6), st.integers(0, 2**63))
def test_groups_have_k_to_2k_minus_1_records_and_hang_on_the_seed_alone(X, k, seed):
    if k <= len(X):
        once, again = (shoal.genetic(X, k, generations=3, population=5, seed=seed) for _ in range(2))
        assert once.check(k).sizes.max() <= 2 * k - 1
        assert (once.labels == again.labels).all()


@pytest.mark.parametrize("k", [2, 3, 4])
def test_it_finds_the_best_partition_of_nine_records(k):
    X = np.random.default_rng(k).normal(size=(9, 2))
    found = shoal.genetic(X, k, generations=100, population=40, mutation=1.0)
    assert found.sse(X) == pytest.approx(least_error(X.tolist(), k))


def test_more_generations_never_lose_more():
    X = np.random.default_rng(0).normal(size=(40, 3))
    errors = [shoal.genetic(X, 3, generations=generations, population=20).sse(X) for generations in (0, 20, 40, 80)]
    assert errors == sorted(errors, reverse=True)


@pytest.mark.parametrize(("rate", "said"), [({"population": 1}, "two parents"), ({"mutation": -1}, "number of genes")])
def test_what_cannot_be_is_refused(rate, said):
    with pytest.raises(shoal.ShoalError, match=said):
        shoal.genetic(np.zeros((9, 2)), 3, **rate)
