"""Sets of keys that single records out, and the special uniques that follow from them.

A set singles a record out if no other unit has its values on these keys. It is a minimal sample unique (Elliot, Manning
& Ford 2002) if no smaller part of it does. Every set is counted once, and only among the records that no smaller part
of it singles out: the others share their values on that part with nobody, so they change no count. What is found among
the rest are the minimal sample uniques of the set.

The work is bounded: of many keys sets of a few are counted, and of very many only those with the most values are
combined. What that hides is counted, too: a record has a minimal sample unique if and only if all keys single it out.
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

FEW_KEYS = 3  # sets of up to three keys are listed, and counted of however many keys the work allows
MOST_WORK = 400_000_000  # rows times sets: a million records of thirteen keys in threes, 97,000 of twelve in all sets
MOST_SETS = 20_000  # of more than three keys

Mask = NDArray[np.bool_]  # (n_rows,)


@dataclass(frozen=True)
class UniqueSet:
    """A set of keys and what it singles out.

    keys       one or several
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
    by_row: Labels  # (n_rows, largest) minimal sample uniques of one, two, ... of the combined keys
    by_key: Labels  # (n_combined, largest) records of the minimal sample uniques that a key is part of

    @property
    def largest(self) -> int:
        """Keys of the largest sets that were counted."""
        return int(self.by_row.shape[1])


def unique_sets(table: KeyTable) -> UniqueSets:
    """Counts every set of the keys, worst first; on ties the smaller set, then the order of the keys."""
    combined = _combined_keys(table)
    largest = _largest(len(table), len(combined))
    counter = _SetCounter(table, largest)
    chosen = [keys for size in range(1, largest + 1) for keys in combinations(combined, size)]
    single = [(key,) for key in range(len(table.names)) if key not in combined]
    with progress.stage("counting sets of keys", len(chosen) + len(single)) as at:
        found = list(_counted(counter, [*chosen, *single], at))
    by_key = np.zeros((len(combined), largest), dtype=np.int64)
    for keys, unique in zip(chosen, found, strict=False):
        by_key[np.searchsorted(combined, keys), len(keys) - 1] += unique.n_minimal
    ranked = sorted(found, key=lambda each: (-each.n_records, len(each.keys)))
    return UniqueSets(combined, tuple(ranked), counter.by_row, by_key)


def _counted(counter: _SetCounter, chosen: Sequence[tuple[int, ...]], at: progress.Advance) -> Iterator[UniqueSet]:
    for done, keys in enumerate(chosen, 1):
        yield counter.count(keys)
        at(done)


def _combined_keys(table: KeyTable) -> tuple[int, ...]:
    """Positions of the keys with the most values, as many as the work allows in threes; on ties the first ones."""
    n_keys = len(table.names)
    n_combined = max(q for q in range(n_keys + 1) if q <= 1 or len(table) * _n_sets(q, FEW_KEYS) <= MOST_WORK)
    ranked = sorted(range(n_keys), key=lambda key: -table.columns[key].n_values)
    return tuple(sorted(ranked[:n_combined]))


def _largest(n_rows: int, n_combined: int) -> int:
    """Keys of the largest sets that the work allows: of all of them, if it does."""
    few = min(FEW_KEYS, n_combined)
    most = min(MOST_SETS, MOST_WORK // max(n_rows, 1))
    return max([few, *(size for size in range(few, n_combined + 1) if _n_sets(n_combined, size) <= most)])


def _n_sets(n_keys: int, largest: int) -> int:
    return sum(comb(n_keys, size) for size in range(1, largest + 1))


class _SetCounter:
    """Counts sets of keys, the smaller ones first, and keeps which rows each of them singles out."""

    def __init__(self, table: KeyTable, largest: int) -> None:
        n_codes = np.array([column.n_values + 1 for column in table.columns], dtype=np.int64)
        self.table = table
        self.unique_rows = kernels.UniqueRows(np.stack(table.codes), n_codes, table.units)
        self.may_be_alone = table.n_units == 1
        self.by_row = np.zeros((len(table), largest), dtype=np.int64)
        self._singled: dict[tuple[int, ...], NDArray[np.uint8]] = {}  # one bit per row; not of the largest sets

    def count(self, keys: tuple[int, ...]) -> UniqueSet:
        before = self._by_parts(keys)
        found = self.unique_rows.find(np.array(keys), before)
        minimal = found[self.may_be_alone[found]]
        n_before, n_minimal = int(self.table.n[before].sum()), int(self.table.n[minimal].sum())
        self.by_row[minimal, len(keys) - 1] += 1
        if len(keys) < self.by_row.shape[1]:
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
    return {each.keys: 100 * each.n_records / n_records for each in sets if len(each.keys) <= 2}
