"""A random sample of records, as points, that needs no pass in their order: those whose ids have the least hashes.

Which records are taken depends on the ids alone, so that pieces of any size and order have the same sample. Regular
steps would not do: where a file has a period, such as a man after every woman, all may be of one kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels, Matrix
from shoal.rng import mixed_bits


@dataclass(frozen=True, eq=False)
class PointSample:
    """Accumulator of the ``size`` records of a sample, or of all if there are no more."""

    size: int
    ids: Labels  # (n_records,)
    points: Matrix  # (n_records, n_columns)

    def __add__(self, other: PointSample) -> PointSample:
        ids, points = np.concatenate([self.ids, other.ids]), np.vstack([self.points, other.points])
        rows = sampled_rows(ids, self.size)
        return PointSample(self.size, ids[rows], points[rows])

    def in_order(self) -> Matrix:
        """(n_records, n_columns) The points, in the order of the table."""
        return self.points[np.argsort(self.ids)]


def sampled_rows(ids: Labels, size: int) -> Labels:
    """The rows of the ``size`` ids with the least hashes, ascending; all of them if there are no more."""
    if len(ids) <= size:
        return np.arange(len(ids))
    hashes = mixed_bits(ids.astype(np.uint64) + np.uint64(1))  # 0 is mapped to itself
    return np.sort(np.argpartition(hashes, size - 1)[:size])
