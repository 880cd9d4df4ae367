"""Generalization: quasi-identifiers are replaced by the extents of their group, written as text.

Extents are intervals, nodes of a taxonomy or sets of values; on request their ends are added as columns.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from shoal.kernels import Labels
from shoal.plan import Extents
from shoal.release.grammar import bounds, write
from shoal.schema import Column, Schema

LEAST, GREATEST = "_min", "_max"


def generalize(
    table: pa.Table, schema: Schema, extents: Mapping[str, Extents], group_of: Labels, *, ends: bool
) -> pa.Table:
    """The generalized table. ``group_of``: (n_records,) the group of every record. ``ends``: adds a column for each end
    of numbers and dates."""
    for name, of_column in extents.items():
        which = of_column.of_group[group_of]
        table = table.set_column(table.column_names.index(name), name, write(of_column, schema[name]).take(which))
        if ends and has_ends(schema[name]):
            for end, values in zip(end_names(name), bounds(of_column, schema[name]), strict=True):
                table = table.append_column(end, values.take(which))
    return table


def has_ends(column: Column) -> bool:
    return column.role == "quasi_identifier" and column.kind in ("numeric", "date")


def end_names(name: str) -> tuple[str, str]:
    return name + LEAST, name + GREATEST
