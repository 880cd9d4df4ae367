"""Households stay together: they are grouped as units, each at the mean of its members.

A group takes whole households until it has k records, so that nobody is told apart from their own household.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.kernels import Labels, Matrix
from shoal.plan import Partition


@dataclass(frozen=True)
class Households:
    unit_of: Labels  # (n_records,) the household of every record
    members: Labels  # (n_units,)

    @classmethod
    def of(cls, codes: Labels) -> Households:
        """From a code for every record; who has none (-1) is a household of one."""
        alone = codes < 0
        own = np.where(alone, codes.max(initial=-1) + np.cumsum(alone), codes)
        unit_of = np.unique(own, return_inverse=True)[1].astype(np.int64)
        return cls(unit_of, np.bincount(unit_of).astype(np.int64))

    def means(self, X: Matrix) -> Matrix:
        """(n_units, d)"""
        sums: Matrix = kernels.group_sums(X, self.unit_of, len(self.members))
        return sums / self.members[:, None]

    def spread(self, of_units: Partition) -> Partition:
        """The group of every record: that of its household."""
        return Partition(of_units.labels[self.unit_of])
