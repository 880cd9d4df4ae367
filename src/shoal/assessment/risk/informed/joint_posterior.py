"""The posterior of every pair where the intruder holds all persons: a record belongs to one person only.

pairs with log likelihood ratios -> pairs with the logarithm of their posterior

If two persons may both be a record, it is less likely to be the one with other possible records. Posteriors of all
persons and records are found by turns: those of a record are scaled to a sum of 1, then those of a person to a sum of
1, or of at most 1 where some were suppressed (Sinkhorn & Knopp 1967, doi:10.2140/pjm.1967.21.343).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.kernels import Vector

N_ROUNDS = 100
SMALLEST = 1e-300


def joint_posterior(pairs: CandidatePairs, n_released: int) -> CandidatePairs:
    """``pairs``: of all persons of the original with the records that each of them can be."""
    least = 1.0 if n_released < pairs.n_persons else SMALLEST
    chances: Vector = np.exp(pairs.log_ratios - pairs.best_of_person)
    for _ in range(N_ROUNDS):
        chances /= np.maximum(np.bincount(pairs.records, chances), SMALLEST)[pairs.records]
        chances /= np.maximum(np.bincount(pairs.persons, chances), least)[pairs.persons]
    return replace(pairs, log_ratios=np.log(np.maximum(chances, SMALLEST)))
