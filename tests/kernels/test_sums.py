"""Sums are exact: they equal math.fsum, in every order, to the last bit."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import kernels

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
tame = st.floats(min_value=-1e300, max_value=1e300)


def total(values):
    return float(kernels.column_sums(np.array(values, dtype=np.float64)[:, None])[0])


@given(st.lists(tame, min_size=1, max_size=40))
def test_a_sum_is_rounded_once(values):
    assert total(values) == math.fsum(values)


@given(st.lists(tame, min_size=1, max_size=20), st.randoms())
def test_order_does_not_matter(values, random):
    shuffled = values[:]
    random.shuffle(shuffled)
    assert total(values) == total(shuffled)


@given(st.lists(finite, min_size=1, max_size=20))
def test_what_is_taken_away_leaves_nothing(values):
    assert total([*values, *(-value for value in values)]) == 0.0


def test_subnormals_and_extremes():
    assert total([5e-324, 5e-324]) == 1e-323
    assert total([1.7976931348623157e308, 1.0, -1.7976931348623157e308]) == 1.0
    assert total([2.0**53, 1.0, 1.0]) == 2.0**53 + 2
    assert total([2.0**53, 1.0]) == 2.0**53  # ties to even
    assert total([1.7976931348623157e308] * 2) == math.inf


@pytest.mark.parametrize("far", [12, 20, 54, 60, 96, 97, 128, 160, 500, 1000])
@pytest.mark.parametrize("start", [1.0, 1.0 + 2.0**-52, -1.0, 3.0 * 2.0**70])
def test_half_is_rounded_by_what_lies_far_below(start, far):
    """Half a last bit is a tie only where nothing follows: a term far below decides, up or down."""
    half = math.ulp(start) / 2
    for rest in (2.0**-far * half, -(2.0**-far) * half, 0.0):
        for sign in (1, -1):
            exact = Fraction(start) + sign * Fraction(half) + Fraction(rest)
            assert total([start, sign * half, rest]) == exact.numerator / exact.denominator


@given(st.integers(1, 30), st.integers(1, 4), st.integers(0, 2**32))
def test_group_sums_and_sse_equal_the_obvious(n, d, seed):
    chance = np.random.default_rng(seed)
    X = chance.normal(size=(n, d))
    labels = np.sort(chance.integers(0, n, n))
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    n_groups = int(labels.max()) + 1
    sums = kernels.group_sums(X, labels, n_groups)
    expected = [[math.fsum(X[labels == g, j]) for j in range(d)] for g in range(n_groups)]
    assert (sums == np.array(expected)).all()
    means = sums / np.bincount(labels)[:, None]
    sse = math.fsum(((X - means[labels]) ** 2).ravel())
    assert kernels.within_groups_sse(X, labels, n_groups) == sse
