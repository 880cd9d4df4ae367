"""Households and other units: which records belong together, and how many they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Ints, Labels


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
