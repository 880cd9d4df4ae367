"""Anatomy: quasi-identifiers as they are and sensitive values in two tables, tied by the number of a group alone.

groups of records -> two tables

Xiao & Tao (2006), Anatomy: simple and effective privacy preservation, VLDB.

The first table has all columns that are not sensitive, and the number of the group; the second says how many records
of the group have which sensitive values. Where there are several sensitive columns it counts their combinations.
Numbers of groups are given at random and the second table is sorted by them, so that neither tells an order.
Who is in the table can be seen: anatomy hides what a person has, not that the person is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.chance import Chance
from shoal.encode.classes import classes
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError, TableError
from shoal.kernels import Labels
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT

GROUP, COUNT = "group", "count"


@dataclass(frozen=True)
class Anatomy:
    """Every group has a number; records come piece by piece, ready for release but for this."""

    schema: Schema
    groups: Labels  # ascending
    numbers: Labels  # (n_groups,) what is told of them

    @classmethod
    def of(cls, schema: Schema, groups: Labels, chance: Chance) -> Anatomy:
        if not schema.sensitive:
            raise PolicyError.nothing_sensitive("anatomy")
        for name in (GROUP, COUNT):
            if name in schema:
                raise TableError.name_taken(name, "anatomy")
        return cls(schema, groups, 1 + chance.for_purpose("group").permutation(len(groups)))

    def tied(self, records: pa.Table, groups: Labels) -> pa.Table:
        """The records with the number of their group."""
        numbers = self.numbers[np.searchsorted(self.groups, groups)]
        return records.append_column(GROUP, pa.array(numbers, pa.int64()))

    def records(self, tied: pa.Table) -> pa.Table:
        """Of the first table."""
        return tied.drop_columns(list(self.schema.sensitive))

    @property
    def counted(self) -> Sequence[str]:
        """What the second table counts by."""
        return (GROUP, *self.schema.sensitive)

    def sensitive(self, counts: CountTable) -> pa.Table:
        """The second table, from the combinations that occur; sorted, and without categories that nobody has."""
        columns: list[Any] = [_plain(counts[name]) for name in self.counted]
        told = pa.table([*columns, counts.n], names=[*self.counted, COUNT])
        return told.sort_by([(name, "ascending") for name in self.counted])

    def holders(self, counts: CountTable, sensitive: pa.Table) -> pa.Table:
        """Row of the second table, unit and n records, from the combinations that occur, with their unit."""
        names = list(self.counted)
        finer = pa.table([_plain(counts[name]) for name in names], names=names)
        alike = classes(pa.concat_tables([sensitive.select(names), finer]), names)
        row_of = np.empty(len(sensitive), dtype=np.int64)
        row_of[alike[: len(sensitive)]] = np.arange(len(sensitive))
        return pa.table({"row": row_of[alike[len(sensitive) :]], "unit": counts[UNIT], "n": counts.n})


def _plain(cells: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    return cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
