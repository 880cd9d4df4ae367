"""Departures: what the counts of former classes and of groups tell about persons who left, and about those who joined.

former classes and groups with their values, who is in which -> which groups give nobody away

A value that the groups with the others show less often than the former class did is the value of somebody who left: so
many of them certainly have it, and the rest have the values of the class in its shares. The same holds for persons who
joined, compared with the former classes of the others. The gate proves this of the written files with code of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Vector

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SLACK = 1e-9  # rounding tolerance of shares


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Classes with the records of each of their sensitive values."""

    counts: csr_array  # (n_classes, n_values)
    sizes: Labels  # (n_classes,) records, also those without a value

    @property
    def n_missing(self) -> Labels:
        return self.sizes - _sums(self.counts)

    def united(self, by: csr_array) -> ValueCounts:
        """The classes that each row of ``by`` has a 1 for, taken together."""
        return ValueCounts(by @ self.counts, np.asarray(by @ self.sizes))


@dataclass(frozen=True, eq=False)
class Departures:
    former: ValueCounts  # the classes of an earlier release
    groups: ValueCounts
    places: Labels  # (n_records,) the former class of every person, -1: none
    labels: Labels  # (n_records,) the group of every person

    def hold(self, m: int) -> NDArray[np.bool_]:
        """(n_groups,) which groups leave the value of nobody who left or joined with a share above 1 / m."""
        links, most = self._links(), 1 / m + SLACK
        former, now = (np.asarray(each).ravel() for each in (links.sum(axis=1), links.sum(axis=0)))
        both = (links > 0).astype(np.int64)
        left, joined = self.former.sizes - former, self.groups.sizes - now
        fails = _shares(self.groups, self.former.united(both.T.tocsr()), joined) > most
        gone = _shares(self.former, self.groups.united(both), left) > most
        fails |= np.asarray(both.T @ gone.astype(np.int64)) > 0
        of_former, of_groups = self._connected(both)
        before, after = self.former.united(of_former), self.groups.united(of_groups)
        given_away = _shares(before, after, np.asarray(of_former @ left)) > most
        given_away |= _shares(after, before, np.asarray(of_groups @ joined)) > most
        return ~(fails | (np.asarray(of_groups.T @ given_away.astype(np.int64)) > 0))

    def _links(self) -> csr_array:
        """(n_classes, n_groups) persons who were in the class and are in the group."""
        from scipy.sparse import coo_array

        some = np.flatnonzero(self.places >= 0)
        ones = np.ones(some.size, dtype=np.int64)
        shape = (self.former.sizes.size, self.groups.sizes.size)
        return coo_array((ones, (self.places[some], self.labels[some])), shape=shape).tocsr()

    def _connected(self, links: csr_array) -> tuple[csr_array, csr_array]:
        """(n_unions, n_classes) and (n_unions, n_groups): the unions of all that persons connect. Former classes
        without anybody are not in one: nothing is compared with them."""
        from scipy.sparse import coo_array

        n, n_groups = links.shape
        number = _components(links)
        known = np.flatnonzero(np.diff(links.indptr))
        n_unions, ones = int(number.max(initial=-1)) + 1, np.ones(n + n_groups, dtype=np.int64)
        former = coo_array((ones[: known.size], (number[known], known)), shape=(n_unions, n))
        groups = coo_array((ones[:n_groups], (number[n:], np.arange(n_groups))), shape=(n_unions, n_groups))
        return former.tocsr(), groups.tocsr()


def _components(links: csr_array) -> Labels:
    """(n_classes + n_groups,) the number of the connected classes and groups that each belongs to."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n, n_groups = links.shape
    pairs = links.tocoo()
    graph = coo_array((pairs.data, (pairs.row, pairs.col + n)), shape=(n + n_groups, n + n_groups))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _shares(before: ValueCounts, after: ValueCounts, n_gone: Labels) -> Vector:
    """(n_classes,) the share of the likeliest value of those who are gone; 0 where nobody with a value is."""
    certain = (before.counts - after.counts).tocsr()
    certain.data = np.maximum(certain.data, 0)
    n_certain = _sums(certain)
    gone = np.maximum(n_gone - np.maximum(before.n_missing - after.n_missing, 0), n_certain)
    rest = (gone - n_certain) / np.maximum(_sums(before.counts), 1)
    likely = certain + before.counts.multiply(rest[:, None])
    most = np.asarray(likely.tocsr().max(axis=1).todense()).ravel()
    return np.where(n_gone > 0, most / np.maximum(gone, 1), 0.0)


def _sums(counts: csr_array) -> Labels:
    return np.asarray(counts.sum(axis=1)).ravel().astype(np.int64)
