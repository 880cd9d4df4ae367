"""New persons who join former classes, so that these show the same sensitive values as before.

points, cohorts -> (n_records,) the cohort that every new person joins

Everybody who left is replaced by a new person with the same value, the nearest first, so that each value occurs as
often as in the former class, and neither who left nor who joined is given away. Xiao & Tao (2007),
doi:10.1145/1247480.1247556, balance classes so, and add counterfeits where nobody is left; here such a cohort fails,
and the caller suppresses it. Larger cohorts come first; on ties, those with the lower number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Matrix, Vector
from shoal.methods.microaggregation.cohorts import Cohorts, InvariantColumn
from shoal.plan import Partition

MOST_DISTANCES = 1_000_000_000  # cohorts times new persons; above, nobody joins


@dataclass(frozen=True, eq=False)
class Joiners:
    """New persons who can still join a cohort."""

    X: Matrix
    values: Labels  # (n_records,)
    is_free: NDArray[np.bool_]  # (n_records,) changed as they join

    def nearest(self, point: Vector, value: int) -> int | None:
        """The nearest free person with the value; the first one on ties."""
        free = np.flatnonzero(self.is_free & (self.values == value))
        if not free.size:
            return None
        return int(free[np.argmin(((self.X[free] - point) ** 2).sum(axis=1))])


def joined_cohorts(X: Matrix, cohorts: Cohorts, k: int) -> Labels:
    """(n_records,) the cohort of every record, after new persons joined those that need them. Only for one invariant
    column: for several nobody joins."""
    labels, groups = cohorts.together.copy(), Partition(cohorts.together)
    failing = np.flatnonzero(~cohorts.holds(k)(groups))
    if len(cohorts.invariant) != 1 or failing.size * int(cohorts.is_new.sum()) > MOST_DISTANCES:
        return labels
    column, centroids = cohorts.invariant[0], groups.centroids(X)
    joiners = Joiners(X, column.values, cohorts.is_new.copy())
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(groups.sizes)
    for cohort in failing[np.argsort(-groups.sizes[failing], kind="stable")].tolist():
        members = order[ends[cohort] - groups.sizes[cohort] : ends[cohort]]
        if not cohorts.is_new[members[0]]:
            labels[list(_joining(joiners, centroids[cohort], column, cohorts, members))] = cohort
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _joining(
    joiners: Joiners, point: Vector, column: InvariantColumn, cohorts: Cohorts, members: Labels
) -> Sequence[int]:
    """The persons who join: one for every record by which a value occurs less often than in the former class. None
    where somebody has another value, or where there is nobody with one that is wanted."""
    former, counts = _former_counts(column, cohorts, int(members[0])), _counts(column, members)
    if former is None or (counts[former == 0] > 0).any():
        return ()
    found: list[int] = []
    for value in np.repeat(np.arange(former.size), np.maximum(former - counts, 0)).tolist():
        person = joiners.nearest(point, value)
        if person is None:
            joiners.is_free[found] = True
            return ()
        joiners.is_free[person] = False
        found.append(person)
    return found


def _former_counts(column: InvariantColumn, cohorts: Cohorts, record: int) -> Labels | None:
    """(n_values,) the records of each value in the latest former class of a person; None where the former classes show
    different values."""
    places = zip(column.signatures, cohorts.classes, strict=True)
    found = [rows[[each[record]]].toarray().ravel() for rows, each in places if each[record] >= 0]
    same = all(np.array_equal(found[0] > 0, each > 0) for each in found)
    return np.asarray(found[-1], dtype=np.int64) if same else None


def _counts(column: InvariantColumn, members: Labels) -> Labels:
    """(n_values,) the members of each value."""
    values = column.values[members]
    return np.bincount(values[values >= 0], minlength=column.signatures[0].shape[1]).astype(np.int64)
