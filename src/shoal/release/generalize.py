"""Every record gets the extents of its group: intervals, nodes, sets, as text; where asked, their ends as columns."""

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
    """``group_of``: (n_records,) the group of every record. ``ends``: numbers and dates get a column for each end."""
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
