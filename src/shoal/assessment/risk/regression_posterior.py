"""Who is which record of a class, by a regression of the columns released as they are on the quasi-identifiers.

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

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.joint_posterior import scaled_posterior
from shoal.kernels import Labels, Matrix, Vector

N_STEPS = 15  # of expectation and maximization
RIDGE = 1.0  # records that say that nothing depends on a coordinate
N_DIGITS = 6  # of the logarithm of posteriors: equal records stay equal, in whatever order sums were added
LEAST_VARIANCE = 1e-6  # of residuals; coordinates have a variance of about 1


def regression_posterior(pairs: CandidatePairs, persons: Matrix, records: Matrix) -> CandidatePairs:
    """``pairs``: with what is known of them before; ``persons``, ``records``: coordinates, by their number there."""
    known = np.column_stack([np.ones(len(persons)), persons])
    posterior = scaled_posterior(pairs, len(records))
    expected = _sums(pairs.records, np.exp(posterior.log_ratios), known[pairs.persons], len(records))
    coefficients = _fit(expected, records)
    for _ in range(N_STEPS):
        residuals = records[pairs.records] - (known @ coefficients)[pairs.persons]
        chances = np.exp(posterior.log_ratios)
        told = pairs.log_ratios + _log_densities(residuals, chances)
        posterior = scaled_posterior(replace(pairs, log_ratios=told), len(records))
        chances = np.exp(posterior.log_ratios)
        coefficients = _fit(known, _sums(pairs.persons, chances, records[pairs.records], len(persons)))
    return replace(posterior, log_ratios=np.round(posterior.log_ratios, N_DIGITS))


def _fit(known: Matrix, values: Matrix) -> Matrix:
    """Coefficients of the regression of ``values`` on what is known."""
    products = known.T @ known + RIDGE * np.eye(known.shape[1])
    return np.asarray(np.linalg.solve(products, known.T @ values), dtype=np.float64)


def _sums(places: Labels, chances: Vector, points: Matrix, n: int) -> Matrix:
    """(n, width) of the ``points`` of all pairs of a place, weighted by their chances."""
    return np.column_stack([np.bincount(places, chances * column, minlength=n) for column in points.T])


def _log_densities(residuals: Matrix, chances: Vector) -> Vector:
    """(n_pairs,) of the normal distribution with the covariance of the residuals, up to a constant."""
    covariance = (residuals * chances[:, None]).T @ residuals / chances.sum()
    root = np.linalg.cholesky(covariance + LEAST_VARIANCE * np.eye(len(covariance)))
    white = np.linalg.solve(root, residuals.T)
    densities: Vector = -0.5 * (white * white).sum(axis=0)
    return densities
