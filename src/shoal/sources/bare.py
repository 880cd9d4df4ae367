"""Removal of everything that a table carries besides its cells, before it is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.sources.compute import Column


def without_metadata(table: pa.Table) -> pa.Table:
    """The same cells in a new table, without metadata of the table and its fields, and without categories within nested
    cells."""
    columns = [_column_without_metadata(column) for column in table.columns]
    fields = [pa.field(name, column.type) for name, column in zip(table.column_names, columns, strict=True)]
    return pa.table(columns, schema=pa.schema(fields))


def without_hidden_cells(table: pa.Table) -> pa.Table:
    """Clears the bytes under missing cells, where Arrow may keep former values."""
    if not any(column.null_count or pa.types.is_nested(column.type) for column in table.columns):
        return table
    return pa.table([_clear_hidden_cells(column) for column in table.columns], schema=table.schema)


def _clear_hidden_cells(column: Column) -> Column:
    if pa.types.is_nested(column.type):
        return pa.chunked_array([pa.array(column.to_pylist(), column.type)])
    if not column.null_count:
        return column
    is_valid: Any = column.is_valid().to_numpy()
    positions = pa.array(np.cumsum(is_valid) - 1, mask=~is_valid)  # takes nothing where the position is missing
    return column.drop_null().combine_chunks().take(positions)


def _column_without_metadata(column: Column) -> Column:
    target = _type_without_metadata(column.type) if pa.types.is_nested(column.type) else column.type
    return column if target is column.type else column.cast(target)


def _type_without_metadata(kind: Any) -> Any:
    """The type without the metadata of its own fields, and without categories."""
    if pa.types.is_struct(kind):
        return pa.struct([_field_without_metadata(kind.field(at)) for at in range(kind.num_fields)])
    if pa.types.is_map(kind):
        return pa.map_(_type_without_metadata(kind.key_type), _type_without_metadata(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(_field_without_metadata(kind.value_field))
    if pa.types.is_large_list(kind):
        return pa.large_list(_field_without_metadata(kind.value_field))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_field_without_metadata(kind.value_field), kind.list_size)
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _field_without_metadata(field: Any) -> Any:
    return pa.field(field.name, _type_without_metadata(field.type), field.nullable)
