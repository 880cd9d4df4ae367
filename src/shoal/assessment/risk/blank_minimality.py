"""Minimality attack on local suppression: what blanks made for sensitive values reveal to somebody who repeats it.

The intruder knows the quasi-identifiers of everybody, the policy and the release, and repeats the local suppression
without the requirements on sensitive values. A class that they get and that is not in the release must have failed a
requirement, so its records share values. They assume its records to be in the released class with the cheapest further
blanks, assign the values of that class to its records at random, keep the assignments in which the class that is gone
fails, and accuse its records where one value has become more likely than its share of the released class. Persons whose
quasi-identifiers belong to records that were blanked in different ways are not accused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.assessment.risk.minimality import (
    MARGIN,
    MOST_GROUPS,
    MOST_RECORDS,
    N_DEALS,
    Accusations,
    Fails,
    counts_of,
    numbered_inside,
)
from shoal.kernels import Labels
from shoal.plan.blanks import Cells

Keys = NDArray[np.uint64]


@dataclass(frozen=True)
class SuppressedParts:
    """Parts: records with equal quasi-identifiers and equal blanks, as codes; 0: missing or blanked."""

    before: Labels  # (n_parts, n_columns)
    after: Labels  # (n_parts, n_columns)
    n: Labels  # (n_parts,) records


@dataclass(frozen=True)
class BlankReplay:
    alone: SuppressedParts  # blanked without the requirements on sensitive values
    released: SuppressedParts
    patterns: Cells  # (n_patterns, n_columns) sets of columns, from cheap to expensive
    fails: Fails  # on parts of the release
    values: Mapping[str, Labels]  # column -> (n_parts,) sensitive values of the parts of the release; -1: missing

    @cached_property
    def classes(self) -> AbsentClassCounts:
        return AbsentClassCounts.of(self.released)

    @cached_property
    def gone(self) -> Gone:
        """Classes of ``alone`` that are not in the release; a sample where they are many."""
        own = AbsentClassCounts.of(self.alone)
        missing = np.flatnonzero(~np.isin(own.keys, self.classes.keys))
        chosen = missing[:: -(-missing.size // MOST_GROUPS) or 1]
        codes, n = self.alone.after[own.first[chosen]], own.sizes[chosen]
        holders = self._holders(codes, n)
        sizes = self.classes.sizes[holders]
        fit = (holders >= 0) & (sizes <= MOST_RECORDS)
        fit[fit] = np.cumsum(sizes[fit]) <= MOST_RECORDS
        return Gone(own.keys[chosen][fit], n[fit], holders[fit])

    def accusations(self, name: str, seed: int) -> Accusations:
        """Accusations of records whose class is not in the release."""
        gone, values = self.gone, self.values[name]
        if not gone.n.size:
            return Accusations()
        owner, dealt = self.classes.members(gone.holders)
        local = numbered_inside(owner, values[dealt])
        shape = gone.n.size, int(local.max()) + 1
        classes, tally = counts_of(owner, local, shape), np.zeros(shape)
        own = classes.max(axis=1, initial=0) / np.maximum(classes.sum(axis=1), 1)
        taken = np.arange(owner.size) - np.searchsorted(owner, owner) < gone.n[owner]
        chance = np.random.default_rng(seed)
        for _ in range(N_DEALS):
            some = np.argsort(owner + chance.random(owner.size))[taken]
            failing = self.fails(dealt[some], owner[taken])
            tally += counts_of(owner[taken], local[some], shape) * failing[:, None]
        shares = tally / np.maximum(tally.sum(axis=1, keepdims=True), 1)
        guesses, is_best = np.full(gone.n.size, -1), local == shares.argmax(axis=1)[owner]
        guesses[owner[is_best]] = values[dealt[is_best]]
        return self._scored(np.where(shares.max(axis=1) > own + MARGIN, guesses, -1), own, values)

    def _scored(self, guesses: Labels, own: NDArray[np.float64], values: Labels) -> Accusations:
        """``guesses``: (n_gone,) the value that the records of each class are accused of; -1: none."""
        persons = self._persons  # (n_parts,)
        accused = (persons >= 0) & (values >= 0)
        accused[accused] = guesses[persons[accused]] >= 0
        n, of = self.released.n[accused], persons[accused]
        n_right = int(n[guesses[of] == values[accused]].sum())
        mean = float(np.average(own[of], weights=n)) if of.size else 0.0
        return Accusations(n_right, int(n.sum()), mean, np.unique(of).size)

    @cached_property
    def _persons(self) -> Labels:
        """(n_parts,) the class of ``gone`` that contains all records with these quasi-identifiers; -1: none."""
        whole, at, times = np.unique(hashed(self.alone.before), return_index=True, return_counts=True)
        ends = hashed(self.alone.after)[at]
        home = np.where(times == 1, _places(self.gone.keys, ends), -1)
        return home[_places(whole, hashed(self.released.before))]

    def _holders(self, codes: Labels, n: Labels) -> Labels:
        """(n_gone,) the released class with the cheapest further blanks and at least as many records; -1: none."""
        holders = np.full(n.size, -1, dtype=np.int64)
        for pattern in self.patterns:
            left = np.flatnonzero(holders < 0)
            at = _places(self.classes.keys, hashed(np.where(pattern, 0, codes[left])))
            found = (at >= 0) & (self.classes.sizes[at] >= n[left])
            holders[left[found]] = at[found]
        return holders


@dataclass(frozen=True)
class Gone:
    keys: Keys  # (n_gone,)
    n: Labels  # (n_gone,) records
    holders: Labels  # (n_gone,) the released class assumed to contain them


@dataclass(frozen=True)
class AbsentClassCounts:
    """Classes: parts that are equal as released."""

    keys: Keys  # (n_classes,) sorted
    first: Labels  # (n_classes,) one part of each
    sizes: Labels  # (n_classes,) records
    records: Labels  # (n_records,) the part of every record, class by class

    @classmethod
    def of(cls, shown: SuppressedParts) -> AbsentClassCounts:
        keys, first, labels = np.unique(hashed(shown.after), return_index=True, return_inverse=True)
        sizes = np.bincount(labels, weights=shown.n, minlength=keys.size).astype(np.int64)
        by_class = np.argsort(labels, kind="stable")
        return cls(keys, first, sizes, np.repeat(by_class, shown.n[by_class]))

    def members(self, which: Labels) -> tuple[Labels, Labels]:
        """For each class in ``which``, in turn: its index there, and the parts of its records."""
        lengths, starts = self.sizes[which], np.cumsum(self.sizes) - self.sizes
        owner = np.repeat(np.arange(which.size), lengths)
        inside = np.arange(owner.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return owner, self.records[starts[which][owner] + inside]


def hashed(codes: Labels) -> Keys:
    """(n,) 64-bit hash of every row: different rows collide with a chance of 2^-64."""
    factors = np.random.default_rng(0).integers(0, 2**63, codes.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = codes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * factors  # a code of 0 stays 0, whatever the column
    return np.asarray(mixed.sum(axis=1, dtype=np.uint64))


def _places(keys: Keys, wanted: Keys) -> Labels:
    """(n_wanted,) index of each in ``keys``, which are distinct and in any order; -1: not found."""
    if not keys.size:
        return np.full(wanted.size, -1, dtype=np.int64)
    by_key = np.argsort(keys)
    at = np.minimum(np.searchsorted(keys, wanted, sorter=by_key), keys.size - 1)
    return np.where(keys[by_key[at]] == wanted, by_key[at], -1)
