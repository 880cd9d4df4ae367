"""Result of a linkage attack: the record that each person is linked to, and the chance that this is correct."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class Links:
    """One entry for every person whom the intruder knows.

    Among equally likely records the intruder draws one, so a tie of n is a chance of 1 / n; with ``k`` guesses it is
    the chance that the true record is among the k most likely.
    """

    records: Labels  # (n,) the most likely released record, the lowest on ties; -1: no candidate
    measures: Vector  # (n,) its distance, or minus its weight
    n_ties: Labels  # (n,) number of released records that are equally likely
    chances: Vector  # (n,) of a correct link

    def __repr__(self) -> str:
        """Figures only: who is whose record is private."""
        n_known, n_linked = len(self.records), int(np.count_nonzero(self.records >= 0))
        return f"Links({n_known:,} known persons, {n_linked:,} with a candidate, {self.chances.mean():.2%} found)"

    @classmethod
    def of(cls, counts: Labels, measures: Vector, k: int) -> Links:
        """From the tallies of a kernel: (n, 4) nearest record, how many are as near as it, how many are nearer than the
        true one, and how many are as near as the true one."""
        records, n_ties, n_closer, n_as_near = counts.T
        chance_among_ties = (k - n_closer) / np.maximum(n_as_near, 1)
        chances = np.where(n_as_near > 0, np.clip(chance_among_ties, 0.0, 1.0), 0.0)
        return cls(records.copy(), measures, n_ties.copy(), chances)
