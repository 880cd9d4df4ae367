"""Least squares and logistic regression, against closed forms and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from shoal.assessment.utility.regression_fit import least_squares, logistic, probabilities


def design(n: int = 300, seed: int = 0):
    generator = np.random.default_rng(seed)
    X = np.column_stack(
        [np.ones(n), generator.normal(40, 10, n), generator.integers(0, 2, n), generator.normal(0, 1e-4, n)]
    )
    return X, generator


def test_least_squares_is_the_closed_form():
    X, generator = design()
    y = X @ [3, 0.5, -2, 1e4] + generator.normal(size=300)
    fit = least_squares(X, y)
    inverse = np.linalg.inv(X.T @ X)
    beta = inverse @ X.T @ y
    residuals = y - X @ beta
    errors = np.sqrt(np.diag(inverse) * (residuals @ residuals) / (300 - 4))
    np.testing.assert_allclose(fit.coefficients, beta, rtol=1e-8)
    np.testing.assert_allclose(fit.errors, errors, rtol=1e-8)
    np.testing.assert_allclose(fit.coefficients[1:], LinearRegression().fit(X[:, 1:], y).coef_, rtol=1e-8)


def test_logistic_regression_is_that_of_sklearn_with_the_errors_of_the_information():
    X, generator = design()
    y = generator.random(300) < probabilities(X @ [-4, 0.1, 1, 5e3])
    fit = logistic(X, y)
    X[:, 3] *= 1e4  # scikit-learn needs columns of one size
    twin = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X[:, 1:], y)
    np.testing.assert_allclose(fit.coefficients[1:] / [1, 1, 1e4], twin.coef_[0], rtol=1e-4)
    shares = probabilities(X @ np.concatenate([fit.coefficients[:3], fit.coefficients[3:] / 1e4]))
    np.testing.assert_allclose(X.T @ (y - shares), 0, atol=1e-6)  # the score at the maximum
    information = (X * (shares * (1 - shares))[:, None]).T @ X
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    np.testing.assert_allclose(fit.errors / [1, 1, 1, 1e4], errors, rtol=1e-6)
    assert fit.converged


def test_two_groups_have_the_log_odds_ratio_and_its_error():
    y = np.repeat([1, 0, 1, 0], [30, 10, 20, 40])
    group = np.repeat([1.0, 1.0, 0.0, 0.0], [30, 10, 20, 40])
    fit = logistic(np.column_stack([np.ones(100), group]), y)
    assert fit.coefficients[1] == pytest.approx(np.log(30 * 40 / (10 * 20)))
    assert fit.errors[1] == pytest.approx(np.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 40), rel=1e-6)


@pytest.mark.parametrize("fit", [least_squares, logistic])
def test_a_column_that_depends_on_earlier_ones_is_left_out(fit):
    X, generator = design()
    y = (generator.random(300) < 0.5).astype(float)
    doubled = np.column_stack([X, X[:, 1] - 2 * X[:, 2], np.zeros(300)])
    found, plain = fit(doubled, y), fit(X, y)
    assert np.isnan(found.coefficients[4:]).all()
    np.testing.assert_allclose(found.coefficients[:4], plain.coefficients, rtol=1e-7)
    np.testing.assert_allclose(found.linear(doubled), plain.linear(X), atol=1e-9)


def test_a_target_that_a_column_separates_has_no_maximum():
    x = np.arange(40.0)
    assert not logistic(np.column_stack([np.ones(40), x]), x >= 20).converged


def test_a_category_of_one_target_has_no_error_and_still_predicts():
    x = np.arange(60) // 20  # of the last category all records are 1
    target = np.where(x == 2, 1.0, np.arange(60) % 2)
    fit = logistic(np.column_stack([np.ones(60), x == 1, x == 2]), target)
    assert fit.converged
    assert np.isfinite(fit.errors[:2]).all()
    assert np.isnan(fit.errors[2])
    assert fit.linear(np.array([[1.0, 0.0, 1.0]]))[0] > 10
    rare = logistic(np.column_stack([np.ones(60), np.arange(60) < 3]), np.arange(60) % 2)
    assert np.isfinite(rare.errors).all()


def test_without_a_degree_of_freedom_errors_are_not_known():
    fit = least_squares(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([1.0, 3.0]))
    np.testing.assert_allclose(fit.coefficients, [1, 2])
    assert np.isinf(fit.errors).all()
