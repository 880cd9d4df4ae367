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
    NOBODY,
    Accusations,
    Fails,
    cross_tabulate,
    deal_portions,
    failing_parts,
    number_within_groups,
    tally_of_deals,
)
from shoal.assessment.risk.positions import positions_of
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
    without_sensitive: SuppressedParts  # blanked without the requirements on sensitive values
    released: SuppressedParts
    patterns: Cells  # (n_patterns, n_columns) sets of columns, from cheap to expensive
    fails: Fails  # on parts of the release
    values: Mapping[str, Labels]  # column -> (n_parts,) sensitive values of the parts of the release; -1: missing

    @cached_property
    def classes(self) -> PartClasses:
        return PartClasses.of(self.released)

    @cached_property
    def classes_without_sensitive(self) -> PartClasses:
        return PartClasses.of(self.without_sensitive)

    @cached_property
    def missing(self) -> Labels:
        """Classes of ``without_sensitive`` that are not in the release."""
        return np.flatnonzero(~np.isin(self.classes_without_sensitive.keys, self.classes.keys))

    @cached_property
    def absent(self) -> AbsentClasses:
        """The missing classes whose records can be assumed somewhere in the release; a sample where they are many."""
        baseline = self.classes_without_sensitive
        chosen = self.missing[:: -(-self.missing.size // MOST_GROUPS) or 1]
        codes, n = self.without_sensitive.after[baseline.first[chosen]], baseline.sizes[chosen]
        holders = self._holders(codes, n)
        sizes = self.classes.sizes[holders]
        is_usable = (holders >= 0) & (sizes <= MOST_RECORDS)
        is_usable[is_usable] = np.cumsum(sizes[is_usable]) <= MOST_RECORDS
        return AbsentClasses(baseline.keys[chosen][is_usable], n[is_usable], holders[is_usable])

    def accusations(self, name: str, seed: int) -> Accusations | None:
        """Accusations of records whose class is not in the release; None where no such class can be examined."""
        absent, values = self.absent, self.values[name]
        if not absent.n.size:
            return None if self.missing.size else NOBODY
        class_numbers, parts = self.classes.members(absent.holders)
        value_numbers = number_within_groups(class_numbers, values[parts])
        shape = absent.n.size, int(value_numbers.max()) + 1
        classes, tally = cross_tabulate(class_numbers, value_numbers, shape), np.zeros(shape)
        baseline = classes.max(axis=1, initial=0) / np.maximum(classes.sum(axis=1), 1)
        is_dealt = (
            np.arange(class_numbers.size) - np.searchsorted(class_numbers, class_numbers) < absent.n[class_numbers]
        )
        generator = np.random.default_rng(seed)
        dealt_to = class_numbers[is_dealt]
        for n_deals in deal_portions(max(class_numbers.size, tally.size)):
            chosen_records = np.argsort(class_numbers + generator.random((n_deals, class_numbers.size)))[:, is_dealt]
            failing = failing_parts(self.fails, parts[chosen_records], dealt_to)
            tally += tally_of_deals(dealt_to, value_numbers[chosen_records], shape, failing)
        shares = tally / np.maximum(tally.sum(axis=1, keepdims=True), 1)
        guesses, is_best = np.full(absent.n.size, -1), value_numbers == shares.argmax(axis=1)[class_numbers]
        guesses[class_numbers[is_best]] = values[parts[is_best]]
        return self._tally_accusations(np.where(shares.max(axis=1) > baseline + MARGIN, guesses, -1), baseline, values)

    def _tally_accusations(self, guesses: Labels, baseline: NDArray[np.float64], values: Labels) -> Accusations:
        """``guesses``: (n_gone,) the value that the records of each class are accused of; -1: none."""
        persons = self._persons  # (n_parts,)
        accused = (persons >= 0) & (values >= 0)
        accused[accused] = guesses[persons[accused]] >= 0
        of = persons[accused]
        return Accusations.of(of, guesses[of] == values[accused], baseline[of], self.released.n[accused])

    @cached_property
    def _persons(self) -> Labels:
        """(n_parts,) the class of ``absent`` that contains all records with these quasi-identifiers; -1: none."""
        rows, at, n_rows = np.unique(row_hashes(self.without_sensitive.before), return_index=True, return_counts=True)
        released_keys = row_hashes(self.without_sensitive.after)[at]
        class_of_row = np.where(n_rows == 1, positions_of(self.absent.keys, released_keys), -1)
        return class_of_row[positions_of(rows, row_hashes(self.released.before))]

    def _holders(self, codes: Labels, n: Labels) -> Labels:
        """(n_gone,) the released class with the cheapest further blanks and at least as many records; -1: none."""
        holders = np.full(n.size, -1, dtype=np.int64)
        for pattern in self.patterns:
            unassigned = np.flatnonzero(holders < 0)
            at = positions_of(self.classes.keys, row_hashes(np.where(pattern, 0, codes[unassigned])))
            found = (at >= 0) & (self.classes.sizes[at] >= n[unassigned])
            holders[unassigned[found]] = at[found]
        return holders


@dataclass(frozen=True)
class AbsentClasses:
    keys: Keys  # (n_gone,)
    n: Labels  # (n_gone,) records
    holders: Labels  # (n_gone,) the released class assumed to contain them


@dataclass(frozen=True)
class PartClasses:
    """Classes: parts that are equal as released."""

    keys: Keys  # (n_classes,) sorted
    first: Labels  # (n_classes,) one part of each
    sizes: Labels  # (n_classes,) records
    records: Labels  # (n_records,) the part of every record, class by class

    @classmethod
    def of(cls, parts: SuppressedParts) -> PartClasses:
        keys, first, labels = np.unique(row_hashes(parts.after), return_index=True, return_inverse=True)
        sizes = np.bincount(labels, weights=parts.n, minlength=keys.size).astype(np.int64)
        by_class = np.argsort(labels, kind="stable")
        return cls(keys, first, sizes, np.repeat(by_class, parts.n[by_class]))

    def members(self, which: Labels) -> tuple[Labels, Labels]:
        """For each class in ``which``, in turn: its index there, and the parts of its records."""
        lengths, starts = self.sizes[which], np.cumsum(self.sizes) - self.sizes
        class_numbers = np.repeat(np.arange(which.size), lengths)
        offsets = np.arange(class_numbers.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return class_numbers, self.records[starts[which][class_numbers] + offsets]


def row_hashes(codes: Labels) -> Keys:
    """(n,) 64-bit hash of every row: different rows collide with a chance of 2^-64."""
    factors = np.random.default_rng(0).integers(0, 2**63, codes.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = codes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * factors  # a code of 0 stays 0, whatever the column
    return np.asarray(mixed.sum(axis=1, dtype=np.uint64))
