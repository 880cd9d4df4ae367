"""Which units are grouped as vectors, and which of them record by record.

households, their members in order -> vectors

Units with equally many records are grouped as vectors, if units of this size can form a group. The records of all other
units are grouped one by one: their household, if it is to be recognized by a number, loses this number.

If the units of rare sizes are too few to form a group even so, further units join them: those of the most frequent size
which are nearest to them, as few as suffice. All other units remain vectors.

Where values of units are protected, nothing may be grouped one by one: the classes of a unit's records together could
reveal them. Then units of rare sizes are left out, or shortened to a size that enough others have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.methods.microaggregation.unit_vectors import UnitVectors
from shoal.plan import Partition

CanHold = Callable[[UnitVectors], bool]  # whether these units can form a group


@dataclass(frozen=True)
class UnitLayout:
    """Units and the order of their members.

    unit_of    (n_records,) the unit of every record
    order      (n_records,) all records, unit by unit, in the order of the members
    points     (n_records, d) coordinates, for which units are near
    k          units of a group
    can_hold   whether units can form a group
    """

    unit_of: Labels
    order: Ints
    points: Matrix
    k: int
    can_hold: CanHold

    def vectors(self, separate: NDArray[np.bool_]) -> tuple[UnitVectors, ...]:
        """All records, as vectors of units as far as possible. ``separate``: (n_records,) records that are grouped one
        by one in any case."""
        by_size = list(self._by_size(~separate))
        whole = [units for units in by_size if self.can_hold(units)]
        rare = [units.records for units in by_size if not self.can_hold(units)]
        loose = np.concatenate([np.flatnonzero(separate), *rare]).astype(np.int64)
        if loose.size:
            whole, loose = self._with_enough(whole, loose)
            return (*whole, UnitVectors.of_records(np.sort(loose)))
        return tuple(whole)

    def surplus(self, separate: NDArray[np.bool_], *, shortens: bool) -> Ints:
        """The records without which ``vectors`` would group none one by one, apart from ``separate`` ones.

        ``shortens``: larger units are released with as many records as the next smaller units have, spread evenly over
        their members; otherwise units are left out as a whole. None where no units at all can form a group.
        """
        by_size, alone = list(self._by_size(~separate)), np.flatnonzero(separate)
        kept = self._shortened(by_size) if shortens else [each for each in by_size if self.can_hold(each)]
        if alone.size and self.can_hold(UnitVectors.of_records(alone)):
            kept = [*kept, UnitVectors.of_records(alone)]
        held = [each.records for each in kept]
        return np.setdiff1d(self.order, np.concatenate(held)) if held else alone[:0]

    def _shortened(self, by_size: list[UnitVectors]) -> list[UnitVectors]:
        """Vectors that can form a group each: from the largest size down, units wait until they are enough."""
        found, waiting = list[UnitVectors](), list[UnitVectors]()
        for units in reversed(by_size):
            together = UnitVectors(np.vstack([units.rows, *(each.shortened(units.size).rows for each in waiting)]))
            if self.can_hold(together):
                found.append(together)
                waiting = []
            else:
                waiting.append(units)
        return found

    def _by_size(self, among: NDArray[np.bool_]) -> Iterator[UnitVectors]:
        """The units of every size, the smallest first."""
        records = self.order[among[self.order]]
        n_members = np.bincount(self.unit_of[records])[self.unit_of[records]]
        for size in np.unique(n_members).tolist():
            yield UnitVectors(records[n_members == size].reshape(-1, size))

    def _with_enough(self, whole: list[UnitVectors], loose: Ints) -> tuple[list[UnitVectors], Ints]:
        """Takes units from the vectors, those of the most frequent size first, until ``loose`` can form a group."""
        for units in sorted(whole, key=lambda each: -each.n_units):
            if self.can_hold(UnitVectors.of_records(loose)):
                break
            by_distance = units.rows[self._by_distance(units, loose)]
            n_taken = self._n_needed(by_distance, loose)
            others = UnitVectors(by_distance[n_taken:])
            remaining = [others] if others.n_units and self.can_hold(others) else []
            taken = by_distance[:n_taken] if remaining else units.rows
            whole = [each for each in (*whole, *remaining) if each is not units]
            loose = np.concatenate([loose, taken.ravel()])
        return sorted(whole, key=lambda each: each.size), loose

    def _n_needed(self, rows: Ints, loose: Ints) -> int:
        """How many of the units suffice, taken in their order: k, or twice as many, and so on."""
        n = self.k
        while n < len(rows) and not self.can_hold(_with_records(loose, rows[:n])):
            n *= 2
        return min(n, len(rows))

    def _by_distance(self, units: UnitVectors, loose: Ints) -> Ints:
        """(n_units,) the units, those first whose mean is nearest to the mean of the loose records."""
        centers = Partition(np.repeat(np.arange(units.n_units), units.size)).centroids(self.points[units.records])
        center = Partition(np.zeros_like(loose)).centroids(self.points[loose])
        return np.argsort(_squared_distances(centers, center), kind="stable")


def _with_records(loose: Ints, rows: Ints) -> UnitVectors:
    return UnitVectors.of_records(np.concatenate([loose, rows.ravel()]))


def _squared_distances(points: Matrix, center: Matrix) -> Vector:
    distances = np.zeros(len(points))
    for column, at in zip(points.T, center[0], strict=True):  # column by column: the same sums on every machine
        distances += (column - at) ** 2
    return distances
