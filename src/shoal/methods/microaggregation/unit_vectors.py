"""Units with the same number of records as vectors: the points of their records, one after the other, in a fixed order.

points of the records, units of one size -> points of the units

A group of k units then has k records at every position, one of each unit, and they are released with common values:
k units share the whole vector, position by position, and nobody is averaged with members of the same household. Columns
that a household shares enter its vector once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.kernels import Ints, Labels, Matrix
from shoal.plan import Partition

MOST_RECORDS = 2**16  # of a unit, so that the number of a kind encodes its size


@dataclass(frozen=True)
class UnitVectors:
    """The records of some units, which all have equally many."""

    rows: Ints  # (n_units, size) records of every unit, in the order of its members

    @classmethod
    def of_records(cls, records: Ints) -> UnitVectors:
        """Every record is a vector of its own."""
        return cls(records[:, None])

    @property
    def n_units(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> int:
        return int(self.rows.shape[1])

    @property
    def records(self) -> Ints:
        """(n_units * size,) all records, unit by unit."""
        return self.rows.ravel()

    def shortened(self, size: int) -> UnitVectors:
        """The units with fewer records each, spread evenly over the order of their members."""
        return UnitVectors(self.rows[:, np.linspace(0, self.size - 1, size).round().astype(np.int64)])

    def points(self, own: Matrix, shared: Matrix) -> Matrix:
        """(n_units, width) coordinates. ``own``: those of the records; ``shared``: those that a unit has only once.

        The latter have the weight of as many columns as there are records: distances are then those of the records.
        """
        return np.hstack([own[self.records].reshape(self.n_units, -1), np.sqrt(self.size) * shared[self.rows[:, 0]]])

    def positions(self, groups: Partition) -> Partition:
        """The partition of ``records`` where those of a group of units at the same position are together."""
        return Partition((groups.labels[:, None] * self.size + np.arange(self.size)).ravel())


@dataclass(frozen=True)
class UnitGroups:
    """Groups of units, for units of every size separately."""

    vectors: tuple[UnitVectors, ...]
    groups: tuple[Partition, ...]  # of the units of each

    @cached_property
    def of_records(self) -> Partition:
        """The group and position of every record."""
        return _joined(self.vectors, [each.positions(groups) for each, groups in self._pairs])

    @cached_property
    def of_units(self) -> Partition:
        """The group of every record's unit, at whatever position the record is."""
        whole = [Partition(np.repeat(groups.labels, each.size)) for each, groups in self._pairs]
        return _joined(self.vectors, whole)

    @cached_property
    def kinds(self) -> Labels:
        """(n_records,) a number for the vectors that a record belongs to, from which their size can be read."""
        place = _joined(self.vectors, [Partition(np.zeros_like(each.records)) for each in self.vectors]).labels
        sizes: Labels = np.array([each.size for each in self.vectors], dtype=np.int64)
        return place * MOST_RECORDS + sizes[place]

    @property
    def _pairs(self) -> Sequence[tuple[UnitVectors, Partition]]:
        return list(zip(self.vectors, self.groups, strict=True))


def size_of_kind(kind: int) -> int:
    """The number of records of a unit, from a number of ``UnitGroups.kinds``."""
    return kind % MOST_RECORDS


def _joined(vectors: Sequence[UnitVectors], partitions: Sequence[Partition]) -> Partition:
    """A partition of all records, from one of the records of each of the vectors."""
    labels, n_groups = np.empty(sum(each.records.size for each in vectors), dtype=np.int64), 0
    for each, partition in zip(vectors, partitions, strict=True):
        labels[each.records] = n_groups + partition.labels
        n_groups += partition.n_groups
    return Partition(labels)
