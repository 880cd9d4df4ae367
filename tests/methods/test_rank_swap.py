"""Rank swapping keeps every value, and no value goes further than it may."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import shoal
from reference.tables import tables
from shoal.rng import Rng


def ranks(x):
    """By value, then by record."""
    order = np.argsort(x, kind="stable")
    found = np.empty(len(x), dtype=np.int64)
    found[order] = np.arange(len(x))
    return found


@given(tables(most=200), st.floats(1, 100), st.sampled_from(["upward", "centered"]), st.integers(0, 99))
def test_marginals_stay_to_the_last_bit(X, p, window, seed):
    assume(p * len(X) / 100 >= 2)
    Y = shoal.rank_swap(X, p=p, window=window, seed=seed)
    assert (np.sort(X, axis=0).view(np.int64) == np.sort(Y, axis=0).view(np.int64)).all()


@given(st.integers(4, 300), st.floats(1, 100), st.sampled_from(["upward", "centered"]), st.integers(0, 99))
def test_no_value_moves_further_than_p_percent_of_the_ranks(n, p, window, seed):
    assume(p * n / 100 >= 2)
    X = np.random.default_rng(seed).permutation(n).astype(float)[:, None]
    moved = np.abs(ranks(X[:, 0]) - ranks(shoal.rank_swap(X, p=p, window=window, seed=seed)[:, 0]))
    assert moved.max() <= (p if window == "upward" else p / 2) * n / 100


@pytest.mark.parametrize("window", ["upward", "centered"])
def test_nearly_everybody_is_swapped_and_over_the_whole_window(window):
    n = 20_000
    X = np.random.default_rng(1).random((n, 1))
    moved = ranks(shoal.rank_swap(X, p=10, window=window)[:, 0]) - ranks(X[:, 0])
    assert (moved != 0).mean() > 0.99
    reach = n // 10 if window == "upward" else n // 20
    assert np.abs(moved).max() > 0.99 * reach
    assert abs(moved).mean() == pytest.approx(reach / 2, rel=0.12)


def test_swaps_go_both_ways():
    """Who got my value gave me theirs."""
    X = np.random.default_rng(2).permutation(500).astype(float)[:, None]
    Y = shoal.rank_swap(X, p=8)
    place = {value: record for record, value in enumerate(X[:, 0])}
    partner = [place[value] for value in Y[:, 0]]
    assert [partner[other] for other in partner] == list(range(500))


def test_same_seed_same_swaps_and_columns_have_their_own():
    X = np.tile(np.random.default_rng(3).random((400, 1)), (1, 2))
    one = shoal.rank_swap(X, p=10, seed=5)
    assert (one == shoal.rank_swap(X, p=10, seed=5)).all()
    assert (one != shoal.rank_swap(X, p=10, seed=6)).any()
    assert (one[:, 0] != one[:, 1]).any()


@pytest.mark.parametrize("p", [0, -1, 101, float("nan")])
def test_p_is_a_percentage(p):
    with pytest.raises(shoal.ShoalError, match="percentage"):
        shoal.rank_swap(np.ones((20, 1)), p=p)


def test_a_window_of_no_rank_is_refused():
    with pytest.raises(shoal.ShoalError, match="less than one rank"):
        shoal.rank_swap(np.arange(20.0)[:, None], p=4)
    with pytest.raises(shoal.ShoalError, match=r"rank_swap\.window"):
        shoal.rank_swap(np.arange(20.0)[:, None], p=10, window="downward")


def test_ordinal_columns_swap_by_their_order():
    levels = ("low", "middle", "high", "top")
    column = shoal.Column("level", "quasi_identifier", "ordinal", order=levels)
    table = pa.table({"level": [*levels] * 50})
    swapped = shoal.RankSwap(p=1).perturb(table, shoal.Schema([column]), Rng(b"", 0))["level"].to_pylist()
    steps = [abs(levels.index(a) - levels.index(b)) for a, b in zip(table["level"].to_pylist(), swapped, strict=True)]
    assert max(steps) <= 1
    assert sorted(swapped) == sorted(table["level"].to_pylist())
