"""Who is which record of a class, by a regression of the other columns on the quasi-identifiers.

pairs of persons and records, coordinates of both -> pairs with the logarithm of their posterior

The regression is learned from the release alone: at first each record is expected to be the mean of the persons that it
can be; then the posterior of the pairs and the regression are computed by turns (expectation maximization, Dempster et
al. 1977, doi:10.1111/j.2517-6161.1977.tb01600.x). That an intruder learns from the classes how values depend on each
other, and then tells the records of one class apart, is known as the deFinetti attack (Kifer 2009,
doi:10.1145/1559845.1559861).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.joint_posterior import log_posterior
from shoal.assessment.risk.ridge_regression import RidgeRegression, with_constant
from shoal.kernels import Matrix, Vector

N_STEPS = 15  # of expectation and maximization
N_DIGITS = 6  # of the logarithm of posteriors: equal records stay equal, in whatever order sums were added
PIECE = 8192  # pairs whose densities are computed together, within the caches
LEAST_VARIANCE = 1e-6  # of residuals; coordinates have a variance of about 1


def regression_posterior(pairs: CandidatePairs, persons: Matrix, records: Matrix) -> CandidatePairs:
    """``pairs``: with what is known of them before; ``persons``, ``records``: coordinates, by their number there."""
    known = with_constant(persons)
    posterior = log_posterior(pairs, pairs.log_ratios, len(records))
    chances = _matrix_of(pairs, posterior, len(records))
    coefficients = RidgeRegression.on(chances.T @ known).coefficients(records)
    regression, shown = RidgeRegression.on(known), chances @ records
    for _ in range(N_STEPS):
        told = pairs.log_ratios + _log_densities(pairs, known @ coefficients, records, shown, chances.data)
        posterior = log_posterior(pairs, told, len(records))
        chances.data = np.exp(posterior)
        shown = chances @ records
        coefficients = regression.coefficients(shown)
    return replace(pairs, log_ratios=np.round(posterior, N_DIGITS))


def _matrix_of(pairs: CandidatePairs, posterior: Vector, n_records: int) -> csr_array:
    """(n_persons, n_records) chances of the pairs."""
    starts = np.searchsorted(pairs.persons, np.arange(pairs.n_persons + 1))
    return csr_array((np.exp(posterior), pairs.records, starts), shape=(pairs.n_persons, n_records))


def _log_densities(pairs: CandidatePairs, expected: Matrix, records: Matrix, shown: Matrix, chances: Vector) -> Vector:
    """(n_pairs,) of the normal distribution with the covariance of the residuals, up to a constant. ``expected``,
    ``shown``: (n_persons, width) by the regression, and the mean of the records of a person; ``chances``: of pairs."""
    covariance = _covariance(pairs, expected, records, shown, chances)
    root = np.linalg.cholesky(covariance + LEAST_VARIANCE * np.eye(records.shape[1]))
    white, white_expected = (solve_triangular(root, each.T, lower=True).T for each in (records, expected))
    densities = np.empty(len(pairs.records))
    for start in range(0, len(densities), PIECE):
        at = slice(start, start + PIECE)
        residuals = white[pairs.records[at]] - white_expected[pairs.persons[at]]
        densities[at] = -0.5 * np.einsum("ij,ij->i", residuals, residuals)
    return densities


def _covariance(pairs: CandidatePairs, expected: Matrix, records: Matrix, shown: Matrix, chances: Vector) -> Matrix:
    """Of the residuals of all pairs, weighted by their chances, from sums over persons and over records."""
    of_persons, of_records = np.zeros(pairs.n_persons), np.bincount(pairs.records, chances, len(records))
    of_persons[pairs.persons[pairs.starts]] = np.add.reduceat(chances, pairs.starts)
    products = expected.T @ shown
    squares = records.T @ (records * of_records[:, None]) + expected.T @ (expected * of_persons[:, None])
    covariance: Matrix = (squares - products - products.T) / of_persons.sum()
    return covariance
