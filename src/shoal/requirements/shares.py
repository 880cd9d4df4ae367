"""Shares of the sensitive values in every group, from which diversity, closeness and likeness are computed.

Shares are among the records whose value is known. An intruder may know that a person's value is not missing, and the
share of a value among known records is at least its share among all: this denominator is the conservative one. A group
without any known value has no shares and fails every requirement on them.

Where units with several values each are counted, there are two shares: among all known values of the group (of_values),
and among its units with a known value (of_units).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.requirements.groups import Groups

SLACK = 1e-9  # rounding tolerance: figures that differ by no more count as equal


@dataclass(frozen=True)
class Shares:
    """One entry for every value that occurs in a group, by group and then by value."""

    known: Labels  # (n_groups,) records with a known value; a unit counts once for each of its values
    groups: Labels  # (n_entries,) the group
    values: Labels  # (n_entries,) the value
    counts: Labels  # (n_entries,) records or units of the group with the value, at least 1
    n_units: Labels  # (n_groups,) records or units with a known value

    @classmethod
    def of(cls, groups: Groups) -> Self:
        counts = groups.sensitive.copy()
        counts.eliminate_zeros()
        counts.sort_indices()
        rows = np.repeat(np.arange(groups.n_groups), np.diff(counts.indptr))
        known = np.asarray(counts.sum(axis=1), dtype=np.int64)
        n_units = known if groups.known is None else groups.known
        return cls(known, rows, counts.indices.astype(np.int64), counts.data.astype(np.int64), n_units)

    @property
    def of_values(self) -> Vector:
        """(n_entries,) share of the value among the known values of its group."""
        return self.counts / self.known[self.groups]

    @property
    def of_units(self) -> Vector:
        """(n_entries,) share of the value among the units of its group with a known value."""
        return self.counts / self.n_units[self.groups]

    @property
    def n_distinct(self) -> Labels:
        """(n_groups,) number of different known values."""
        return np.bincount(self.groups, minlength=self.known.size)

    def sum_by_group(self, entries: Vector) -> Vector:
        """(n_groups,) sum of ``entries`` over every group."""
        return np.bincount(self.groups, weights=entries, minlength=self.known.size).astype(np.float64)

    def max_by_group(self, entries: Vector, if_empty: float) -> Vector:
        """(n_groups,) largest of ``entries``, all 0 or more; ``if_empty`` where a group has no known value."""
        found = np.where(self.known > 0, 0.0, if_empty)
        np.maximum.at(found, self.groups, entries)
        return found

    def coarsened(self, nodes: Labels) -> Shares:
        """The shares of coarser values, ``nodes[value]``."""
        coarser = nodes[self.values]
        first, entry = distinct_combinations([self.groups, coarser], len(coarser))
        counts = np.bincount(entry, weights=self.counts, minlength=first.size).astype(np.int64)
        return Shares(self.known, self.groups[first], coarser[first], counts, self.n_units)
