"""The posterior of every pair where the intruder holds all persons: a record belongs to one person only.

pairs with log likelihood ratios -> pairs with the logarithm of their posterior

If two persons may both be a record, it is less likely to be the one with other possible records. Posteriors of all
persons and records are found by turns: those of a record are scaled to a sum of 1, then those of a person to a sum of
1, or of at most 1 where some were suppressed (Sinkhorn & Knopp 1967, doi:10.2140/pjm.1967.21.343).

Where values were exchanged between records, a pair stands or falls with the pairs of its partners
(`exchange_likelihood.py`), so posteriors of these are multiplied into those of the pair, and all are scaled again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.exchange_likelihood import ExchangeLikelihood
from shoal.kernels import Vector, scaled_chances

N_ROUNDS = 100
N_EXCHANGES = 4  # times that posteriors of partners are used
N_BETWEEN = 10  # rounds of scaling between these
MARGIN = 30.0  # of log ratios below the best of the person; pairs less likely than this are not kept
SMALLEST = 1e-300


def joint_posterior(
    pairs: CandidatePairs, n_released: int, exchange: ExchangeLikelihood | None = None
) -> CandidatePairs:
    """``pairs``: of all persons of the original, in their order, with the records that each of them can be."""
    current = pairs
    for _ in range(N_EXCHANGES if exchange else 0):
        posterior = scaled_posterior(current, n_released)
        told = exchange.log_posteriors(posterior, n_released) if exchange else 0.0
        current = replace(pairs, log_ratios=pairs.log_ratios + told)
        kept = current.are_near_best(MARGIN)
        pairs, current = pairs.taken(kept), current.taken(kept)
    return scaled_posterior(current, n_released, N_ROUNDS)


def scaled_posterior(pairs: CandidatePairs, n_released: int, n_rounds: int = N_BETWEEN) -> CandidatePairs:
    """The posterior of every pair after rounds of scaling."""
    return replace(pairs, log_ratios=log_posterior(pairs, pairs.log_ratios, n_released, n_rounds))


def log_posterior(pairs: CandidatePairs, log_ratios: Vector, n_released: int, n_rounds: int = N_BETWEEN) -> Vector:
    """(n_pairs,) the logarithm of the posterior of every pair, by other log ratios of the same pairs."""
    least = 1.0 if n_released < pairs.n_persons else SMALLEST
    before: Vector = np.exp(log_ratios - pairs.best_of(log_ratios))
    return np.log(np.maximum(scaled_chances(pairs.persons, pairs.records, before, least, n_rounds), SMALLEST))
