"""The propensity score against its expectation, and what makes records distinguishable."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from shoal.assessment.utility.propensity import propensity_score


@pytest.mark.parametrize(("n_after", "d"), [(400, 5), (150, 3)])
def test_two_samples_of_one_population_are_at_the_expectation(n_after, d):
    """The mean of 150 ratios is 1 up to four of its standard errors."""
    draw = np.random.default_rng(7)
    found = [propensity_score(draw.normal(size=(400, d)), draw.normal(size=(n_after, d))) for _ in range(150)]
    ratios = [each.ratio for each in found]
    assert np.mean(ratios) == pytest.approx(1, abs=4 * found[0].ratio_deviation / np.sqrt(150))
    assert np.std(ratios) == pytest.approx(found[0].ratio_deviation, rel=0.3)


def test_it_is_the_mean_square_of_fitted_shares():
    draw = np.random.default_rng(1)
    before, after = draw.normal(size=(80, 2)), draw.normal(0.5, 1, size=(40, 2))
    X, y = np.vstack([before, after]), np.repeat([0, 1], [80, 40])
    shares = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y).predict_proba(X)[:, 1]
    found = propensity_score(before, after)
    assert found.pmse == pytest.approx(np.mean((shares - 1 / 3) ** 2), rel=1e-5)
    assert found.expected == pytest.approx(2 * (1 / 3) * (2 / 3) / 120)


def test_the_same_records_cannot_be_told_apart():
    X = np.random.default_rng(2).normal(size=(50, 3))
    assert propensity_score(X, X).ratio == pytest.approx(0, abs=1e-12)


def test_a_shift_is_seen_and_a_constant_or_repeated_column_counts_no_effect():
    draw = np.random.default_rng(3)
    before, after = draw.normal(size=(500, 2)), draw.normal((1, 0), 1, (500, 2))
    found = propensity_score(before, after)
    assert found.ratio > 20
    more = [np.column_stack([each, np.full(500, 7.0), each[:, 0]]) for each in (before, after)]
    assert propensity_score(*more).ratio == pytest.approx(found.ratio)
    assert propensity_score(*more).n_coefficients == 2


def test_records_that_a_column_separates_are_told_apart_wholly():
    before, after = np.arange(20.0).reshape(-1, 1), np.arange(100.0, 120).reshape(-1, 1)
    assert propensity_score(before, after).pmse == pytest.approx(0.25, abs=1e-3)
