"""Noise is as large as declared, and the correction keeps what it says."""

import numpy as np
import pytest

import shoal

MIX = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [-0.3, 0.2, 2.0]])


def records(n=60_000, seed=4):
    return np.random.default_rng(seed).normal(size=(n, 3)) @ MIX.T + [100, 0, -7]


@pytest.mark.parametrize("kind", ["independent", "correlated"])
def test_variance_grows_by_alpha(kind):
    X = records()
    added = shoal.noise(X, alpha=0.5, kind=kind) - X
    expected = 0.5 * np.cov(X.T)
    if kind == "independent":
        expected = np.diag(np.diag(expected))
    assert np.cov(added.T) == pytest.approx(expected, abs=0.04)
    assert np.corrcoef(np.hstack([X, added]).T)[:3, 3:] == pytest.approx(np.zeros((3, 3)), abs=0.02)


def test_correlated_and_corrected_noise_keeps_means_and_covariances():
    X = records()
    Y = shoal.noise(X, alpha=1.0, kind="correlated", corrected=True)
    assert Y.mean(axis=0) == pytest.approx(X.mean(axis=0), abs=1e-10)
    assert np.cov(Y.T) == pytest.approx(np.cov(X.T), abs=0.05)
    assert np.abs(Y - X).mean() > 0.3


def test_corrected_noise_keeps_means_and_variances():
    X = records()
    Y = shoal.noise(X, alpha=0.3, corrected=True)
    assert Y.mean(axis=0) == pytest.approx(X.mean(axis=0), abs=1e-10)
    assert Y.var(axis=0) == pytest.approx(X.var(axis=0), rel=0.02)


def test_kept_in_expectation_over_many_seeds_of_a_small_table():
    X = records(12)
    found = [np.cov(shoal.noise(X, alpha=0.4, kind="correlated", corrected=True, seed=s).T) for s in range(1500)]
    assert np.mean(found, axis=0) == pytest.approx(np.cov(X.T), rel=0.08, abs=0.08)


def test_columns_that_depend_stay_dependent():
    X = records(500)[:, :2]
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    Y = shoal.noise(X, alpha=0.5, kind="correlated")
    assert Y[:, 2] == pytest.approx(Y[:, 0] + Y[:, 1], rel=1e-5)


def test_numbers_drawn_by_the_same_seed_are_no_copy_of_the_noise():
    X = np.random.default_rng(0).standard_normal((5000, 2))
    added = shoal.noise(X, alpha=1.0, seed=0) - X
    assert abs(np.corrcoef(X[:, 0], added[:, 0])[0, 1]) < 0.05


def test_bad_input():
    X = records(10)
    with pytest.raises(shoal.ShoalError, match=r"noise\.alpha"):
        shoal.noise(X, alpha=0)
    with pytest.raises(shoal.ShoalError, match=r"noise\.kind"):
        shoal.noise(X, alpha=0.1, kind="white")
    with pytest.raises(shoal.ShoalError, match="column 1: all values are equal"):
        shoal.noise(np.column_stack([X[:, 0], np.ones(10)]))
    with pytest.raises(shoal.ShoalError, match="2 records"):
        shoal.noise(X[:1])
    with pytest.raises(shoal.ShoalError, match="seed"):
        shoal.noise(X, seed=-1)
