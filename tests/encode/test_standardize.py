"""z-scores have mean 0 and variance 1, whatever the order of the records."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import shoal


@given(st.integers(2, 50), st.integers(1, 4), st.integers(0, 2**32))
def test_mean_zero_variance_one(n, d, seed):
    X = np.random.default_rng(seed).normal(5, 3, (n, d))
    Z = shoal.standardize(X)
    assert np.allclose(Z.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(Z.var(axis=0), 1)


@given(st.integers(0, 2**32))
def test_the_order_of_records_changes_no_bit(seed):
    chance = np.random.default_rng(seed)
    X = chance.lognormal(3, 2, (200, 2))
    order = chance.permutation(200)
    assert (shoal.standardize(X)[order] == shoal.standardize(X[order])).all()


def test_constant_columns_become_zeros():
    assert (shoal.standardize(np.full((7, 2), 0.1)) == 0).all()
