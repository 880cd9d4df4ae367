"""Controlled categories: one category for every group, such that the shares of the categories hardly change.

codes of the records of a block, their groups -> (n_groups,) code

The most frequent category of every group shifts the shares of the release: a minority that is spread over all groups
vanishes. Here every group gets a category that occurs in it, such that the (weighted) shares are those of the block and
as few records as possible (by weight) get another category than their own; for ordinal columns, as few steps as
possible. That is a linear program,

    minimize    the cost of all groups
    subject to  one category for every group, from those that occur in it
                the weight of the groups of every category is the share of the category in the block

which always has a solution in shares of groups, and at a vertex fewer groups than there are categories are divided
between two of them. These are rounded: the weight of a category differs from its target by a few groups at most.

Groups with the same numbers of records of every category are interchangeable. They are one variable of the program, and
which of them get which category is drawn by the private key. Where all groups differ, because records have weights, the
program is solved for some thousand at a time, each time with what the last one left over.

Whoever knows all records of the block but one could solve the program for each category of the last one, and compare.
So the shares to be kept are first rounded at random to about whole groups, and among assignments of equal cost one is
drawn, both by the private key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal import kernels
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations
from shoal.rng import RandomStream

MOST_KINDS = 2000  # of groups that differ, in one linear program
ALMOST_WHOLE = 1e-6  # error of a solver
OF_A_TIE = 0.01  # of the least weight of a category in a group: by up to this, costs differ at random


@dataclass(frozen=True)
class CategoryPairs:
    """Which categories occur in which groups, ordered by group and code."""

    groups: Labels  # (n_pairs,)
    codes: Labels  # (n_pairs,)
    weights: Vector  # (n_pairs,) of the records of the group with the code

    @classmethod
    def of(cls, groups: Labels, codes: Labels, weights: Vector) -> Self:
        """Of records with a known code."""
        first, pair = distinct_combinations([groups, codes], groups.size)
        order = np.lexsort((codes[first], groups[first]))
        sums = kernels.group_sums(np.ascontiguousarray(weights[:, None]), pair, first.size)[:, 0]
        return cls(groups[first][order], codes[first][order], sums[order])

    def only(self, kept: Any) -> Self:
        return type(self)(self.groups[kept], self.codes[kept], self.weights[kept])

    def by_group(self, values: Vector) -> Vector:
        """(n_groups,) sums over the pairs of a group."""
        return np.bincount(self.groups, weights=values).astype(np.float64)

    def costs(self, *, is_ordered: bool) -> Vector:
        """(n_pairs,) weight of the records of the group with another code; for an ordered column, times the steps."""
        totals = self.by_group(self.weights)[self.groups]
        if not is_ordered:
            return totals - self.weights
        sums = self.by_group(self.weights * self.codes)[self.groups]
        below, sum_below = self._before(self.weights), self._before(self.weights * self.codes)
        return self.codes * below - sum_below + (sums - sum_below) - self.codes * (totals - below)

    def _before(self, values: Vector) -> Vector:
        """(n_pairs,) sums over the earlier pairs of the same group."""
        running = np.cumsum(values) - values
        return running - running[np.searchsorted(self.groups, self.groups)]


@dataclass(frozen=True)
class GroupKinds:
    """Kinds of groups: those of one kind have the same weight, categories and weights of the categories."""

    pairs: CategoryPairs  # of the kinds instead of groups
    sizes: Vector  # (n_kinds,) released weight of a group
    n: Labels  # (n_kinds,) groups of the kind
    kind_of: Labels  # (n_groups,)

    @classmethod
    def of(cls, pairs: CategoryPairs, sizes: Vector) -> Self:
        """``sizes``: (n_groups,) released weights; every group has a pair."""
        starts = np.searchsorted(pairs.groups, np.arange(sizes.size + 1))
        described = np.column_stack([pairs.codes, pairs.weights, sizes[pairs.groups]]).astype(np.float64)
        buffers: list[Any] = [None, pa.py_buffer((starts * described.itemsize * 3).data), pa.py_buffer(described.data)]
        texts: Any = pa.Array.from_buffers(pa.large_binary(), sizes.size, buffers)
        encoded: Any = pc.dictionary_encode(texts)
        kind_of: Labels = encoded.indices.to_numpy().astype(np.int64)
        first = np.unique(kind_of, return_index=True)[1]
        of_kind = CategoryPairs(kind_of[pairs.groups], pairs.codes, pairs.weights).only(
            np.isin(pairs.groups, first)  # kinds are numbered by their first group, so the order is kept
        )
        return cls(of_kind, sizes[first], np.bincount(kind_of), kind_of)

    def natural(self) -> Vector:
        """(n_pairs,) weight of a category if every group were divided in the shares of its records."""
        sizes, groups = self.sizes * self.n, self.pairs.groups
        return sizes[groups] * self.pairs.weights / self.pairs.by_group(self.pairs.weights)[groups]


def random_shares(shares: Vector, n_groups: int, draws: RandomStream) -> Vector:
    """(n_codes,) the shares of the categories that occur, each changed at random by less than a group.

    Half a group up or down, and then to the nearest whole group, is random rounding: on average nothing changes.
    """
    occurs, moved = shares > 0, shares.copy()
    change = draws.random(shares.size)[occurs] - 0.5
    moved[occurs] = np.maximum(shares[occurs] + (change - change.mean()) / n_groups, 0.0)
    found: Vector = moved / moved.sum()
    return found


def controlled_categories(
    pairs: CategoryPairs, sizes: Vector, shares: Vector, draws: RandomStream, *, is_ordered: bool = False
) -> Labels:
    """(n_groups,) the category of every group.

    ``sizes``: (n_groups,) released weight of every group, each of which has a pair. ``shares``: (n_codes,) the shares
    to be kept, which add up to 1.
    """
    kinds = GroupKinds.of(pairs, sizes)
    ties = OF_A_TIE * kinds.pairs.weights.min() * draws.random(kinds.pairs.codes.size)
    return _dealt(kinds, _numbers(kinds, shares, kinds.pairs.costs(is_ordered=is_ordered) + ties), draws)


def _numbers(kinds: GroupKinds, shares: Vector, costs: Vector) -> Labels:
    """(n_pairs,) how many groups of a kind get a category. ``costs``: (n_pairs,) of a group."""
    pairs, natural = kinds.pairs, kinds.natural()
    total = float((kinds.sizes * kinds.n).sum())
    beyond = shares * total - _by_code(pairs.codes, natural, shares.size)
    found, left = np.zeros(pairs.codes.size, dtype=np.int64), np.zeros(shares.size)
    for first in range(0, kinds.n.size, MOST_KINDS):
        within = (pairs.groups >= first) & (pairs.groups < first + MOST_KINDS)
        part = kinds.n[first : first + MOST_KINDS], kinds.sizes[first : first + MOST_KINDS]
        some = CategoryPairs(pairs.groups[within] - first, pairs.codes[within], costs[within])
        share = float((part[0] * part[1]).sum()) / total
        wanted = _by_code(some.codes, natural[within], shares.size) + share * beyond + left
        found[within] = _rounded(some, *part, wanted, _shares_of_kinds(some, *part, wanted))
        left = wanted - _by_code(some.codes, found[within] * part[1][some.groups], shares.size)
    return found


def _shares_of_kinds(pairs: CategoryPairs, n: Labels, sizes: Vector, wanted: Vector) -> Vector:
    """(n_pairs,) the solution of the linear program in fractions of groups. ``pairs.weights``: what a group costs."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    n_pairs, n_codes, n_kinds = pairs.codes.size, wanted.size, n.size
    columns, slack = np.arange(n_pairs), n_pairs + np.arange(n_codes)
    rows = np.concatenate([pairs.groups, n_kinds + pairs.codes, *[n_kinds + np.arange(n_codes)] * 2])
    values = np.concatenate([np.ones(n_pairs), sizes[pairs.groups], np.ones(n_codes), -np.ones(n_codes)])
    places: Any = (rows, np.concatenate([columns, columns, slack, slack + n_codes]))
    equal: Any = csr_array((values, places), shape=(n_kinds + n_codes, n_pairs + 2 * n_codes))
    # Dearer than any chain of exchanges through all categories: shares come first, then the cost.
    dearest = (n_codes + 1) * float((pairs.weights / sizes[pairs.groups]).max() + 1)
    costs = np.concatenate([pairs.weights, np.full(2 * n_codes, dearest)])
    solved: Any = linprog(costs, A_eq=equal, b_eq=np.concatenate([n, wanted]), method="highs-ds")
    fractions: Vector = solved.x[:n_pairs]
    return fractions


def _rounded(pairs: CategoryPairs, n: Labels, sizes: Vector, wanted: Vector, fractions: Vector) -> Labels:
    """(n_pairs,) whole numbers of groups: the fractions rounded down, then the groups that are left, the largest first,
    each with the category that lacks most."""
    whole = np.floor(fractions + ALMOST_WHOLE).astype(np.int64)
    lacking = wanted - _by_code(pairs.codes, whole * sizes[pairs.groups], wanted.size)
    left = n - np.bincount(pairs.groups, weights=whole, minlength=n.size).astype(np.int64)
    open_kinds = np.flatnonzero(left)
    for kind in open_kinds[np.argsort(-sizes[open_kinds], kind="stable")]:
        of_kind = np.flatnonzero(pairs.groups == kind)
        for _ in range(int(left[kind])):
            chosen = of_kind[np.lexsort((pairs.weights[of_kind], -lacking[pairs.codes[of_kind]]))[0]]
            whole[chosen] += 1
            lacking[pairs.codes[chosen]] -= sizes[kind]
    return whole


def _dealt(kinds: GroupKinds, numbers: Labels, draws: RandomStream) -> Labels:
    """(n_groups,) the category of every group: those of one kind are shuffled and then dealt in order."""
    order = np.lexsort((draws.random(kinds.kind_of.size), kinds.kind_of))
    dealt = np.empty(kinds.kind_of.size, dtype=np.int64)
    dealt[order] = np.repeat(kinds.pairs.codes, numbers)
    return dealt


def _by_code(codes: Labels, values: Vector, n_codes: int) -> Vector:
    return np.bincount(codes, weights=values, minlength=n_codes).astype(np.float64)
