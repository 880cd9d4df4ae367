"""Turnover of classes: what the counts of two releases tell about persons who are in one of them only.

classes and values of both releases, the classes of those who are in both -> share of the likeliest value

The intruder knows who has left (or joined), and which classes of the two releases have persons in common. What the
classes before showed more often than those after is the value of persons who left: so many of them certainly have it.
The rest have any value of their class, in its shares. This is counted for every class against all classes that its
persons are in now, and for all classes together that are connected by persons.

Read from the new release to the earlier one, the same holds for persons who joined.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from shoal.gate.common_candidates import CommonCandidates, ReleaseClasses
from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class Turnover:
    """``before`` and ``after``: records of two releases, with a sensitive column as their values; missing is 0.
    ``was``, ``now``: (n_both,) the classes of the persons who are in both."""

    before: ReleaseClasses
    after: ReleaseClasses
    was: Labels
    now: Labels

    @classmethod
    def of_departed(cls, found: CommonCandidates, at: int) -> Self:
        """Of persons of an earlier release who are not in the new one."""
        earlier = found.earlier[at]
        both = earlier.of_persons >= 0
        return cls(earlier, found.new, earlier.of_persons[both], found.new.classes[both])

    @classmethod
    def of_joined(cls, found: CommonCandidates, at: int) -> Self:
        """Of persons of the new release who are not in an earlier one."""
        departed = cls.of_departed(found, at)
        return cls(departed.after, departed.before, departed.now, departed.was)

    @cached_property
    def n_gone(self) -> Labels:
        """(n_classes,) persons of every class before who are not in the release after."""
        sizes = np.bincount(self.before.classes)
        return sizes - np.bincount(self.was, minlength=sizes.size)

    @cached_property
    def shares(self) -> Vector:
        """(n_classes,) of every class before: the share of the likeliest value of a person who is gone; 0: nobody is,
        or all who are have no value."""
        classes, _ = self._connected
        of_class = self._shares(np.arange(classes.size), *self._classes_after())
        together = self._shares(classes, *self._records_after())[classes]
        return np.where(self.n_gone > 0, np.maximum(of_class, together), 0.0)

    @cached_property
    def shares_alone(self) -> Vector:
        """(n_classes,) the same from the release before alone: the largest share of a value in every class."""
        none = np.zeros(0, dtype=np.int64)
        return self._shares(np.arange(self.n_gone.size), none, none, none)

    @cached_property
    def _connected(self) -> tuple[Labels, Labels]:
        """(n_classes,) before and after: the number of the connected classes that each belongs to."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        n, n_after = self.n_gone.size, int(self.after.classes.max(initial=-1)) + 1
        links = coo_array((np.ones(self.was.size), (self.was, self.now + n)), shape=(n + n_after, n + n_after))
        numbers = connected_components(links, directed=False)[1].astype(np.int64)
        return numbers[:n], numbers[n:]

    def _classes_after(self) -> tuple[Labels, Labels, Labels]:
        """Classes before, values, and records with them in all classes after that persons of the class are in."""
        from scipy.sparse import coo_array

        n, n_after = self.n_gone.size, int(self.after.classes.max(initial=-1)) + 1
        pairs = np.unique(np.stack([self.was, self.now]), axis=1)
        links = coo_array((np.ones(pairs.shape[1], dtype=np.int64), tuple(pairs)), shape=(n, n_after)).tocsr()
        ones = np.ones(self.after.values.size, dtype=np.int64)
        shown = coo_array((ones, (self.after.classes, self.after.values)), shape=(n_after, self._n_values)).tocsr()
        found = (links @ shown).tocoo()
        return found.row.astype(np.int64), found.col.astype(np.int64), found.data

    def _records_after(self) -> tuple[Labels, Labels, Labels]:
        """Connected classes and value of every record after, each counted once."""
        values = self.after.values
        return self._connected[1][self.after.classes], values, np.ones_like(values)

    def _shares(self, unions: Labels, after: Labels, values: Labels, n_after: Labels) -> Vector:
        """(n_unions,) the share of the likeliest value of a person who is gone. ``unions``: (n_classes,) that of every
        class before; ``after``, ``values``, ``n_after``: union, value and number of the records after."""
        n_unions, n_values = int(unions.max(initial=-1)) + 1, self._n_values
        keys, n = np.unique(unions[self.before.classes] * n_values + self.before.values, return_counts=True)
        of, known = keys // n_values, keys % n_values > 0
        certain = np.maximum(n - _sums_at(keys, after * n_values + values, n_after), 0)
        gone = np.bincount(unions, weights=self.n_gone, minlength=n_unions)
        gone -= np.bincount(of[~known], weights=certain[~known], minlength=n_unions)
        of, n, certain = of[known], n[known], certain[known]
        n_certain, n_known = (np.bincount(of, weights=each, minlength=n_unions) for each in (certain, n))
        gone = np.maximum(gone, n_certain)
        likely = certain + (gone - n_certain)[of] * n / n_known[of]
        share = np.zeros(n_unions)
        np.maximum.at(share, of, likely / np.maximum(gone[of], 1))
        return share

    @property
    def _n_values(self) -> int:
        return max(int(each.values.max(initial=0)) for each in (self.before, self.after)) + 1


def _sums_at(keys: Labels, found: Labels, n: Labels) -> Labels:
    """(n_keys,) the sums of ``n`` by key; ``keys`` are ascending, and others are left out."""
    at = np.searchsorted(keys, found)
    known = np.append(keys, -1)[at] == found
    return np.bincount(at[known], weights=n[known], minlength=keys.size).astype(np.int64)
