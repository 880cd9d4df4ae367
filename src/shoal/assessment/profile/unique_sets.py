"""Sets of one, two and three keys that single records out, and the special uniques that follow from them.

A set singles a record out if no other unit has its values on these keys. It is a minimal sample unique (Elliot, Manning
& Ford 2002) if no smaller part of it does. Every set is counted once, and only among the records that no smaller part
of it singles out: the others share their values on that part with nobody, so they change no count. What is found among
the rest are the minimal sample uniques of the set.

The work is bounded: of many keys only those with the most values are combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from shoal import kernels, progress
from shoal.assessment.profile.key_table import KeyTable
from shoal.kernels import Labels

LARGEST_SET = 3
MOST_WORK = 400_000_000  # rows times sets: a million records of thirteen keys

Mask = NDArray[np.bool_]  # (n_rows,)


@dataclass(frozen=True)
class UniqueSet:
    """A set of keys and what it singles out.

    keys       one, two or three
    n_records  records that it singles out
    n_minimal  those that no smaller part of it singles out
    """

    keys: tuple[str, ...]
    n_records: int
    n_minimal: int


@dataclass(frozen=True, eq=False)
class UniqueSets:
    """All sets of the keys that were combined, and the minimal sample uniques of every row."""

    combined: tuple[int, ...]  # positions of the keys that were combined, the others were counted one by one
    sets: tuple[UniqueSet, ...]  # those that single out most records first
    by_row: Labels  # (n_rows, 3) minimal sample uniques of one, two and three of the combined keys
    by_key: Labels  # (n_combined, 3) records of the minimal sample uniques that a key is part of


def unique_sets(table: KeyTable) -> UniqueSets:
    """Counts every set of up to three keys, worst first; on ties the smaller set, then the order of the keys."""
    combined = _combined_keys(table)
    counter = _SetCounter(table)
    sizes = range(1, min(LARGEST_SET, len(combined)) + 1)
    chosen = [keys for size in sizes for keys in combinations(combined, size)]
    single = [(key,) for key in range(len(table.names)) if key not in combined]
    with progress.stage("counting sets of keys", len(chosen) + len(single)) as at:
        found = list(_counted(counter, [*chosen, *single], at))
    by_key = np.zeros((len(combined), LARGEST_SET), dtype=np.int64)
    for keys, unique in zip(chosen, found, strict=False):
        by_key[np.searchsorted(combined, keys), len(keys) - 1] += unique.n_minimal
    ranked = sorted(found, key=lambda each: (-each.n_records, len(each.keys)))
    return UniqueSets(combined, tuple(ranked), counter.by_row, by_key)


def _counted(counter: _SetCounter, chosen: Sequence[tuple[int, ...]], at: progress.Advance) -> Iterator[UniqueSet]:
    for done, keys in enumerate(chosen, 1):
        yield counter.count(keys)
        at(done)


def _combined_keys(table: KeyTable) -> tuple[int, ...]:
    """Positions of the keys with the most values, as many as the work allows; on ties the first ones."""
    n_keys = len(table.names)
    sets = [sum(comb(q, size) for size in range(1, LARGEST_SET + 1)) for q in range(n_keys + 1)]
    n_combined = max(q for q in range(n_keys + 1) if q <= 1 or len(table) * sets[q] <= MOST_WORK)
    ranked = sorted(range(n_keys), key=lambda key: -table.columns[key].n_values)
    return tuple(sorted(ranked[:n_combined]))


class _SetCounter:
    """Counts sets of keys, the smaller ones first, and keeps which rows each of them singles out."""

    def __init__(self, table: KeyTable) -> None:
        n_codes = np.array([column.n_values + 1 for column in table.columns], dtype=np.int64)
        self.table = table
        self.unique_rows = kernels.UniqueRows(np.stack(table.codes), n_codes, table.units)
        self.may_be_alone = table.n_units == 1
        self.by_row = np.zeros((len(table), LARGEST_SET), dtype=np.int64)
        self._singled: dict[tuple[int, ...], NDArray[np.uint8]] = {}  # one bit per row; triples are not kept

    def count(self, keys: tuple[int, ...]) -> UniqueSet:
        before = self._by_parts(keys)
        found = self.unique_rows.find(np.array(keys), before)
        minimal = found[self.may_be_alone[found]]
        n_before, n_minimal = int(self.table.n[before].sum()), int(self.table.n[minimal].sum())
        self.by_row[minimal, len(keys) - 1] += 1
        if len(keys) < LARGEST_SET:
            before[minimal] = True
            self._singled[keys] = np.packbits(before)
        return UniqueSet(tuple(self.table.names[key] for key in keys), n_before + n_minimal, n_minimal)

    def _by_parts(self, keys: tuple[int, ...]) -> Mask:
        """Rows that a smaller part of the set singles out; the parts with one key less include all others."""
        if len(keys) == 1:
            return np.zeros(len(self.table), dtype=bool)
        parts = [self._singled[part] for part in combinations(keys, len(keys) - 1)]
        return np.unpackbits(np.bitwise_or.reduce(parts), count=len(self.table)).view(bool)


def pair_shares(sets: Sequence[UniqueSet], n_records: int) -> Mapping[tuple[str, ...], float]:
    """Percent of the records that each key and each pair singles out."""
    return {each.keys: 100 * each.n_records / n_records for each in sets if len(each.keys) < LARGEST_SET}
