"""Which member of a household is which record of a released household of the same size.

log likelihood ratios of all members and records -> that of the households, and the posterior of every member and record

Every assignment of the members to the records has the product of its ratios; the ratio of the households is their sum,
and the posterior of a member and a record is the share of the assignments that contain the pair. The sum is built up
member by member over the sets of records that are taken, which is exact and takes 2^size instead of size! steps (the
permanent of a matrix; Ryser's formula has as many, but differences that cancel). In large households the matrix is
scaled until its rows and columns sum to 1, which approximates both (Linial, Samorodnitsky & Wigderson 2000,
doi:10.1007/s004930070007).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Vector

MOST_EXACT = 8  # members of a household of which all assignments are counted
N_SCALINGS = 30
SMALLEST = 1e-300

Ratios = NDArray[np.float64]  # (n_pairs, size, size) of every pair of households: members, records


@dataclass(frozen=True, eq=False)
class MemberPosterior:
    """Of pairs of households of one size."""

    log_ratios: Ratios

    @property
    def size(self) -> int:
        return int(self.log_ratios.shape[1])

    @cached_property
    def log_sums(self) -> Vector:
        """(n_pairs,) of the ratios of all assignments; minus infinity where none is possible."""
        with np.errstate(divide="ignore"):
            logs = np.log(self._taken_first[-1]) if self._is_exact else self._log_scales
        total: Vector = logs + self._peaks.sum(axis=1)
        return total

    @cached_property
    def posteriors(self) -> Ratios:
        """(n_pairs, size, size) of member and record, if the households are the same."""
        return self._shares if self._is_exact else self._scaled[0]

    @property
    def _is_exact(self) -> bool:
        return self.size <= MOST_EXACT

    @cached_property
    def _peaks(self) -> Ratios:
        """(n_pairs, size) the highest log ratio of every member; 0 where no record is possible."""
        peaks = self.log_ratios.max(axis=2)
        return np.where(np.isneginf(peaks), 0.0, peaks)

    @cached_property
    def _chances(self) -> Ratios:
        """(size, size, n_pairs) of member and record, relative to the best record of the member."""
        chances: Ratios = np.exp(self.log_ratios - self._peaks[:, :, None])
        return np.ascontiguousarray(chances.transpose(1, 2, 0))

    @cached_property
    def _taken_first(self) -> Ratios:
        """(2^size, n_pairs) for every set of records, the sum over assignments of as many first members to it."""
        sums = np.zeros((1 << self.size, len(self.log_ratios)))
        sums[0] = 1.0
        for taken in range(1, len(sums)):
            member = taken.bit_count() - 1
            for record in _records_of(taken, self.size):
                sums[taken] += sums[taken ^ 1 << record] * self._chances[member, record]
        return sums

    @cached_property
    def _left_over(self) -> Ratios:
        """(2^size, n_pairs) for every set of records, the sum over assignments of the other members to the others."""
        sums = np.zeros((1 << self.size, len(self.log_ratios)))
        full = len(sums) - 1
        sums[full] = 1.0
        for taken in range(full - 1, -1, -1):
            member = taken.bit_count()
            for record in _records_of(full ^ taken, self.size):
                sums[taken] += sums[taken | 1 << record] * self._chances[member, record]
        return sums

    @property
    def _shares(self) -> Ratios:
        first, rest, full = self._taken_first, self._left_over, (1 << self.size) - 1
        sums = np.zeros_like(self._chances)
        for taken in range(full):
            member = taken.bit_count()
            for record in _records_of(full ^ taken, self.size):
                sums[member, record] += first[taken] * rest[taken | 1 << record]
        shares: Ratios = sums * self._chances / np.maximum(first[-1], SMALLEST)
        return shares.transpose(2, 0, 1)

    @cached_property
    def _scaled(self) -> tuple[Ratios, Ratios, Ratios]:
        """The scaled matrices, and the factors of their rows and columns."""
        chances: Any = np.exp(self.log_ratios - self._peaks[:, :, None])
        columns = np.ones(chances.shape[::2])
        for _ in range(N_SCALINGS):
            rows = 1 / np.maximum(np.einsum("nij,nj->ni", chances, columns), SMALLEST)
            columns = 1 / np.maximum(np.einsum("nij,ni->nj", chances, rows), SMALLEST)
        return rows[:, :, None] * chances * columns[:, None, :], rows, columns

    @property
    def _log_scales(self) -> Vector:
        _, rows, columns = self._scaled
        is_excluded = np.isneginf(self.log_ratios.max(axis=2)).any(axis=1)  # a member is none of the records
        logs: Vector = -np.log(rows).sum(axis=1) - np.log(columns).sum(axis=1)
        return np.where(is_excluded, -np.inf, logs)


def _records_of(taken: int, size: int) -> list[int]:
    """The records in a set that is written as bits."""
    return [record for record in range(size) if taken >> record & 1]
