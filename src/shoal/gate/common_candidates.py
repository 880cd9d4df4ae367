"""Candidates that several releases have in common: what is left of a class when they are compared.

classes and values of the records of all releases, whose person is whose -> records that can still be a person's

The intruder holds all releases, and knows of a person the class in each of them. Records of two releases can be the
same person's only if they agree in the columns that do not change over time and that all releases show (*values* here,
one number for their combination). So of every class only records are left whose values occur in the person's classes of
all other releases. The smallest number that is left in any release is what must reach k.

Of a person who is new, nothing can be compared: all records of the class are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.gate.gate import Verdict
from shoal.gate.written_counts import numbered_rows
from shoal.kernels import Labels
from shoal.requirements import KAnonymity

AT_ONCE = 2**22  # rows that are compared in one step
EARLIER = "earlier"  # the key of a verdict that names earlier releases


@dataclass(frozen=True, eq=False)
class ReleaseClasses:
    """The records of one release."""

    classes: Labels  # (n_records,) from 0
    values: Labels  # (n_records,) number of the combination of values, from 0; the same number in all releases


@dataclass(frozen=True, eq=False)
class EarlierClasses(ReleaseClasses):
    """The records of an earlier release, and where the persons of the new one are in it."""

    of_persons: Labels  # (n_new,) class of the person of every new record; -1: not in this release


@dataclass(frozen=True, eq=False)
class CommonCandidates:
    """What is left for every combination of a class of the new release and those of earlier ones that occurs."""

    new: ReleaseClasses
    earlier: tuple[EarlierClasses, ...]

    @cached_property
    def joint_class(self) -> Labels:
        """(n_new,) the number of every record's combination of classes: its person's class in all releases."""
        return numbered_rows([*(each.of_persons for each in self.earlier), self.new.classes], self.new.classes.size)

    @cached_property
    def joint_sizes(self) -> Labels:
        """(n_joint,) persons of every combination."""
        return np.bincount(self.joint_class).astype(np.int64)

    @cached_property
    def is_new(self) -> NDArray[np.bool_]:
        """(n_joint,) whether its persons are in no earlier release."""
        return np.asarray(np.max(np.stack(self._places[1:]), axis=0) < 0)

    @cached_property
    def left(self) -> Labels:
        """(n_joint,) records that are left in the release that leaves fewest."""
        left = np.full(self.joint_sizes.size, np.iinfo(np.int64).max)
        for at in range(len(self._places)):
            known = np.flatnonzero(self._places[at] >= 0)
            left[known] = np.minimum(left[known], self._left_in(at, known))
        return left

    def n_sensitive(self, codes: Labels) -> Labels:
        """(n_joint,) different values of a column of the new release among the records that are left in it; missing
        (-1) counts as one."""
        n_codes = int(codes.max(initial=-1)) + 2
        rows = np.unique(self._keys(self.new) * n_codes + codes + 1)
        found = np.zeros(self.joint_sizes.size, dtype=np.int64)
        for joint, at in self._left_rows(0, rows // n_codes, np.arange(found.size)):
            different = np.unique(joint * n_codes + rows[at] % n_codes)
            found += np.bincount(different // n_codes, minlength=found.size)
        return found

    @cached_property
    def _places(self) -> list[Labels]:
        """(n_joint,) of every release, the new one first: the class; -1 where the persons are not in it."""
        first = np.unique(self.joint_class, return_index=True)[1]
        return [self.new.classes[first], *(each.of_persons[first] for each in self.earlier)]

    @cached_property
    def _n_values(self) -> int:
        return max(int(each.values.max(initial=0)) for each in self._releases) + 1

    @property
    def _releases(self) -> tuple[ReleaseClasses, ...]:
        return (self.new, *self.earlier)

    def _keys(self, release: ReleaseClasses) -> Labels:
        """(n_records,) a number for class and values of every record, in the order of classes."""
        return release.classes * self._n_values + release.values

    @cached_property
    def _occurring(self) -> list[Labels]:
        """Of every release, the combinations of class and values that occur, ascending."""
        return [np.unique(self._keys(each)) for each in self._releases]

    def _left_in(self, at: int, joint: Labels) -> Labels:
        """(n_some,) records of release ``at`` that are left for the combinations ``joint``."""
        keys, n = np.unique(self._keys(self._releases[at]), return_counts=True)
        found = np.zeros(self.joint_sizes.size, dtype=np.int64)
        for of, rows in self._left_rows(at, keys, joint):
            found += np.bincount(of, weights=n[rows], minlength=found.size).astype(np.int64)
        return found[joint]

    def _left_rows(self, at: int, keys: Labels, joint: Labels) -> Iterator[tuple[Labels, Labels]]:
        """In pieces: combinations of ``joint``, and the rows of release ``at`` that are left for each. ``keys``: class
        and values of the rows, ascending."""
        classes = self._places[at][joint]
        first, end = (np.searchsorted(keys, (classes + more) * self._n_values) for more in (0, 1))
        for piece in _pieces(end - first):
            n = (end - first)[piece]
            of = np.repeat(joint[piece], n)
            rows = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n) + np.repeat(first[piece], n)
            left = self._occur_elsewhere(at, of, keys[rows] % self._n_values)
            yield of[left], rows[left]

    def _occur_elsewhere(self, at: int, joint: Labels, values: Labels) -> NDArray[np.bool_]:
        """(n_rows,) whether values occur in the classes of all other releases that the persons are in."""
        everywhere = np.ones(joint.size, dtype=bool)
        for other, (places, occurring) in enumerate(zip(self._places, self._occurring, strict=True)):
            if other != at:
                wanted = places[joint] * self._n_values + values
                found = occurring[np.minimum(np.searchsorted(occurring, wanted), occurring.size - 1)] == wanted
                everywhere &= found | (places[joint] < 0)
        return everywhere


def _pieces(n_rows: Labels) -> Iterator[slice]:
    """Slices with some AT_ONCE rows each."""
    ends = np.cumsum(n_rows)
    start = 0
    while start < n_rows.size:
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def candidates_verdict(
    found: CommonCandidates, k: int, columns: Sequence[str], names: Sequence[str], stable: Sequence[str]
) -> Verdict:
    """The verdict that at least ``k`` records are left for everybody. ``columns``: that make the classes; ``names``: of
    the earlier releases; ``stable``: the columns that were compared."""
    fails = found.left < k
    return Verdict(
        requirement=KAnonymity.name,
        asked=k,
        reached=int(found.left.min()) if found.left.size else None,
        holds=not fails.any(),
        n_classes=found.left.size,
        n_classes_failing=int(fails.sum()),
        n_records_failing=int(found.joint_sizes[fails].sum()),
        columns=tuple(columns),
        besides={EARLIER: ", ".join(names), "stable": ", ".join(stable) or "no column"},
    )
