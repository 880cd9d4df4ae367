"""Wider types: one type for a column that is read in pieces or from files, each of which shows only some of its cells.

A piece of whole numbers is int64, and so is the column, unless another piece has reals; a piece without times of day is
date32. The types that `read` finds by looking at all cells at once are found here by widening them piece by piece.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources.compute import Column, pc
from shoal.sources.kinds import describe_records
from shoal.sources.options import CellKind
from shoal.sources.text_dates import LOCAL, ZONED

LADDERS: tuple[tuple[pa.DataType, ...], ...] = ((pa.int64(), pa.float64()), LOCAL, ZONED)
DEFAULT_TYPES: dict[CellKind, pa.DataType] = {"numeric": pa.int64(), "date": pa.date32(), "text": pa.string()}


def promote_schemas(where: object, one: pa.Schema, other: pa.Schema) -> pa.Schema:
    """Types that hold the columns of both schemas, which have the same names."""
    return pa.schema([_promote_fields(where, a, b) for a, b in zip(one, other, strict=True)])


def _promote_fields(where: object, one: pa.Field, other: pa.Field) -> pa.Field:  # type: ignore[type-arg]
    if one.type == other.type:
        return one
    if _are_decimals_and_reals(one.type, other.type):  # which Arrow would round
        raise SourceError.mixed_column(where, one.name)
    for ladder in LADDERS:
        if one.type in ladder and other.type in ladder:
            return pa.field(one.name, ladder[max(ladder.index(one.type), ladder.index(other.type))])
    try:
        return pa.unify_schemas([pa.schema([one]), pa.schema([other])], promote_options="permissive").field(0)
    except (pa.ArrowTypeError, pa.ArrowInvalid):
        raise SourceError.mixed_column(where, one.name) from None


def _are_decimals_and_reals(*kinds: pa.DataType) -> bool:
    return any(map(pa.types.is_decimal, kinds)) and any(map(pa.types.is_floating, kinds))


def with_default_types(schema: pa.Schema, kinds: Mapping[str, CellKind]) -> pa.Schema:
    """The schema with the types of `read` for columns in which no piece has a known cell."""
    return pa.schema(
        [(f.name, DEFAULT_TYPES[kinds.get(f.name, "text")] if pa.types.is_null(f.type) else f.type) for f in schema]
    )


def cast_piece(where: object, table: pa.Table, schema: pa.Schema, n_before: int) -> pa.Table:
    """A piece, preceded by ``n_before`` records, with the types of the whole table."""
    if table.schema.types == schema.types:
        return table
    columns = [
        _cast_column(where, column, field, n_before) for column, field in zip(table.columns, schema, strict=True)
    ]
    return pa.table(columns, schema=schema)


def _cast_column(where: object, values: Column, field: pa.Field, n_before: int) -> Column:  # type: ignore[type-arg]
    if values.null_count == len(values):
        return pa.chunked_array([pa.nulls(len(values), field.type)])
    if pa.types.is_integer(values.type) and pa.types.is_floating(field.type):
        _check_exact(where, values, field.name, n_before)
        return pc.cast(values, field.type, safe=False)
    try:
        return pc.cast(values, field.type)
    except pa.ArrowInvalid:  # Arrow's message shows the cell
        raise SourceError.mixed_column(where, field.name) from None


def _check_exact(where: object, integers: Column, name: str, n_before: int) -> None:
    """Raises for whole numbers that a float64 cannot hold, in a column that also has reals."""
    reals = pc.cast(integers, pa.float64(), safe=False)
    overflows = pc.greater_equal(reals, 2.0**63)
    converted_back = pc.cast(pc.if_else(overflows, 0.0, reals), pa.int64(), safe=False)
    inexact = pc.fill_null(pc.not_equal(integers, converted_back), False)
    if pc.any(inexact, min_count=0).as_py():
        records = [n_before + at for at in pc.indices_nonzero(inexact).slice(0, 3).to_pylist()]
        expected, n = "a number that a float64 holds exactly", int(pc.sum(inexact).as_py())
        raise SourceError.not_of_kind(where, name, "numeric", expected, n, describe_records(records), at_least=True)
