"""Imputed values come from where they should, known ones stay, and every imputed cell is flagged."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.rng import Rng

HOW = ["mean", "median", "mode", "hot_deck", "deductive"]


def schema(**kinds):
    return shoal.Schema([shoal.Column(name, "quasi_identifier", kind) for name, kind in kinds.items()])


@given(st.integers(1, 60), st.sampled_from(HOW), st.integers(0, 2**32))
def test_known_values_stay_and_donors_are_of_the_class(n, how, seed):
    chance = np.random.default_rng(seed)
    x, by = chance.integers(0, 5, n).astype(float), chance.integers(0, 4, n)
    x[chance.random(n) < 0.4] = np.nan
    x[0] = 1.0
    filled, flags = shoal.impute(x[:, None], how=how, by=by, seed=seed)
    known = ~np.isnan(x)
    assert (filled[known, 0] == x[known]).all()
    assert (flags[:, 0] == (~known & ~np.isnan(filled[:, 0]))).all()
    for label in np.unique(by):
        donors = x[known & (by == label)]
        got = filled[~known & (by == label), 0]
        if how == "deductive" and len(set(donors)) != 1:
            donors = donors[:0]
        if not len(donors):
            assert np.isnan(got).all()
        elif how == "mean":
            assert got == pytest.approx(np.full(len(got), donors.mean()))
        elif how == "median":
            assert set(got) <= {np.sort(donors)[(len(donors) - 1) // 2]}
        elif how == "mode":
            counts = np.bincount(donors.astype(int))
            assert set(got) <= {float(counts.argmax())}
        else:
            assert set(got) <= set(donors)


@pytest.mark.parametrize("how", HOW)
def test_a_class_without_a_known_value_gets_none(how):
    filled, flags = shoal.impute([[7.0], [np.nan], [np.nan]], how=how, by=[0, 0, 1])
    assert np.array_equal(filled, [[7.0], [7.0], [np.nan]], equal_nan=True)
    assert flags.tolist() == [[False], [True], [False]]


def test_a_hot_deck_keeps_the_shares_of_the_known():
    x = np.array([1.0] * 30 + [2.0] * 10 + [np.nan] * 40_000)
    filled, _ = shoal.impute(x[:, None], how="hot_deck")
    assert (filled[40:] == 1).mean() == pytest.approx(0.75, abs=0.01)


def test_words_and_dates_too():
    table = pa.table({"zip": ["1", "1", "2", "2"], "city": ["Ulm", None, "Bonn", None]})
    found = shoal.Imputation(columns=("city",), how="deductive", by=("zip",)).impute(
        table, schema(zip="nominal", city="nominal"), Rng(b"", 0)
    )
    assert found.table["city"].to_pylist() == ["Ulm", "Ulm", "Bonn", "Bonn"]
    assert found.flags["city"].tolist() == [False, True, False, True]
    assert found.counts == {"city": 2}


def test_sums_are_deduced_where_one_is_missing():
    table = pa.table({"total": [10, None, 7, None], "rent": [None, 3, 5, None], "food": [4, 2, 2, 1]})
    rule = shoal.Imputation(how="deductive", sums=(("total", "rent", "food"),))
    found = rule.impute(table, schema(total="numeric", rent="numeric", food="numeric"), Rng(b"", 0))
    assert found.table.to_pydict() == {"total": [10, 5, 7, None], "rent": [6, 3, 5, None], "food": [4, 2, 2, 1]}
    assert found.counts == {"total": 1, "rent": 1, "food": 0}


def test_bad_input():
    with pytest.raises(shoal.ShoalError, match=r"imputation\.how"):
        shoal.Imputation(how="guess")
    with pytest.raises(shoal.ShoalError, match="at least one of by, sums"):
        shoal.Imputation(how="deductive")
    with pytest.raises(shoal.ShoalError, match="is only allowed with how = 'deductive'"):
        shoal.Imputation(how="mean", sums=(("a", "b"),))
    with pytest.raises(shoal.ShoalError, match="nominal"):
        shoal.Imputation(how="mean").impute(pa.table({"x": ["a", None]}), schema(x="nominal"), Rng(b"", 0))
    with pytest.raises(shoal.ShoalError, match="infinite"):
        shoal.impute([[np.inf]])
    with pytest.raises(shoal.ShoalError, match="every value is missing"):
        shoal.impute([[np.nan], [np.nan]])
