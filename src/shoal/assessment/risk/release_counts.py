"""A release as an intruder counts it: its columns, the classes that an intruder can find, and records by columns.

The counts come from an engine or from a table in memory, in pieces that never divide a class, so that one attack runs
on every release."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.determined_cells import Counts
from shoal.encode.class_numbers import value_numbers
from shoal.encode.combination_counts import count_encoded, dictionary_encoded
from shoal.encode.count_table import CountTable
from shoal.kernels import Ints, Labels
from shoal.schema import Schema


@dataclass(frozen=True)
class ReleaseCounts:
    """
    counts      records by columns: those of classes, then others; records equal on the first are in one piece
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
    """

    counts: Counts
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

    @property
    def has_classes(self) -> bool:
        """Whether equal cells form a class that an intruder can find: not where they are perturbed and nothing else."""
        return self.k is not None or not any(name in self.perturbed for names in self.key_sets for name in names)

    @property
    def k_anonymous_sets(self) -> tuple[tuple[str, ...], ...]:
        """The key sets whose values at least k persons share."""
        return tuple(names for names in self.key_sets if names not in self.unproven) if self.k else ()

    def persons_by(self, names: Sequence[str]) -> Iterator[tuple[Ints, Ints]]:
        """Records and persons of every class that is equal on ``names``, piece by piece; a person is a unit, where
        there are units, otherwise a record."""
        for piece in self.counts(names, [self.unit] if self.unit else []):
            if self.unit is None:
                yield piece.n, piece.n
            else:
                yield class_sizes_in_units(piece.class_numbers(names), value_numbers(piece[self.unit]), piece.n)


def class_sizes_in_units(classes: Labels, units: Ints, n: Ints) -> tuple[Ints, Ints]:
    """Records and units of every class, 0, 1, ...; records without a unit (-1) count one by one. ``n``: records of
    every row; class and unit together are those of no other row."""
    n_classes = int(classes.max(initial=-1)) + 1
    known = units >= 0
    n_units = np.bincount(classes[known], minlength=n_classes)
    n_alone = np.bincount(classes[~known], n[~known], minlength=n_classes)
    return np.bincount(classes, n, minlength=n_classes).astype(np.int64), (n_units + n_alone).astype(np.int64)


def counts_of_table(table: pa.Table) -> Counts:
    """The counts of a table in memory, in one piece; the codes of every column that is asked for are kept."""

    @cache
    def encoded(name: str) -> Any:
        return dictionary_encoded(table[name])

    def counts(columns: Sequence[str], values: Sequence[str]) -> Iterator[CountTable]:
        yield count_encoded({name: encoded(name) for name in (*columns, *values)})

    return counts
