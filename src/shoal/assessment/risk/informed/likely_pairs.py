"""The likely pairs of all persons, as many as fit into memory.

batches of pairs -> CandidatePairs

A pair is kept if its log ratio is within a margin below the best of the person. Methods that exclude nobody, such as
PRAM, leave nearly all pairs within a wide margin. Then the margin is narrowed until the pairs fit, which drops the
least likely ones.

It becomes the widest multiple of a step that fits, whatever the batches are. What a wide margin kept contains what a
narrower one keeps, so no pair is searched for twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.kernels import Labels

STEP = 0.5  # between margins, of log ratios
NARROWEST = 3.0  # pairs a twentieth as likely as the best of the person must be kept


def likely_pairs(
    batches: Iterable[CandidatePairs], most: int, widest: float, narrowest: float = NARROWEST
) -> CandidatePairs | None:
    """The pairs within a margin from ``narrowest`` to ``widest`` that are at most ``most``; None where these are more.
    ``batches``: of whole persons."""
    parts, margin = list[CandidatePairs](), widest
    for batch in batches:
        parts.append(_near(batch, margin))
        if sum(len(part.persons) for part in parts) > most:
            margin = _fitting_margin(parts, most)
            if margin < narrowest:
                return None
            parts = [_near(part, margin) for part in parts]
    return CandidatePairs.concat(parts)


def _near(pairs: CandidatePairs, margin: float) -> CandidatePairs:
    return pairs.taken(pairs.are_near_best(margin))


def _fitting_margin(parts: Sequence[CandidatePairs], most: int) -> float:
    """The widest margin that keeps at most ``most`` pairs; negative where none does."""
    steps_below: Labels = np.concatenate(
        [np.ceil((part.best_of_person - part.log_ratios) / STEP).astype(np.int64) for part in parts]
    )
    n_kept = np.cumsum(np.bincount(steps_below))  # by a margin of so many steps
    return STEP * (int(np.searchsorted(n_kept, most, "right")) - 1)
