"""Protocol of blocking methods for record linkage, and measures of their quality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.kernels import Labels
from shoal.linkage.candidates import Candidates
from shoal.linkage.linkage_tables import LinkageTables


class LinkageBlocking(Protocol):
    """Selects the pairs of records that are compared."""

    def candidates(self, tables: LinkageTables) -> Candidates: ...


@dataclass(frozen=True)
class BlockingQuality:
    """Comparisons saved and true pairs lost by a blocking.

    recall           share of the true pairs that are candidates; None if no true pair is known
    reduction_ratio  share of all pairs that need not be compared
    largest_block    largest number of released records that one original record is compared with
    n_widened        original records whose window was widened because one key value exceeds it
    """

    recall: float | None
    reduction_ratio: float
    n_pairs: int
    largest_block: int
    n_widened: int


def blocking_quality(candidates: Candidates, truth: Labels) -> BlockingQuality:
    """``truth``: (n_original,) the released record that truly corresponds, -1 where there is none."""
    known = np.flatnonzero(truth >= 0)
    found = candidates.contains(known, truth[known])
    all_pairs = candidates.n_original * candidates.n_released
    return BlockingQuality(
        float(found.mean()) if len(known) else None,
        1 - candidates.n_pairs / all_pairs,
        candidates.n_pairs,
        candidates.largest_block,
        candidates.n_widened,
    )
