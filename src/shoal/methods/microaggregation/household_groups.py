"""Microaggregation that keeps households together: each is grouped as one unit, at the mean of its members.

A group has k households, so that no person can be distinguished from the others of the same household, and no household
from k - 1 others. Where the members of a household can be recognized, so can their number: households are grouped with
others of the same size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal import kernels
from shoal.kernels import Ints, Labels, Matrix
from shoal.plan import Partition


@dataclass(frozen=True)
class HouseholdGroups:
    unit_of: Labels  # (n_records,) the household of every record
    members: Ints  # (n_units,) number of members

    @classmethod
    def of(cls, codes: Ints) -> HouseholdGroups:
        """From a household code for every record; a record without one (-1) is a household of its own."""
        alone = codes < 0
        own = np.where(alone, codes.max(initial=-1) + np.cumsum(alone), codes)
        unit_of = np.unique(own, return_inverse=True)[1].astype(np.int64)
        return cls(unit_of, np.bincount(unit_of).astype(np.int64))

    @property
    def first(self) -> Ints:
        """(n_units,) the first record of every household."""
        return np.unique(self.unit_of, return_index=True)[1].astype(np.int64)

    def means(self, X: Matrix) -> Matrix:
        """(n_units, d) the mean of the members of every household."""
        sums: Matrix = kernels.group_sums(X, self.unit_of, len(self.members))
        return sums / self.members[:, None]

    def only(self, records: Ints) -> HouseholdGroups:
        """The households of the given records, which must include all members of each."""
        return HouseholdGroups.of(self.unit_of[records])

    def size_classes(self, can_hold: Callable[[Ints], bool]) -> Labels:
        """(n_records,) the household size where households of this size can be grouped separately, else 0.

        Households marked 0 are grouped together, joined by those of the rarest sizes as needed. ``can_hold``: whether
        given records can form a group.
        """
        of_record = self.members[self.unit_of]
        sizes, n_units = np.unique(self.members, return_counts=True)
        by_rarity = sizes[np.argsort(n_units, kind="stable")].tolist()
        alone = [size for size in by_rarity if can_hold(np.flatnonzero(of_record == size))]
        while 0 < len(alone) < len(by_rarity) and not can_hold(np.flatnonzero(~np.isin(of_record, alone))):
            alone.pop(0)
        return np.where(np.isin(of_record, alone), of_record, 0)

    def partition_records(self, of_units: Partition) -> Partition:
        """The partition of the records: every record is in the group of its household."""
        return Partition(of_units.labels[self.unit_of])
