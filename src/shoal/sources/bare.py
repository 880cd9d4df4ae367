"""Removal of everything that a table carries besides its cells, before it is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.sources.compute import Column


def bare(table: pa.Table) -> pa.Table:
    """The same cells in a new table, without metadata of the table and its fields, and without categories within nested
    cells."""
    columns = [_bare_column(column) for column in table.columns]
    fields = [pa.field(name, column.type) for name, column in zip(table.column_names, columns, strict=True)]
    return pa.table(columns, schema=pa.schema(fields))


def without_hidden_cells(table: pa.Table) -> pa.Table:
    """Clears the bytes under missing cells, where Arrow may keep former values."""
    if not any(column.null_count or pa.types.is_nested(column.type) for column in table.columns):
        return table
    return pa.table([_shown(column) for column in table.columns], schema=table.schema)


def _shown(column: Column) -> Column:
    if pa.types.is_nested(column.type):
        return pa.chunked_array([pa.array(column.to_pylist(), column.type)])
    if not column.null_count:
        return column
    is_valid: Any = column.is_valid().to_numpy()
    places = pa.array(np.cumsum(is_valid) - 1, mask=~is_valid)  # takes nothing where the position is missing
    return column.drop_null().combine_chunks().take(places)


def _bare_column(column: Column) -> Column:
    wanted = _bare_type(column.type) if pa.types.is_nested(column.type) else column.type
    return column if wanted is column.type else column.cast(wanted)


def _bare_type(kind: Any) -> Any:
    """The type without the metadata of its own fields, and without categories."""
    if pa.types.is_struct(kind):
        return pa.struct([_bare_field(kind.field(at)) for at in range(kind.num_fields)])
    if pa.types.is_map(kind):
        return pa.map_(_bare_type(kind.key_type), _bare_type(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(_bare_field(kind.value_field))
    if pa.types.is_large_list(kind):
        return pa.large_list(_bare_field(kind.value_field))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_bare_field(kind.value_field), kind.list_size)
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _bare_field(field: Any) -> Any:
    return pa.field(field.name, _bare_type(field.type), field.nullable)
