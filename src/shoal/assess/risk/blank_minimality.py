"""Minimality of blanks: what cells that were blanked for sensitive values tell somebody who blanks them anew.

The intruder knows the quasi-identifiers of everybody, the policy and the release, and blanks cells without what is
asked of sensitive values. A class that they get and the release does not show must have failed, so that its records
share values. They look for it in the class that has the cheapest further blanks, deal the values of that one to its
records, keep the deals in which the class that is gone fails, and accuse its records where one value has become
likelier than the class says. Who has the quasi-identifiers of records that were parted is accused of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.assess.risk.minimality import (
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
class Shown:
    """Records that are alike and blanked alike, as codes of their quasi-identifiers; 0: missing or blanked."""

    before: Labels  # (n_parts, n_columns)
    after: Labels  # (n_parts, n_columns)
    n: Labels  # (n_parts,) records


@dataclass(frozen=True)
class BlankReplay:
    alone: Shown  # blanked without what is asked of sensitive values
    released: Shown
    patterns: Cells  # (n_patterns, n_columns) sets of columns, from cheap to expensive
    fails: Fails  # of parts of the release
    values: Mapping[str, Labels]  # column -> (n_parts,) sensitive values of the parts of the release; -1: missing

    @cached_property
    def classes(self) -> Classes:
        return Classes.of(self.released)

    @cached_property
    def gone(self) -> Gone:
        """Classes that the release does not show, of at most so many."""
        own = Classes.of(self.alone)
        missing = np.flatnonzero(~np.isin(own.keys, self.classes.keys))
        chosen = missing[:: -(-missing.size // MOST_GROUPS) or 1]
        codes, n = self.alone.after[own.first[chosen]], own.sizes[chosen]
        holders = self._holders(codes, n)
        sizes = self.classes.sizes[holders]
        fit = (holders >= 0) & (sizes <= MOST_RECORDS)
        fit[fit] = np.cumsum(sizes[fit]) <= MOST_RECORDS
        return Gone(own.keys[chosen][fit], n[fit], holders[fit])

    def accusations(self, name: str, seed: int) -> Accusations:
        """Of records whose class is gone."""
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
        """``guesses``: (n_gone,) of the records of each; -1: none."""
        persons = self._persons  # (n_parts,)
        accused = (persons >= 0) & (values >= 0)
        accused[accused] = guesses[persons[accused]] >= 0
        n, of = self.released.n[accused], persons[accused]
        n_right = int(n[guesses[of] == values[accused]].sum())
        mean = float(np.average(own[of], weights=n)) if of.size else 0.0
        return Accusations(n_right, int(n.sum()), mean, np.unique(of).size)

    @cached_property
    def _persons(self) -> Labels:
        """(n_parts,) the class that is gone in which k alone leaves all who have these quasi-identifiers; -1: none."""
        whole, at, times = np.unique(hashed(self.alone.before), return_index=True, return_counts=True)
        ends = hashed(self.alone.after)[at]
        home = np.where(times == 1, _places(self.gone.keys, ends), -1)
        return home[_places(whole, hashed(self.released.before))]

    def _holders(self, codes: Labels, n: Labels) -> Labels:
        """(n_gone,) the class with the cheapest further blanks that has as many records; -1: none."""
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
    holders: Labels  # (n_gone,) the class of the release that is taken to hold them


@dataclass(frozen=True)
class Classes:
    """Parts that are written alike."""

    keys: Keys  # (n_classes,) sorted
    first: Labels  # (n_classes,) a part of each
    sizes: Labels  # (n_classes,) records
    records: Labels  # (n_records,) their parts, class by class

    @classmethod
    def of(cls, shown: Shown) -> Classes:
        keys, first, labels = np.unique(hashed(shown.after), return_index=True, return_inverse=True)
        sizes = np.bincount(labels, weights=shown.n, minlength=keys.size).astype(np.int64)
        by_class = np.argsort(labels, kind="stable")
        return cls(keys, first, sizes, np.repeat(by_class, shown.n[by_class]))

    def members(self, which: Labels) -> tuple[Labels, Labels]:
        """Of each of ``which``, one after the other: its place there, and the parts of its records."""
        lengths, starts = self.sizes[which], np.cumsum(self.sizes) - self.sizes
        owner = np.repeat(np.arange(which.size), lengths)
        inside = np.arange(owner.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return owner, self.records[starts[which][owner] + inside]


def hashed(codes: Labels) -> Keys:
    """(n,) 64 bits for every row: different ones meet once in 2^64."""
    factors = np.random.default_rng(0).integers(0, 2**63, codes.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = codes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * factors  # a code of 0 stays 0, whatever the column
    return np.asarray(mixed.sum(axis=1, dtype=np.uint64))


def _places(keys: Keys, wanted: Keys) -> Labels:
    """(n_wanted,) where each stands among any ``keys``, no two of which are equal; -1: nowhere."""
    if not keys.size:
        return np.full(wanted.size, -1, dtype=np.int64)
    by_key = np.argsort(keys)
    at = np.minimum(np.searchsorted(keys, wanted, sorter=by_key), keys.size - 1)
    return np.where(keys[by_key[at]] == wanted, by_key[at], -1)
