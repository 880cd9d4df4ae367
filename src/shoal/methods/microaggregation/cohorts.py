"""Groups that keep the classes of earlier releases together, so that comparing releases leaves k records for everybody.

points of one block, the classes that persons had, values that do not change -> Partition

Persons who were in the same class of every earlier release are a *cohort*; all who are new are one, too. A cohort of k
or more is kept together, or divided by the method if it is large enough for two groups. A cohort that departures have
left with fewer than k is joined with a near group as a whole, such that enough records of the joined group have values
that occur in the former classes of everybody in it. New persons form groups of their own, so that even an intruder who
sets all others aside is left with k of them; where they are fewer than k, they join a near group. What cannot be joined
fails, and the caller suppresses it.

Joining groups never leaves fewer records for anybody, so that groups may be merged further for other requirements.

Byun, Sohn, Bertino & Li (2006), doi:10.1007/11844662_4, and Xiao & Tao (2007), doi:10.1145/1247480.1247556, describe
the attack; the steps here are our own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Matrix
from shoal.kernels.combinations import number_combinations
from shoal.methods.microaggregation.departures import Departures, ValueCounts
from shoal.methods.microaggregation.merge import Holds, nearest_partners
from shoal.plan import Partition

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ROUNDS = 6  # of joining; groups that fail after them are taken apart again
LARGEST = 4  # times k records of a group that is joined although it still fails

Plan = Callable[[Matrix, int], Partition]  # points, k -> groups


@dataclass(frozen=True, eq=False)
class InvariantColumn:
    """A sensitive column whose values must be the same in all classes of a person, m or more of them."""

    m: int
    values: Labels  # (n_records,) -1 where missing
    signatures: tuple[csr_array, ...]  # (n_classes, n_values) of every earlier release: its records

    def holds(self, cohorts: Cohorts, partition: Partition) -> NDArray[np.bool_]:
        """(n_groups,) which groups show the values of the former classes of all of their persons, none of them in more
        than one of m records, and give away no value of persons who left or joined."""
        known = np.flatnonzero(self.values >= 0)
        groups = _counts(partition.labels[known], self.values[known], partition.n_groups, self.signatures[0].shape[1])
        n_known, most = _sums(groups), np.asarray(groups.max(axis=1).todense()).ravel()
        n_values = _sums(_pattern(groups))
        held = (n_values >= self.m) & (most * self.m <= n_known)
        for places, signatures in zip(cohorts.classes, self.signatures, strict=True):
            some = np.flatnonzero(places >= 0)
            shown, former = _pattern(groups[partition.labels[some]]), _pattern(signatures[places[some]])
            same = (_sums(shown.multiply(former)) == _sums(shown)) & (_sums(shown) == _sums(former))
            held[partition.labels[some[~same]]] = False
        for places, signatures, counts in zip(cohorts.classes, self.signatures, cohorts.counts, strict=True):
            before, after = ValueCounts(signatures, _sums(counts)), ValueCounts(groups, partition.sizes)
            held &= Departures(before, after, places, partition.labels).hold(self.m)
        return held


@dataclass(frozen=True, eq=False)
class Cohorts:
    """The records of a block with what is known of their persons from earlier releases."""

    classes: tuple[Labels, ...]  # (n_records,) of every earlier release: the class of the person, -1: not in it
    values: Labels  # (n_records,) number of the combination of values that do not change
    counts: tuple[csr_array, ...]  # (n_classes, n_values) of every earlier release: its records
    invariant: tuple[InvariantColumn, ...] = ()

    def take(self, rows: Labels) -> Cohorts:
        """The same for some of the records, in this order."""
        classes = tuple(each[rows] for each in self.classes)
        invariant = tuple(replace(each, values=each.values[rows]) for each in self.invariant)
        return replace(self, classes=classes, values=self.values[rows], invariant=invariant)

    @cached_property
    def labels(self) -> Labels:
        """(n_records,) the cohort of every record."""
        return number_combinations(list(self.classes), self.values.size)

    @cached_property
    def together(self) -> Labels:
        """(n_records,) a number for those who are kept together: the cohort; where values must be invariant, all who
        were in one class of the latest release that they are in, since others complete its values."""
        if not self.invariant:
            return self.labels
        release, latest = np.full((2, self.values.size), -1)
        for at, places in enumerate(self.classes):
            release[places >= 0], latest[places >= 0] = at, places[places >= 0]
        return number_combinations([release, latest], self.values.size)

    @cached_property
    def is_new(self) -> NDArray[np.bool_]:
        """(n_records,) whether the person is in no earlier release."""
        return np.asarray(np.logical_and.reduce([each < 0 for each in self.classes]))

    def holds(self, k: int) -> Holds:
        """A function that says which groups leave k records for each of their persons, and are invariant."""

        def hold(partition: Partition) -> NDArray[np.bool_]:
            invariant = (column.holds(self, partition) for column in self.invariant)
            return np.asarray(np.logical_and.reduce([self.left(partition) >= k, *invariant]))

        return hold

    def left(self, partition: Partition) -> Labels:
        """(n_groups,) the fewest records that are left for a person of the group, in any release."""
        pairs = number_combinations([self.labels, partition.labels], self.values.size)
        first = np.unique(pairs, return_index=True)[1]
        groups, is_new = partition.labels[first], self.is_new[first]
        of_pairs = partition.sizes[groups]
        of_pairs[~is_new] = self._left_of_known(partition, first[~is_new])
        fewest = np.full(partition.n_groups, np.iinfo(np.int64).max)
        np.minimum.at(fewest, groups, of_pairs)
        return fewest

    def _left_of_known(self, partition: Partition, records: Labels) -> Labels:
        """(n_some,) the fewest records that are left for the persons of ``records``, who are in an earlier release."""
        released = self._counts_of_groups(partition)[partition.labels[records]]
        occurring, former = _pattern(released), [_rows(*each) for each in self._former(records)]
        hits = sum((occurring.multiply(_pattern(each)) for each in former), start=occurring * 0).tocsr()
        n_releases = np.sum([places[records] >= 0 for places in self.classes], axis=0)
        hits.data = (hits.data == np.repeat(n_releases, np.diff(hits.indptr))).astype(np.int64)
        left = _sums(released.multiply(hits))
        for places, each in zip(self.classes, former, strict=True):
            left = np.where(places[records] < 0, left, np.minimum(left, _sums(each.multiply(hits))))
        return left

    def _former(self, records: Labels) -> list[tuple[csr_array, Labels]]:
        return [(counts, places[records]) for counts, places in zip(self.counts, self.classes, strict=True)]

    def _counts_of_groups(self, partition: Partition) -> csr_array:
        return _counts(partition.labels, self.values, partition.n_groups, self.counts[0].shape[1])


def counts_of_classes(classes: Labels, values: Labels, n_values: int) -> csr_array:
    """(n_classes, n_values) the records of an earlier release; a value of -1 is not counted."""
    known = np.flatnonzero(values >= 0)
    return _counts(classes[known], values[known], int(classes.max(initial=-1)) + 1, n_values)


def _counts(groups: Labels, values: Labels, n_groups: int, n_values: int) -> csr_array:
    from scipy.sparse import coo_array

    ones = np.ones(values.size, dtype=np.int64)
    return coo_array((ones, (groups, values)), shape=(n_groups, n_values)).tocsr()


def _rows(counts: csr_array, places: Labels) -> csr_array:
    """(n_places, n_values) the rows of ``counts``; empty where a place is -1."""
    rows = counts[np.maximum(places, 0)]
    rows.data = np.where(np.repeat(places < 0, np.diff(rows.indptr)), 0, rows.data)
    return rows


def _pattern(counts: csr_array) -> csr_array:
    """1 where there are records."""
    return (counts > 0).astype(np.int64)


def _sums(counts: csr_array) -> Labels:
    return np.asarray(counts.sum(axis=1)).ravel().astype(np.int64)


def cohort_groups(X: Matrix, cohorts: Cohorts, labels: Labels, k: int, plan: Plan, *, joins: bool) -> Partition:
    """The groups of the records. ``labels``: the cohort of each, which new persons may have joined; ``plan``: the
    method, for cohorts of which it can form several groups; ``joins``: groups that fail are joined with near ones."""
    divisible = cohorts.is_new if cohorts.invariant else np.ones(labels.size, dtype=bool)
    base = _divided(X, labels, k, plan, divisible)
    if not joins:
        return base
    found = base.labels.copy()
    for place, some in enumerate(_territories(cohorts, labels, k)):
        own = Partition(np.unique(base.labels[some], return_inverse=True)[1])
        joined = join_failing(X[some], own, cohorts.take(some).holds(k), LARGEST * k)
        found[some] = joined.labels + place * labels.size
    return Partition(np.unique(found, return_inverse=True)[1])


def _territories(cohorts: Cohorts, labels: Labels, k: int) -> list[Labels]:
    """Records whose groups may be joined: those of new persons only among themselves, if these are k or more."""
    is_apart = np.ones(int(labels.max()) + 1, dtype=bool)
    is_apart[labels[~cohorts.is_new]] = False
    apart = is_apart[labels]
    if apart.sum() < k:
        return [np.arange(labels.size)]
    return [rows for rows in (np.flatnonzero(~apart), np.flatnonzero(apart)) if rows.size]


def _divided(X: Matrix, labels: Labels, k: int, plan: Plan, divisible: NDArray[np.bool_]) -> Partition:
    """Every cohort as a group, or as several by the method where it has enough records for two. Where values must be
    invariant, former classes are not divided: the parts would show fewer values."""
    found, sizes = labels.copy(), np.bincount(labels)
    order, ends = np.argsort(labels, kind="stable"), np.cumsum(sizes)
    n_groups = sizes.size
    for large in np.flatnonzero(sizes >= 2 * k).tolist():
        members = order[ends[large] - sizes[large] : ends[large]]
        if divisible[members].all():
            parts = plan(X[members], k)
            found[members] = n_groups + parts.labels
            n_groups += parts.n_groups
    return Partition(np.unique(found, return_inverse=True)[1])


def join_failing(X: Matrix, partition: Partition, holds: Holds, largest: int) -> Partition:
    """The partition with failing groups joined with near ones; those that fail in the end are as they were."""
    joined = partition
    for _ in range(ROUNDS):
        failing = np.flatnonzero(~holds(joined))
        if not failing.size or joined.n_groups == 1:
            break
        joined = _join_once(X, joined, failing, holds, largest)
    return taken_apart(partition, joined, ~holds(joined))


def _join_once(X: Matrix, partition: Partition, failing: Labels, holds: Holds, largest: int) -> Partition:
    """Every failing group joined with the cheapest partner with which it holds; where there is none and the result is
    small enough, with the cheapest."""
    partners = nearest_partners(X, partition, failing)
    into, is_joined = np.arange(partition.n_groups), np.zeros(partition.n_groups, dtype=bool)
    for column in partners.T:
        trial, of_trial = _disjoint(failing, column, is_joined), into.copy()
        of_trial[trial[:, 1]] = trial[:, 0]
        numbers, labels = np.unique(of_trial, return_inverse=True)
        success = holds(Partition(labels[partition.labels]))[np.searchsorted(numbers, trial[:, 0])]
        into[trial[success, 1]] = trial[success, 0]
        is_joined[trial[success].ravel()] = True
    for column in partners.T:
        rest = _disjoint(failing, column, is_joined)
        rest = rest[partition.sizes[rest].sum(axis=1) <= largest]
        into[rest[:, 1]] = rest[:, 0]
        is_joined[rest.ravel()] = True
    return Partition(np.unique(into, return_inverse=True)[1][partition.labels])


def _disjoint(groups: Labels, partners: Labels, is_joined: NDArray[np.bool_]) -> Labels:
    """(n_pairs, 2) pairs of a group and its partner, the lower number first; no group is in two of them, nor in one
    that is joined."""
    taken, pairs = is_joined.copy(), list[tuple[int, int]]()
    for group, partner in zip(groups.tolist(), partners.tolist(), strict=True):
        if group != partner and not taken[group] and not taken[partner]:
            pairs.append((min(group, partner), max(group, partner)))
            taken[[group, partner]] = True
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def taken_apart(before: Partition, after: Partition, failing: NDArray[np.bool_]) -> Partition:
    """The groups of ``after``, those that fail replaced by the groups of ``before`` that they consist of."""
    labels = np.where(failing[after.labels], after.n_groups + before.labels, after.labels)
    return Partition(np.unique(labels, return_inverse=True)[1])
