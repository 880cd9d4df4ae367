"""Count tables: distinct combinations of the values of some columns, and the number of records with each.

Engines produce them; methods that partition the space of values, information loss, queries and requirements read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.class_numbers import value_numbers
from shoal.kernels import Ints, Labels
from shoal.kernels.combinations import distinct_combinations, number_combinations
from shoal.schema.helper_columns import COUNT


@dataclass(frozen=True, eq=False)
class CountTable:
    combinations: pa.Table  # (n_combinations, n_columns)
    n: Ints  # (n_combinations,) number of records with each; may be 0
    persons: Ints | None = None  # (n_combinations,) of a population; None: none is counted beside the records

    @classmethod
    def of(cls, table: pa.Table) -> Self:
        """From a table whose last column, of any name, is the number of records with each combination."""
        *columns, n = table.columns
        *names, _ = table.column_names
        return cls(pa.table(columns, names=names), n.to_numpy().astype(np.int64))

    @classmethod
    def concat(cls, tables: Iterable[CountTable]) -> Self:
        """Concatenates the tables; combinations that occur in several of them are not summed."""
        every = list(tables)
        combinations = pa.concat_tables([each.combinations for each in every], promote_options="permissive")
        persons = None
        if any(each.persons is not None for each in every):
            persons = np.concatenate(
                [np.zeros_like(each.n) if each.persons is None else each.persons for each in every]
            )
        return cls(combinations, np.concatenate([each.n for each in every]), persons)

    def __add__(self, other: CountTable) -> Self:
        """The combinations of both, which have none in common."""
        return self.concat([self, other])

    def __len__(self) -> int:
        return int(self.n.size)

    def __getitem__(self, name: str) -> pa.ChunkedArray[Any]:
        return self.combinations[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.combinations.column_names)

    @property
    def n_records(self) -> int:
        return int(self.n.sum())

    @property
    def values(self) -> pa.ChunkedArray[Any]:
        """The first column; in a table of one column, its values."""
        return self.combinations.column(0)

    @property
    def known(self) -> Self:
        """The combinations whose first column is not missing."""
        return self.only(self.values.is_valid().to_numpy())

    def only(self, rows: NDArray[np.bool_]) -> Self:
        """The combinations selected by a mask."""
        persons = None if self.persons is None else self.persons[rows]
        return type(self)(self.combinations.filter(pa.array(rows)), self.n[rows], persons)

    def by(self, names: Sequence[str]) -> Self:
        """The counts by fewer columns, summed over the others."""
        first, numbers = distinct_combinations(self._codes(names), len(self))
        n = np.zeros(first.size, dtype=np.int64)
        np.add.at(n, numbers, self.n)
        persons = None
        if self.persons is not None:
            persons = np.zeros_like(n)
            np.add.at(persons, numbers, self.persons)
        return type(self)(self.combinations.select(list(names)).take(first), n, persons)

    def without(self, names: Sequence[str]) -> Self:
        """Drops columns, each of which must have the same value in all combinations."""
        return type(self)(self.combinations.drop_columns(list(names)), self.n, self.persons)

    def with_population(self, population: CountTable) -> Self:
        """Besides the records the persons of a population: its combinations stand for no record."""
        persons = type(self)(population.combinations, np.zeros_like(population.n), population.n)
        return self.concat([self, persons])

    @property
    def of_records(self) -> Self:
        """Without the combinations that only stand for persons of a population."""
        return self if self.persons is None else replace(self.only((self.n > 0) | (self.persons == 0)), persons=None)

    def class_numbers(self, names: Sequence[str]) -> Labels:
        """(n_combinations,) the class of every combination on these columns, numbered 0, 1, ...; missing equals
        missing."""
        return number_combinations(self._codes(names), len(self))

    def to_table(self) -> pa.Table:
        """As engines return it: the last column is the number of records with each combination."""
        return self.combinations.append_column(COUNT, pa.array(self.n)) if self.names else pa.table({COUNT: self.n})

    def _codes(self, names: Sequence[str]) -> list[Ints]:
        return [value_numbers(self[name]) for name in names]
