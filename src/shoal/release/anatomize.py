"""Anatomy: unchanged quasi-identifiers and sensitive values in two tables, linked only by group numbers.

groups of records -> two tables

Xiao & Tao (2006), Anatomy: simple and effective privacy preservation, VLDB.

The first table has all columns that are not sensitive, and the group number; the second gives the number of records of
each group with each sensitive value, or with each combination where there are several sensitive columns. Groups are
numbered at random and the second table is sorted by these numbers, so that neither reveals the order of the records.
Membership is not hidden: anatomy protects the sensitive values of a person, not the presence of the person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.class_numbers import class_numbers
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, TableError
from shoal.kernels import Labels
from shoal.rng import Rng
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT

GROUP, COUNT = "group", "count"


@dataclass(frozen=True)
class Anatomy:
    """Numbers of the groups, with which otherwise finished records are divided into the two tables, chunk by chunk."""

    schema: Schema
    groups: Labels  # (n_groups,) ascending
    numbers: Labels  # (n_groups,) their released numbers

    @classmethod
    def of(cls, schema: Schema, groups: Labels, rng: Rng) -> Anatomy:
        if not schema.sensitive:
            raise PolicyError.nothing_sensitive("anatomy")
        for name in (GROUP, COUNT):
            if name in schema:
                raise TableError.name_taken(name, "anatomy")
        return cls(schema, groups, 1 + rng.for_purpose("group").permutation(len(groups)))

    def with_group_numbers(self, records: pa.Table, groups: Labels) -> pa.Table:
        """The records with the released number of their group."""
        numbers = self.numbers[np.searchsorted(self.groups, groups)]
        return records.append_column(GROUP, pa.array(numbers, pa.int64()))

    def records(self, numbered: pa.Table) -> pa.Table:
        """The records of the first table: without the sensitive columns."""
        return numbered.drop_columns(list(self.schema.sensitive))

    @property
    def counted_columns(self) -> Sequence[str]:
        """The columns whose combinations the second table counts."""
        return (GROUP, *self.schema.sensitive)

    def sensitive(self, counts: CountTable) -> pa.Table:
        """The second table, from the combinations that occur; sorted, and without unused categories."""
        columns: list[Any] = [_plain(counts[name]) for name in self.counted_columns]
        combinations = pa.table([*columns, counts.n], names=[*self.counted_columns, COUNT])
        return combinations.sort_by([(name, "ascending") for name in self.counted_columns])

    def holders(self, counts: CountTable, sensitive: pa.Table) -> pa.Table:
        """Row of the second table, unit and number of records, from counts of the combinations by unit."""
        names = list(self.counted_columns)
        finer = pa.table([_plain(counts[name]) for name in names], names=names)
        alike = class_numbers(pa.concat_tables([sensitive.select(names), finer]), names)
        row_of = np.empty(len(sensitive), dtype=np.int64)
        row_of[alike[: len(sensitive)]] = np.arange(len(sensitive))
        return pa.table({"row": row_of[alike[len(sensitive) :]], "unit": counts[UNIT], "n": counts.n})


def _plain(cells: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    return cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
