"""Nothing is released beyond the bounds, and rounding gives multiples."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.rng import Rng

SCHEMA = shoal.Schema([shoal.Column("x", "quasi_identifier", "numeric")])


def column(X):
    return np.asarray(X, dtype=float)[:, None]


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60), st.floats(0, 0.49), st.floats(0.01, 0.49))
def test_at_most_the_share_is_coded(values, low, high):
    X = column(values)
    Y = shoal.top_bottom_code(X, bottom_share=low, top_share=high)
    assert (Y < X).sum() <= high * len(X)
    assert (Y > X).sum() <= low * len(X)
    assert set(Y.ravel()) <= set(X.ravel())


def test_values_by_hand():
    X = column([1, 2, 3, 4, 100])
    assert shoal.top_bottom_code(X, top=3.5, bottom=2).ravel().tolist() == [2, 2, 3, 3.5, 3.5]
    assert shoal.top_bottom_code(X, top=3, put="mean").ravel().tolist() == [1, 2, 3, 52, 52]
    assert shoal.top_bottom_code(X, top=4, put="mean").ravel().tolist() == [1, 2, 3, 4, 4]  # a mean of one is a value


WITHIN_REACH = st.floats(-1e6, 1e6).map(lambda value: value if abs(value) > 1e-100 else 0.0)  # below it is refused


@given(st.lists(WITHIN_REACH, min_size=1, max_size=40), st.sampled_from([0.5, 3, 10, 250]))
def test_rounded_values_are_multiples_close_by(values, base):
    X = column(values)
    for Y, reach in ((shoal.round_to(X, base), base / 2), (shoal.round_to(X, base, unbiased=True), base)):
        assert (Y / base == np.rint(Y / base)).all()
        assert np.abs(X - Y).max() <= reach * (1 + 1e-9)


def test_unbiased_rounding_keeps_totals_in_expectation():
    X = column(np.full(40_000, 3.7))
    assert shoal.round_to(X, 5, unbiased=True).mean() == pytest.approx(3.7, abs=0.05)
    multiples = column([0, 5, -10])
    assert (shoal.round_to(multiples, 5, unbiased=True) == multiples).all()


def test_whole_numbers_stay_whole():
    table = pa.table({"x": pa.array([1, 7, None, 40])})
    rounded = shoal.Rounding(base=5).perturb(table, SCHEMA, Rng(b"", 0))["x"]
    assert (rounded.type, rounded.to_pylist()) == (pa.int64(), [0, 5, None, 40])
    coded = shoal.TopBottomCode(top=20).perturb(table, SCHEMA, Rng(b"", 0))["x"]
    assert (coded.type, coded.to_pylist()) == (pa.int64(), [1, 7, None, 20])
    assert shoal.Rounding(base=0.4).perturb(table, SCHEMA, Rng(b"", 0))["x"].type == pa.float64()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"top": math.nan},
        {"top": 1, "bottom": 2},
        {"top_share": 0.5},
        {"top": 1, "top_share": 0.1},
        {"put": "zero", "top": 1},
    ],
)
def test_bad_bounds(options):
    with pytest.raises(shoal.ShoalError, match="top_bottom_code"):
        shoal.TopBottomCode(**options)


@pytest.mark.parametrize("base", [0, -5, math.inf, math.nan])
def test_bad_base(base):
    with pytest.raises(shoal.ShoalError, match=r"rounding\.base"):
        shoal.round_to(column([1]), base)
