"""Data swapping keeps the counts of a column, and those with the columns it swaps within."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.rng import Rng


@given(st.integers(1, 300), st.integers(1, 5), st.floats(0.01, 1), st.integers(0, 2**32))
def test_counts_are_kept_within_classes(n, n_classes, rate, seed):
    chance = np.random.default_rng(seed)
    codes, within = chance.integers(-1, 4, n), chance.integers(0, n_classes, n)
    swapped = shoal.data_swap(codes, rate=rate, within=within, seed=seed)
    for label in range(n_classes):
        assert sorted(codes[within == label]) == sorted(swapped[within == label])
    assert ((codes < 0) == (swapped < 0)).all()


@pytest.mark.parametrize("n_classes", [1, 40_000])
def test_the_share_swapped_is_the_rate_in_large_and_small_classes(n_classes):
    """Among all different values, every swap shows."""
    within = np.arange(120_000) % n_classes
    swapped = shoal.data_swap(np.arange(120_000), rate=0.2, within=within)
    assert (swapped != np.arange(120_000)).mean() == pytest.approx(0.2, abs=0.01)


def test_moves_stay_under_the_node():
    tree = shoal.Taxonomy((("a", "vowel", "*"), ("e", "vowel", "*"), ("b", "other", "*"), ("c", "other", "*")))
    schema = shoal.Schema([shoal.Column("letter", "quasi_identifier", taxonomy=tree)])
    table = pa.table({"letter": ["a", "e", "b", "c"] * 40})
    swapped = shoal.DataSwap(rate=1, level=1).perturb(table, schema, Rng(b"", 3))["letter"].to_pylist()
    assert all((old in "ae") == (new in "ae") for old, new in zip(table["letter"].to_pylist(), swapped, strict=True))
    assert swapped != table["letter"].to_pylist()


def test_bad_input():
    with pytest.raises(shoal.ShoalError, match="rate"):
        shoal.data_swap([0, 1], rate=0)
    with pytest.raises(shoal.ShoalError, match="same number of records"):
        shoal.data_swap([0, 1], within=[0])
    with pytest.raises(shoal.ShoalError, match="one integer"):
        shoal.data_swap([0.5, 1])
    with pytest.raises(shoal.ShoalError, match="below -1"):
        shoal.data_swap([-2, 1])
    schema = shoal.Schema([shoal.Column("x", "quasi_identifier")])
    table = pa.table({"x": ["a", "b"]})
    with pytest.raises(shoal.ShoalError, match="taxonomy"):
        shoal.DataSwap(level=1).perturb(table, schema, Rng(b"", 0))
    with pytest.raises(shoal.ShoalError, match="no column 'y'"):
        shoal.DataSwap(within=("y",)).perturb(table, schema, Rng(b"", 0))
