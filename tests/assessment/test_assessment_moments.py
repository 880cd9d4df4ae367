"""Information loss of numbers: nothing for nothing, by hand, and within the chance of sampling."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.tables import tables
from shoal.assessment.utility.moments import bounded_loss, moment_findings
from shoal.assessment.utility.probabilistic import probabilistic_findings
from shoal.encode.covariance import cholesky_factor, correlation, covariance


@given(tables(most=60))
def test_covariances_are_those_of_numpy_and_have_a_root(X):
    found = covariance(X)
    expected = np.atleast_2d(np.cov(X.T))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-10)
    lower = cholesky_factor(found)
    assert lower @ lower.T == pytest.approx(found, rel=1e-9, abs=1e-5)
    assert np.abs(correlation(found)).max() <= 1


@given(tables(most=40))
def test_nothing_is_lost_where_nothing_changed(X):
    assert shoal.mean_variation(X, X).information_loss == 0
    assert shoal.il1s(X, X) == 0
    assert shoal.probabilistic_loss(X, X).value == 0


def test_by_hand():
    """Two columns, one of them halved: x = 2, 4, 6 and y = 1, 3, 2."""
    X = np.array([[2.0, 1.0], [4.0, 3.0], [6.0, 2.0]])
    Y = X * [0.5, 1.0]
    found = shoal.mean_variation(X, Y)
    assert found.data == pytest.approx(0.25)  # half of every x, nothing of y
    assert found.means == pytest.approx(0.25)
    assert found.variances == pytest.approx(0.375)  # 4 to 1, and nothing
    assert found.covariances == pytest.approx((0.75 + 0.5 + 0) / 3)  # 4 to 1, 1 to 0.5, 1 to 1
    assert found.correlations == pytest.approx(0)
    assert found.information_loss == pytest.approx(100 * (0.25 + 0.25 + 0.375 + 1.25 / 3) / 5)
    assert shoal.il1s(X, Y) == pytest.approx(100 * (1 + 2 + 3) / (np.sqrt(2) * 2) / 6)


@given(tables(), st.integers(0, 2**32))
def test_capped_il1s_is_between_nothing_and_100(X, seed):
    """By hand: every cell counts 1 at most, a cell of a constant column that moved counts 1."""
    chance = np.random.default_rng(seed)
    Y = X + chance.choice([0.0, 0.5, 1e9], X.shape)
    spread = np.sqrt(2 * X.var(axis=0, ddof=1))
    cells = [
        [min(abs(x - y) / s, 1.0) if s > 0 else float(x != y) for x, y, s in zip(*pair, spread, strict=True)]
        for pair in zip(X, Y, strict=True)
    ]
    found = bounded_loss(X, Y)
    assert found == pytest.approx(100 * np.mean(cells))
    assert 0 <= found <= min(100, shoal.il1s(X, Y) + 1e-9)


def test_what_was_zero_and_is_no_longer_counts_once():
    assert shoal.mean_variation([[0.0], [0.0]], [[5.0], [0.0]]).data == pytest.approx(0.5)
    assert shoal.mean_variation([[0.0], [0.0]], [[0.0], [0.0]]).information_loss == 0
    assert shoal.mean_variation([[1.0], [2.0]], [[1.0], [2.0]]).correlations is None


def test_the_mean_moved_by_one_standard_error():
    """2 Phi(1) - 1, as every table of the normal distribution has it."""
    X = np.random.default_rng(0).normal(size=(400, 1))
    found = shoal.probabilistic_loss(X, X + X.std() / 20)
    assert found.means == pytest.approx(68.27, abs=0.01)
    assert found.variances == pytest.approx(0, abs=1e-6)
    assert found.covariances is None


def test_another_sample_is_lost_in_chance_and_another_shape_is_not():
    chance = np.random.default_rng(1)
    X = np.cumsum(chance.exponential(size=(3000, 3)), axis=1)
    again = [shoal.probabilistic_loss(X, chance.permutation(X)[chance.integers(0, 3000, 3000)]) for _ in range(20)]
    for part in ("quantiles", "means", "variances", "covariances", "correlations"):
        assert np.mean([getattr(found, part) for found in again]) == pytest.approx(50, abs=16)
    assert shoal.probabilistic_loss(X, np.zeros_like(X)).value > 99
    assert shoal.probabilistic_loss(X, chance.permutation(X)).value == pytest.approx(0, abs=1e-9)


def test_tables_count_complete_records_of_numeric_columns():
    table = pa.table({"a": [2, 4, 6, None], "b": [1.0, 3.0, 2.0, 9.0], "c": ["x"] * 4})
    halved = pa.table({"a": [1.0, 2.0, 3.0, 8.0], "b": [1.0, 3.0, 2.0, 9.0], "c": ["x"] * 4})
    kinds = {"a": "numeric", "b": "numeric", "c": "nominal"}
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier", kind) for name, kind in kinds.items()])
    assert moment_findings(table, halved, schema)["mean variation of data"].estimate == pytest.approx(25)
    assert probabilistic_findings(table, table, schema)["probabilistic loss (PIL)"].estimate == 0
    words = shoal.Schema([shoal.Column("c", "quasi_identifier")])
    assert len(moment_findings(table, halved, words)) == len(probabilistic_findings(table, halved, words)) == 0


def test_the_score_from_its_parts():
    score = shoal.Score(20, 40, 10, 6)
    assert score.disclosure_risk == pytest.approx(0.5 * 40 + 0.25 * 10 + 0.25 * 6)
    assert score.value == pytest.approx(22)
    assert score.findings(bounded_loss=10)["score"].estimate == pytest.approx(22)


@given(st.sampled_from([(np.nan, 1, 1, 1), (-1, 1, 1, 1), (1, 101, 1, 1), (1, 1, -1, 1), (1, 1, 1, np.nan)]))
def test_a_score_of_no_percentages_is_refused(parts):
    with pytest.raises(shoal.ShoalError, match="must be from"):
        shoal.Score(*parts)


def test_bad_input():
    with pytest.raises(shoal.ShoalError, match="same records"):
        shoal.mean_variation(np.ones((3, 2)), np.ones((3, 1)))
    with pytest.raises(shoal.ShoalError, match="2 records"):
        shoal.il1s([[1.0]], [[1.0]])
