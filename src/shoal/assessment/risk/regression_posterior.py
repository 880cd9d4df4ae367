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
from scipy.sparse import csr_array

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.joint_posterior import scaled_posterior
from shoal.assessment.risk.ridge_regression import ridge_coefficients, with_constant
from shoal.kernels import Matrix, Vector

N_STEPS = 15  # of expectation and maximization
N_DIGITS = 6  # of the logarithm of posteriors: equal records stay equal, in whatever order sums were added
LEAST_VARIANCE = 1e-6  # of residuals; coordinates have a variance of about 1


def regression_posterior(pairs: CandidatePairs, persons: Matrix, records: Matrix) -> CandidatePairs:
    """``pairs``: with what is known of them before; ``persons``, ``records``: coordinates, by their number there."""
    known = with_constant(persons)
    posterior = scaled_posterior(pairs, len(records))
    chances = _matrix_of(posterior, len(records))
    coefficients = ridge_coefficients(chances.T @ known, records)
    for _ in range(N_STEPS):
        told = pairs.log_ratios + _log_densities(pairs, known @ coefficients, records, chances)
        posterior = scaled_posterior(replace(pairs, log_ratios=told), len(records))
        chances = _matrix_of(posterior, len(records))
        coefficients = ridge_coefficients(known, chances @ records)
    return replace(posterior, log_ratios=np.round(posterior.log_ratios, N_DIGITS))


def _matrix_of(posterior: CandidatePairs, n_records: int) -> csr_array:
    """(n_persons, n_records) chances of the pairs."""
    n_persons = posterior.n_persons
    starts = np.searchsorted(posterior.persons, np.arange(n_persons + 1))
    return csr_array((np.exp(posterior.log_ratios), posterior.records, starts), shape=(n_persons, n_records))


def _log_densities(pairs: CandidatePairs, expected: Matrix, records: Matrix, chances: csr_array) -> Vector:
    """(n_pairs,) of the normal distribution with the covariance of the residuals, up to a constant. ``expected``:
    (n_persons, width) by the regression."""
    root = np.linalg.cholesky(_covariance(expected, records, chances) + LEAST_VARIANCE * np.eye(records.shape[1]))
    white, white_expected = (np.linalg.solve(root, each.T).T for each in (records, expected))
    residuals = white[pairs.records] - white_expected[pairs.persons]
    densities: Vector = -0.5 * np.einsum("ij,ij->i", residuals, residuals)
    return densities


def _covariance(expected: Matrix, records: Matrix, chances: csr_array) -> Matrix:
    """Of the residuals of all pairs, weighted by their chances, from sums over persons and over records."""
    of_persons, of_records = chances.sum(axis=1), chances.sum(axis=0)
    products = expected.T @ (chances @ records)
    squares = records.T @ (records * of_records[:, None]) + expected.T @ (expected * of_persons[:, None])
    covariance: Matrix = (squares - products - products.T) / of_persons.sum()
    return covariance
