"""Anatomy: quasi-identifiers as they are and sensitive values in two tables, tied by the number of a group alone.

table, schema, Partition -> Anatomy

Xiao & Tao (2006), Anatomy: simple and effective privacy preservation, VLDB.

The first table has all columns that are not sensitive, and the number of the group; the second says how many records
of the group have which sensitive values. Where there are several sensitive columns it counts their combinations.
Numbers of groups are given at random and the second table is sorted by them, so that neither tells an order.
Who is in the table can be seen: anatomy hides what a person has, not that the person is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from shoal.errors import ArrayError, PolicyError, TableError
from shoal.plan import Partition
from shoal.release.chance import Chance
from shoal.schema import Schema

GROUP, COUNT = "group", "count"


@dataclass(frozen=True)
class Anatomy:
    """Two tables that belong together."""

    records: pa.Table  # a row for every record: its columns that are not sensitive, and its group
    sensitive: pa.Table  # a row for every combination of sensitive values in a group: group, values, count


def anatomize(table: pa.Table, schema: Schema, partition: Partition, chance: Chance) -> Anatomy:
    """The two tables of records that are otherwise ready for release: identifiers are gone, households renumbered."""
    if len(table) != partition.n_records:
        raise ArrayError.other_length(partition.n_records, len(table))
    if not schema.sensitive:
        raise PolicyError.nothing_sensitive("anatomy")
    for name in (GROUP, COUNT):
        if name in table.column_names:
            raise TableError.name_taken(name, "anatomy")
    numbers = 1 + chance.for_purpose("group").permutation(partition.n_groups)
    numbered = table.append_column(GROUP, pa.array(numbers[partition.labels], pa.int64()))
    return Anatomy(numbered.drop_columns(list(schema.sensitive)), _counted(numbered, [GROUP, *schema.sensitive]))


def _counted(table: pa.Table, names: list[str]) -> pa.Table:
    """Sorted, and without the categories that a column may bring along."""
    plain = pa.table({name: _plain(table[name]) for name in names})
    counts = plain.group_by(names, use_threads=False).aggregate([([], "count_all")]).rename_columns([*names, COUNT])
    return counts.sort_by([(name, "ascending") for name in names])


def _plain(cells: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    return cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
