"""Interval disclosure agrees with counting cell by cell."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.interval import disclosure, rank_interval, sd_interval
from reference.tables import tables
from shoal.assessment.risk.interval import interval_attacks


@given(tables(most=25, columns=2), st.integers(0, 2**32), st.sampled_from(["rank", "sd"]))
def test_it_agrees_with_its_twin(X, seed, intervals):
    Y = np.random.default_rng(seed).permutation(X)
    percents = [4, 10, 37, 100] if intervals == "rank" else [4.13, 37.9, 99.3]  # ends that no value of a grid hits
    found = shoal.interval_disclosure(X, Y, intervals=intervals, percents=percents)
    around = rank_interval if intervals == "rank" else sd_interval
    columns = [disclosure(x.tolist(), y.tolist(), around, percents) for x, y in zip(X.T, Y.T, strict=True)]
    assert found.by_record == pytest.approx(100 * np.mean([own for own, _ in columns], axis=0))
    assert found.baseline == pytest.approx(100 * np.mean([luck for _, luck in columns]))
    assert found.estimate == pytest.approx(found.by_record.mean())


@pytest.mark.parametrize("intervals", ["rank", "sd"])
def test_untouched_values_are_always_inside(intervals):
    X = np.random.default_rng(1).normal(size=(50, 3))
    assert shoal.interval_disclosure(X, X, intervals=intervals).estimate == 100


def test_by_hand():
    """Five values, ranks that differ by less than 40 % are at most one apart; the second record moved by two."""
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    Y = np.array([[1.0], [4.0], [3.0], [2.0], [5.0]])
    found = shoal.interval_disclosure(X, Y, percents=[40])
    assert found.by_record.tolist() == [100, 0, 100, 0, 100]
    assert found.baseline == pytest.approx(100 * (2 + 3 + 3 + 3 + 2) / 25)


def test_values_of_others_are_inside_as_often_as_chance():
    chance = np.random.default_rng(2)
    X = chance.normal(size=(4000, 2))
    found = shoal.interval_disclosure(X, chance.permutation(X))
    assert found.estimate == pytest.approx(found.baseline, abs=1)
    assert 5 < found.baseline < 15


def test_tables_and_missing_values():
    table = pa.table({"a": [1.0, 2.0, None, 4.0], "b": ["x"] * 4})
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier", "numeric"), shoal.Column("b", "quasi_identifier")])
    (attack,) = interval_attacks(table, table, schema)
    assert (attack.subject, attack.figure.name) == ("interval", "interval disclosure of a")
    assert attack.figure.estimate == 100
    assert attack.figure.interval is None  # of everybody


def test_bad_input():
    X = np.ones((3, 1))
    with pytest.raises(shoal.ShoalError, match="percents"):
        shoal.interval_disclosure(X, X, percents=[0])
    with pytest.raises(shoal.ShoalError, match="number of percents"):
        shoal.interval_disclosure(X, X, percents=[])
    with pytest.raises(shoal.ShoalError, match="intervals"):
        shoal.interval_disclosure(X, X, intervals="mad")
    with pytest.raises(shoal.ShoalError, match="same records"):
        shoal.interval_disclosure(X, np.ones((4, 1)))
