"""Partial knowledge: an intruder who knows one, two or three columns of a person, whichever single out most persons.

counts of a release -> the worst set of each size

The columns are the quasi-identifiers as released, and the columns released as they are. If the release is k-anonymous,
every set of quasi-identifiers is, too: a class by fewer columns is a union of classes. So only sets with another column
are of interest, or sets across key sets.

Of the columns with the most different values, ``MOST_COLUMNS`` at most, all sets are compared. Up to ``MOST_SEARCHED``
records these figures are exact. Of more records a random sample shows which sets single out most, and ``N_COUNTED`` of
every size are counted over all records: the figure is a count always, and only the choice of the set is from a sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.assessment.risk.attack import Attack, AttackSubject
from shoal.assessment.risk.release_counts import ReleaseCounts, SmallClasses
from shoal.encode.class_numbers import value_numbers
from shoal.errors import listed, plural
from shoal.findings import Finding, four_digits
from shoal.kernels import Ints
from shoal.kernels.combinations import combination_keys
from shoal.rng import sampled_places

NUMBERS = {1: "one column", 2: "two columns", 3: "three columns"}
UNIQUE_ON = "unique on"  # names of findings begin so
MOST_COLUMNS = 10
MOST_SEARCHED = 50_000  # records
N_COUNTED = 2  # sets of every size that are counted over all records, where these were chosen by a sample
DEFAULT_K = 3  # where the policy requires no k


@dataclass(frozen=True, order=True)
class KnownSet:
    """A set of columns; the greater one singles out more records."""

    n_unique: int  # records of a person who is alone
    n_below_k: int  # records of persons whom fewer than k share
    columns: tuple[str, ...]


def partial_knowledge(release: ReleaseCounts, records: pa.Table) -> tuple[Attack, ...]:
    """Attacks by the worst set of each size. ``records``: the released ones, or a sample of them."""
    if not release.n_records:
        return ()
    columns = _columns(release)
    searched = records.take(sampled_places(len(records), MOST_SEARCHED, "partial knowledge"))
    search = SetSearch.of(release, columns, searched)
    return tuple(_attack(release, size, search.worst(size), search) for size in NUMBERS)


def _columns(release: ReleaseCounts) -> list[str]:
    """Columns that an intruder may know; without perturbed ones and those in which a blank may be any value."""
    known = [
        name for name in release.schema.quasi_identifiers if not release.wildcards and name not in release.perturbed
    ]
    return [*known, *(name for name in release.outside if name not in known)]


@dataclass(frozen=True, eq=False)
class SetSearch:
    release: ReleaseCounts
    columns: tuple[str, ...]  # those with the most different values first
    numbers: dict[str, Ints]  # (n_searched,) the number of each record's value, by column
    units: Ints | None  # (n_searched,) the number of each record's unit
    n_searched: int

    @classmethod
    def of(cls, release: ReleaseCounts, columns: Sequence[str], searched: pa.Table) -> SetSearch:
        numbers = {name: value_numbers(searched[name]) for name in columns}
        ranked = sorted(columns, key=lambda name: -int(numbers[name].max(initial=-1)))[:MOST_COLUMNS]
        units = _unit_numbers(searched[release.unit]) if release.unit else None
        return cls(release, tuple(ranked), numbers, units, len(searched))

    @property
    def is_exact(self) -> bool:
        return self.n_searched == self.release.n_records

    @property
    def k(self) -> int:
        return self.release.k or DEFAULT_K

    def sets(self, size: int) -> Iterator[tuple[str, ...]]:
        """The sets of this size, without those that are k-anonymous since a key set is."""
        safe = [set(names) for names in self.release.k_anonymous_sets]
        return (names for names in combinations(self.columns, size) if not any(set(names) <= one for one in safe))

    def worst(self, size: int) -> KnownSet | None:
        """The set of this size that singles out most records; None where there is none."""
        found = sorted((self._searched(names) for names in self.sets(size)), reverse=True)
        if not found or self.is_exact:
            return found[0] if found else None
        return max(self._counted(one.columns) for one in found[:N_COUNTED])

    def _searched(self, names: tuple[str, ...]) -> KnownSet:
        keys = combination_keys([self.numbers[name] for name in names], self.n_searched)
        return _known_set(names, SmallClasses.of(*_class_sizes(keys, self.units), self.k))

    def _counted(self, names: tuple[str, ...]) -> KnownSet:
        return _known_set(names, self.release.small_classes(names, self.k))


def _known_set(names: tuple[str, ...], classes: SmallClasses) -> KnownSet:
    return KnownSet(classes.n_unique, classes.n_below_k, names)


def _unit_numbers(cells: pa.ChunkedArray[Any]) -> Ints:
    """(n_records,) a number for every unit; a record without a unit is one of its own."""
    numbers = value_numbers(cells)
    return np.where(numbers < 0, len(numbers) + np.arange(len(numbers)), numbers)


def _class_sizes(keys: Ints, units: Ints | None) -> tuple[Ints, Ints]:
    """Records and persons of every class."""
    order = None if units is None else np.lexsort((units, keys))
    ordered = np.sort(keys) if order is None else keys[order]
    begins = _begins(ordered)
    starts = np.append(np.flatnonzero(begins), len(keys))
    n_records = starts[1:] - starts[:-1]
    if units is None:
        return n_records, n_records
    return n_records, np.add.reduceat(begins | _begins(units[order]), starts[:-1], dtype=np.int64)


def _begins(ordered: Ints) -> NDArray[np.bool_]:
    """(n,) whether the value is another than the one before; the first one is."""
    begins = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    return begins


def _attack(release: ReleaseCounts, size: int, worst: KnownSet | None, search: SetSearch) -> Attack:
    holds = f"{NUMBERS[size]} of a person in the file"
    subject: AttackSubject = "outside columns" if size == 1 else "partial knowledge"
    finding = _no_set(release, size) if worst is None else _worst_set(release, worst, search)
    return Attack(subject, "an acquaintance", holds, finding)


def _no_set(release: ReleaseCounts, size: int) -> Finding:
    """Nothing is left to compare: every set is k-anonymous, or there are not so many columns."""
    if release.k:
        reason = f"Every set of quasi-identifiers is shared by at least {release.k}"
    else:
        reason = f"There are fewer than {NUMBERS[size]}"
    others = ", and there is no other set with a column released as it is."
    return Finding(f"{UNIQUE_ON} {NUMBERS[size]}", 0.0, f"{reason}{others}", baseline=0, unit="%")


def _worst_set(release: ReleaseCounts, worst: KnownSet, search: SetSearch) -> Finding:
    size, n = len(worst.columns), release.n_records
    n_sets = sum(1 for _ in search.sets(size))
    chosen = "" if search.is_exact else f", chosen by {search.n_searched:,} records and counted over all"
    left_out = " Sets of quasi-identifiers alone are k-anonymous." if n_sets < comb(len(search.columns), size) else ""
    return Finding(
        f"{UNIQUE_ON} {NUMBERS[size]}",
        100 * worst.n_unique / n,
        f"Share of records that nobody else equals on {listed(worst.columns)}, the worst of {n_sets:,} "
        f"{plural(n_sets, 'set')}{chosen}; "
        f"{four_digits(100 * worst.n_below_k / n)} % are shared by fewer than {search.k} persons.{left_out}",
        baseline=0,
        unit="%",
    )
