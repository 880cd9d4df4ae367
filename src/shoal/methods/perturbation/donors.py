"""Donors: for every class of records, one whose value can be assigned to the others.

values of one column, a class for every record -> the donor record, -1 where there is none
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Ints, Labels
from shoal.rng import RandomStream


@dataclass(frozen=True)
class KnownValues:
    """The known values of a column, sorted by class and by value within a class."""

    codes: Ints  # (n_records,) codes in the order of the values, -1 where missing
    order: Ints  # (n_known,) records
    start: Ints  # (n_classes,) where each class begins in ``order``
    n: Ints  # (n_classes,) number of known values

    @classmethod
    def of(cls, codes: Ints, classes: Labels) -> KnownValues:
        records = np.flatnonzero(codes >= 0)
        order = records[np.lexsort((codes[records], classes[records]))]
        n = np.bincount(classes[records], minlength=int(classes.max()) + 1)
        return cls(codes, order, np.cumsum(n) - n, n)

    def lower_median(self) -> Ints:
        """(n_classes,) a record with the lower median."""
        return self._at((self.n - 1) // 2)

    def unanimous(self) -> Ints:
        """(n_classes,) any record, where all known values of the class are equal; else -1."""
        first, last = self._at(np.zeros_like(self.n)), self._at(self.n - 1)
        return np.where(self.codes[first] == self.codes[last], first, -1)

    def most_frequent(self) -> Ints:
        """(n_classes,) a record with the most frequent value, the first in order on ties."""
        of_class = np.repeat(np.arange(len(self.n)), self.n)
        codes = self.codes[self.order]
        begins = np.ones(len(codes), dtype=bool)
        begins[1:] = (of_class[1:] != of_class[:-1]) | (codes[1:] != codes[:-1])
        runs = np.flatnonzero(begins)  # one run for every value of every class
        lengths = np.diff(np.append(runs, len(codes)))
        best = np.lexsort((runs, -lengths, of_class[runs]))[::-1]
        donors = np.full(len(self.n), -1, dtype=np.int64)
        donors[of_class[runs[best]]] = self.order[runs[best]]  # the best of a class is written last
        return donors

    def draw(self, classes: Labels, draws: RandomStream) -> Ints:
        """(n,) for every entry of ``classes`` a donor of that class, all with equal probability."""
        uniform = draws.random(len(classes))
        return self._of(classes, np.minimum((uniform * self.n[classes]).astype(np.int64), self.n[classes] - 1))

    def _at(self, place: Ints) -> Ints:
        return self._of(np.arange(len(self.n)), place)

    def _of(self, classes: Labels, place: Ints) -> Ints:
        empty = self.n[classes] == 0
        at = np.where(empty, 0, self.start[classes] + place)
        return np.where(empty, -1, self.order[at])
