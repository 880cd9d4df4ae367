"""The combinations of the keys that occur in an original, with their records, persons and units.

CountTable by keys, weight and unit -> KeyTable

A key is a column that an intruder may know; missing is a value of its own. Records without a unit are units of their
own, and so is every record of a table without units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa

from shoal import kernels
from shoal.encode.codes import Codes, to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import to_numbers
from shoal.kernels import Ints, Labels, Vector
from shoal.kernels.combinations import combination_keys, distinct_combinations, number_combinations


@dataclass(frozen=True, eq=False)
class KeyTable:
    """One row for every combination of keys and unit.

    names     the keys
    columns   the values of every key, as codes by row
    n         records of every row
    persons   persons of the population that a row stands for: the sum of its weights or, where a unit is a person, the
              smallest of them; None without weights: then the file is the population
    units     number of the unit; rows without a unit have numbers of their own
    n_units   units that a row stands for: 1, or its records where they have no unit
    has_units whether the table has a column of units
    units_are_persons  whether the records of a unit are of one person, as the stays of a patient are; otherwise, and
              in households, every record is a person
    """

    names: tuple[str, ...]
    columns: tuple[Codes, ...]
    n: Ints  # (n_rows,)
    persons: Vector | None  # (n_rows,)
    units: Labels  # (n_rows,)
    n_units: Ints  # (n_rows,)
    has_units: bool
    units_are_persons: bool

    @classmethod
    def of(
        cls,
        counts: CountTable,
        keys: Sequence[str],
        weight: str | None = None,
        unit: str | None = None,
        *,
        units_are_persons: bool = False,
    ) -> Self:
        """From the counts by keys, weight and unit. Weights must be numbers above zero."""
        columns = [to_codes(name, counts[name]) for name in keys]
        by_unit = [to_codes(unit, counts[unit]).codes] if unit else []
        weights = None if weight is None else to_numbers(weight, counts[weight]).values
        first, rows = distinct_combinations([*by_unit, *(column.codes for column in columns)], len(counts))
        n = np.bincount(rows, counts.n, first.size).astype(np.int64)
        units = by_unit[0][first] if unit else np.full(first.size, -1)
        alone = units < 0
        persons = None if weights is None else _sums(counts.n * weights, rows, first.size)
        if weights is not None and persons is not None and units_are_persons:
            persons = np.where(alone, persons, _least(weights, rows, first.size))
        return cls(
            tuple(keys),
            tuple(Codes(column.codes[first], column.values) for column in columns),
            n,
            persons,
            np.where(alone, units.max(initial=-1) + np.cumsum(alone), units),
            np.where(alone, n, 1),
            unit is not None,
            units_are_persons,
        )

    def __len__(self) -> int:
        return int(self.n.size)

    @property
    def n_records(self) -> int:
        return int(self.n.sum())

    @property
    def codes(self) -> list[Ints]:
        """(n_rows,) for every key, 0 for missing."""
        return [column.codes + 1 for column in self.columns]

    def value_counts(self, name: str) -> CountTable:
        """The values of a key, and the number of records with each; missing last."""
        column = self.columns[self.names.index(name)]
        n = np.bincount(np.where(column.codes < 0, column.n_values, column.codes), self.n, column.n_values + 1)
        cells = pa.concat_arrays([column.values, pa.nulls(1, column.values.type)])
        return CountTable(pa.table({name: cells}), n.astype(np.int64))

    def classes(self) -> KeyClasses:
        """Records, persons and units that share all keys."""
        numbers = number_combinations(self.codes, len(self))
        n_classes = int(numbers.max()) + 1
        n, n_units = (np.bincount(numbers, each, n_classes).astype(np.int64) for each in (self.n, self.n_units))
        n_persons = n_units if self.units_are_persons else n
        persons = n_persons.astype(np.float64) if self.persons is None else _sums(self.persons, numbers, n_classes)
        return KeyClasses(numbers, n, n_units, n_persons, np.maximum(persons, n_persons))

    def sizes(self, codes: Sequence[Ints]) -> tuple[Ints, Ints]:
        """(n_classes,) units, and records, of the classes on these columns of codes."""
        keys = combination_keys(codes, len(self))
        pairs = combination_keys([keys, self.units], len(self)) if self.has_units else keys
        order = np.argsort(pairs)
        starts = np.flatnonzero(_differs(keys[order]))
        n, n_units = self.n[order], self.n_units[order]
        if self.has_units:
            n_units = np.where(_differs(pairs[order]), n_units, 0)  # a unit with several rows in a class counts once
        return np.add.reduceat(n_units, starts), np.add.reduceat(n, starts)


@dataclass(frozen=True, eq=False)
class KeyClasses:
    """The equivalence classes on all keys."""

    of_row: Labels  # (n_rows,) the class of every row
    n: Ints  # (n_classes,) sample frequency: records
    n_units: Ints  # (n_classes,)
    n_persons: Ints  # (n_classes,) sample frequency in persons: records, or units where these are persons
    persons: Vector  # (n_classes,) population frequency, estimated by the weights; never below the sample frequency


def _sums(values: Vector, groups: Labels, n_groups: int) -> Vector:
    """(n_groups,) exact sums, equal for every order of the rows."""
    return kernels.group_sums(np.ascontiguousarray(values[:, None]), groups, n_groups)[:, 0]


def _least(values: Vector, groups: Labels, n_groups: int) -> Vector:
    """(n_groups,) smallest value of every group."""
    least = np.full(n_groups, np.inf)
    np.minimum.at(least, groups, values)
    return least


def _differs(values: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """(n,) whether a value differs from the one before."""
    return np.concatenate([[True], values[1:] != values[:-1]])
