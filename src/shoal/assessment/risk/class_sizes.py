"""Distribution of class sizes: how many classes have how many records or units; small for any number of records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class ClassSizes:
    sizes: Labels  # different sizes, ascending
    n_classes: Labels | Vector  # classes of each size; fractions where records match without being equal
    noun: str = "record"  # what the sizes count: record or unit
    n_units: int | None = None  # different units; one with records in several classes is counted in each of them

    @classmethod
    def of(cls, sizes: ArrayLike, noun: str = "record") -> ClassSizes:
        """From the size of every class."""
        found, n_classes = np.unique(np.asarray(sizes, dtype=np.int64), return_counts=True)
        return cls(found, n_classes.astype(np.int64), noun)

    @classmethod
    def of_matches(cls, matches: Labels, n: Labels) -> ClassSizes:
        """From the number of records that each record matches, where it may match others than equal ones: every s
        records that match s records count as one class. ``n``: records of every entry."""
        found, at = np.unique(matches, return_inverse=True)
        return cls(found.astype(np.int64), np.bincount(at, weights=n) / found)

    def __add__(self, other: ClassSizes) -> ClassSizes:
        """The sizes of two sets of different classes of equal records; the number of units does not add up."""
        sizes, at = np.unique(np.concatenate([self.sizes, other.sizes]), return_inverse=True)
        n_classes = np.bincount(at, np.concatenate([self.n_classes, other.n_classes]), minlength=len(sizes))
        return ClassSizes(sizes, n_classes.astype(np.int64), self.noun)

    @property
    def n_records(self) -> int:
        return round(float((self.sizes * self.n_classes).sum()))

    @property
    def n_candidates(self) -> int:
        """Records, or different units, among which somebody without any knowledge guesses."""
        return self.n_records if self.n_units is None else self.n_units

    @property
    def n(self) -> int:
        return int(self.n_classes.sum())

    @property
    def smallest(self) -> int:
        return int(self.sizes[0]) if self.sizes.size else 0

    @property
    def n_unique(self) -> int:
        """Number of records that are alone in their class."""
        return round(float(self.n_classes[self.sizes == 1].sum()))
