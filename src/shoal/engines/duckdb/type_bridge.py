"""Conversion of cells to types that pass through DuckDB unchanged, and back.

DuckDB sorts and counts; it must not round, compare or convert. So reals, dates and times are passed as integers of the
same bits (-0.0 is not 0.0 there, as in memory), categories as their values, and columns under their positions: DuckDB
does not distinguish the names age and AGE.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from shoal.errors import SourceError, policy_key

BITS: dict[int, pa.DataType] = {32: pa.int32(), 64: pa.int64()}


class TypeBridge:
    """Conversion of the columns of one schema, in both directions."""

    def __init__(self, where: object, schema: pa.Schema) -> None:
        self.schema = schema
        self.types = [_duckdb_type(where, column) for column in schema]

    @property
    def duckdb_schema(self) -> pa.Schema:
        return pa.schema([(column_name(at), kind) for at, kind in enumerate(self.types)])

    def name_in_duckdb(self, name: str) -> str:
        return column_name(self.schema.get_field_index(name))

    def to_duckdb(self, piece: pa.Table) -> pa.RecordBatch:
        columns = [_to_duckdb(column, kind) for column, kind in zip(piece.columns, self.types, strict=True)]
        return pa.record_batch(columns, schema=self.duckdb_schema)

    def from_duckdb(self, columns: Sequence[Any]) -> pa.Table:
        """``columns`` as they come from DuckDB, in their order."""
        own = [_from_duckdb(column, kind) for column, kind in zip(columns, self.schema.types, strict=True)]
        return pa.table(own, schema=self.schema)


def column_name(at: int) -> str:
    return f"c{at}"


def _duckdb_type(where: object, column: Any) -> pa.DataType:
    kind = column.type
    if pa.types.is_dictionary(kind):
        if kind.ordered:
            order = policy_key("columns", column.name, "order")
            instead = f"write the column as text and give its order in the policy, as {order}"
            raise SourceError.not_in_pieces(f"{where}, column '{column.name}'", "its categories have an order", instead)
        return _duckdb_type(where, pa.field(column.name, kind.value_type))
    if pa.types.is_string(kind) or pa.types.is_binary(kind) or pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return kind
    if pa.types.is_decimal128(kind):
        return kind
    if pa.types.is_floating(kind) or pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return BITS[kind.bit_width]
    if pa.types.is_null(kind):
        return pa.int64()
    instead = "convert the column to numbers, dates or text"
    raise SourceError.not_in_pieces(f"{where}, column '{column.name}'", f"DuckDB does not support {kind}", instead)


def _to_duckdb(column: Any, target_type: pa.DataType) -> Any:
    whole = column.combine_chunks()
    if pa.types.is_dictionary(whole.type):
        whole = whole.dictionary_decode()
    if pa.types.is_null(whole.type):
        return whole.cast(target_type)
    return whole if whole.type == target_type else whole.view(target_type)


def _from_duckdb(column: Any, kind: Any) -> Any:
    if pa.types.is_dictionary(kind):
        return _from_duckdb(column, kind.value_type).dictionary_encode().cast(kind)
    if pa.types.is_null(kind):
        return pa.nulls(len(column))
    return column if column.type == kind else column.view(kind)
