"""Shares of the sensitive values in every group: what diversity, closeness and likeness are made of.

Shares are of the records whose value is known. An intruder may know that somebody's value is not missing, and of the
known records every value has a larger share than of all: the cautious denominator. A group without any known value
has no shares, and fails whatever is asked of them.

Where units are counted that have several values each, two shares differ: of all that is known of the group (parts),
and of its units that have a value (of_units).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.requirements.groups import Groups

SLACK = 1e-9  # figures that are equal on paper may differ by this much and count as equal


@dataclass(frozen=True)
class Shares:
    """An entry for every value that a group shows, group by group, values in their order."""

    known: Labels  # (n_groups,) records with a known value; a unit as often as it has different ones
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
    def parts(self) -> Vector:
        """(n_entries,) share of the value among the known values of its group."""
        return self.counts / self.known[self.groups]

    @property
    def of_units(self) -> Vector:
        """(n_entries,) share of the units of its group, of those with a known value, that have the value."""
        return self.counts / self.n_units[self.groups]

    @property
    def n_shown(self) -> Labels:
        """(n_groups,) different values that a group shows."""
        return np.bincount(self.groups, minlength=self.known.size)

    def total(self, entries: Vector) -> Vector:
        """(n_groups,) sum of something over the entries of every group."""
        return np.bincount(self.groups, weights=entries, minlength=self.known.size).astype(np.float64)

    def largest(self, entries: Vector, of_none: float) -> Vector:
        """(n_groups,) largest of something that is 0 or more; ``of_none`` where a group has no known value."""
        found = np.where(self.known > 0, 0.0, of_none)
        np.maximum.at(found, self.groups, entries)
        return found

    def at(self, nodes: Labels) -> Shares:
        """The same with coarser values: ``nodes[value]``."""
        coarser = nodes[self.values]
        first, entry = distinct_combinations([self.groups, coarser], len(coarser))
        counts = np.bincount(entry, weights=self.counts, minlength=first.size).astype(np.int64)
        return Shares(self.known, self.groups[first], coarser[first], counts, self.n_units)
