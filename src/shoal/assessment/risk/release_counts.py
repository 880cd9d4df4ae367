"""A release as an intruder counts it: its columns, the classes that an intruder can find, and records by columns.

The counts come from an engine or from a table in memory. What is counted of classes adds up over parts that never
divide a class, so that one attack runs on every release, and no process lists all classes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from shoal.encode.class_numbers import value_numbers
from shoal.encode.combination_counts import count_encoded, dictionary_encoded
from shoal.encode.count_table import CountTable
from shoal.kernels import Ints, Labels
from shoal.schema import Schema
from shoal.total import P


class CountedRecords(Protocol):
    """Released records that are counted by columns."""

    def class_total(self, columns: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P], /) -> P:
        """As of ``TotalOfClasses``."""
        ...

    def group_counts(self, by: Sequence[str], /) -> pa.Table:
        """A row per combination that occurs, last its number of records: all of them in memory."""
        ...


@dataclass(frozen=True)
class ReleaseCounts:
    """
    records     released, which are counted by their columns
    schema      of the columns that an intruder may know or want to know
    key_sets    sets of quasi-identifiers that an intruder knows together; of an anatomy, the column of its groups
    n_records   released
    k           persons of a class at least, as the policy requires; None: it requires none
    outside     columns released as they are
    unit        the column with the unit of a record, where several records may be of one
    wildcards   a missing cell may be any value, so that classes overlap
    perturbed   columns whose released values were drawn at random
    units_are_persons  all records of a unit are of one person, as the stays of a patient are; not so in a household
    unproven    key sets whose classes need not have k persons, since the policy requires fewer or something else
    forms_classes  a method made records alike, so that equal cells form a class although no k is required
    """

    records: CountedRecords
    schema: Schema
    key_sets: tuple[tuple[str, ...], ...]
    n_records: int
    k: int | None = None
    outside: tuple[str, ...] = ()
    unit: str | None = None
    wildcards: bool = False
    perturbed: Collection[str] = ()
    units_are_persons: bool = False
    unproven: Collection[tuple[str, ...]] = ()
    forms_classes: bool = False

    @property
    def has_classes(self) -> bool:
        """Whether equal cells form a class that an intruder can find: not where they are perturbed and nothing else."""
        is_formed = self.forms_classes or self.k is not None
        return is_formed or not any(name in self.perturbed for names in self.key_sets for name in names)

    @property
    def k_anonymous_sets(self) -> tuple[tuple[str, ...], ...]:
        """The key sets whose values at least k persons share."""
        return tuple(names for names in self.key_sets if names not in self.unproven) if self.k else ()

    def small_classes(self, names: Sequence[str], k: int) -> SmallClasses:
        """Of the classes that are equal on ``names``. A person is a unit, where there are units, otherwise a record."""
        values = [self.unit] if self.unit else []
        return self.records.class_total(names, values, partial(SmallClasses.of_counts, tuple(names), self.unit, k))


@dataclass(frozen=True)
class SmallClasses:
    n_unique: int  # records in classes of one person
    n_below_k: int  # records in classes of fewer than k persons

    @classmethod
    def of(cls, n_records: Ints, n_persons: Ints, k: int) -> SmallClasses:
        """From the records and persons of every class; a person with several equal records is alone with them."""
        return cls(int(n_records[n_persons == 1].sum()), int(n_records[n_persons < k].sum()))

    @classmethod
    def of_counts(cls, names: Sequence[str], unit: str | None, k: int, table: pa.Table) -> SmallClasses:
        counts = CountTable.of(table)
        if unit is None:
            return cls.of(counts.n, counts.n, k)
        sizes = class_sizes_in_units(counts.class_numbers(names), value_numbers(counts[unit]), counts.n)
        return cls.of(*sizes, k)

    def __add__(self, other: SmallClasses) -> SmallClasses:
        """The classes are different ones."""
        return SmallClasses(self.n_unique + other.n_unique, self.n_below_k + other.n_below_k)


def class_sizes_in_units(classes: Labels, units: Ints, n: Ints) -> tuple[Ints, Ints]:
    """Records and units of every class, 0, 1, ...; records without a unit (-1) count one by one. ``n``: records of
    every row; class and unit together are those of no other row."""
    n_classes = int(classes.max(initial=-1)) + 1
    known = units >= 0
    n_units = np.bincount(classes[known], minlength=n_classes)
    n_alone = np.bincount(classes[~known], n[~known], minlength=n_classes)
    return np.bincount(classes, n, minlength=n_classes).astype(np.int64), (n_units + n_alone).astype(np.int64)


@dataclass(frozen=True, eq=False)
class RecordsInMemory:
    """The records of a table; the codes of every column that is asked for are kept."""

    table: pa.Table

    @cached_property
    def encoded(self) -> Callable[[str], Any]:
        return cache(lambda name: dictionary_encoded(self.table[name]))

    def class_total(self, columns: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P], /) -> P:
        return of(self.group_counts([*columns, *values]))

    def group_counts(self, by: Sequence[str], /) -> pa.Table:
        return count_encoded({name: self.encoded(name) for name in by}).to_table()
