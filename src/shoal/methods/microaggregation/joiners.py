"""New persons who join former classes, so that these show the same sensitive values as before.

points, cohorts -> (n_records,) the cohort that every new person joins

Where departures have left a cohort without some of the values of its former class, or with fewer than k records, new
persons who have these values join it, the nearest first. Xiao & Tao (2007), doi:10.1145/1247480.1247556, balance
classes so, and add counterfeits where nobody is left; here such a cohort fails, and the caller suppresses it. Larger
cohorts come first; on ties, those with the lower number.
"""

from __future__ import annotations

from collections.abc import Iterator
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

    def nearest(self, point: Vector, wanted: Labels) -> int | None:
        """The nearest free person with one of the values; the first one on ties."""
        free = np.flatnonzero(self.is_free & np.isin(self.values, wanted))
        if not free.size:
            return None
        return int(free[np.argmin(((self.X[free] - point) ** 2).sum(axis=1))])


def joined_cohorts(X: Matrix, cohorts: Cohorts, k: int) -> Labels:
    """(n_records,) the cohort of every record, after new persons joined those that need them. Only for one invariant
    column: for several nobody joins."""
    labels, groups = cohorts.labels.copy(), Partition(cohorts.labels)
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
            joined = list(_joining(joiners, centroids[cohort], column, cohorts, members, k))
            labels[joined] = cohort
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def _joining(
    joiners: Joiners, point: Vector, column: InvariantColumn, cohorts: Cohorts, members: Labels, k: int
) -> Iterator[int]:
    """The persons who join; none where the values of the former class cannot be completed."""
    signature, counts = _signature(column, cohorts, int(members[0])), _counts(column, members)
    if signature is None or np.setdiff1d(np.flatnonzero(counts), signature).size:
        return
    found: list[int] = []
    while True:
        fewest = counts[signature].min()
        is_complete = fewest > 0 and counts.sum() >= k and counts.max() * column.m <= counts.sum()
        if is_complete:
            yield from found
            return
        person = joiners.nearest(point, signature[counts[signature] == fewest])
        if person is None or len(found) > 2 * k:
            joiners.is_free[found] = True
            return
        joiners.is_free[person] = False
        counts[column.values[person]] += 1
        found.append(person)


def _signature(column: InvariantColumn, cohorts: Cohorts, record: int) -> Labels | None:
    """The values of the former classes of a person; None where these differ between earlier releases."""
    places = zip(column.signatures, cohorts.classes, strict=True)
    found = [np.sort(rows[[each[record]]].indices).astype(np.int64) for rows, each in places if each[record] >= 0]
    return found[0] if all(np.array_equal(found[0], each) for each in found) else None


def _counts(column: InvariantColumn, members: Labels) -> Labels:
    """(n_values,) the members of each value."""
    values = column.values[members]
    return np.bincount(values[values >= 0], minlength=column.signatures[0].shape[1]).astype(np.int64)
