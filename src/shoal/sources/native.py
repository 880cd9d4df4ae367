"""A table as the caller's own kind of dataframe."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from shoal.sources.origin import Native, Origin

if TYPE_CHECKING:
    import pyarrow as pa


def to_native(table: pa.Table, origin: Origin) -> Any:
    """pandas for pandas, polars for polars (lazy for lazy), a relation for DuckDB, a dict for a dict; else an Arrow
    table.

    A column whose values kept their type is converted to the caller's own type too (a nullable integer, an Enum); any
    other column gets the type that its library gives it.
    """
    native = origin.native or Native("pyarrow")
    match native.library:
        case "pandas":
            return _pandas(table, native)
        case "polars":
            return _polars(table, native)
        case "polars-lazy":
            return _polars(table, native).lazy()
        case "duckdb":
            import duckdb

            return duckdb.from_arrow(table)
        case "dict":
            return table.to_pydict()
        case "pyarrow" | "pyspark":
            return _arrow(table, native)


def _kept(table: pa.Table, native: Native) -> dict[str, Any]:
    """The caller's type of every column whose values kept their type."""
    return {
        field.name: native.own_types[field.name]
        for field in table.schema
        if field.name in native.own_types
        and native.types.get(field.name) == field.type
        and not str(field.type).startswith("dictionary")  # the caller's categories may name values of dropped records
    }


def _pandas(table: pa.Table, native: Native) -> Any:
    import pandas as pd  # type: ignore[import-untyped]

    kept = _kept(table, native)
    columns = {}
    for name in table.column_names:
        values = _series(table[name])
        if name in kept and values.dtype != kept[name]:
            with suppress(TypeError, ValueError):  # an integer column that has missing values now
                values = values.astype(kept[name])
        columns[native.own_names.get(name, name)] = values
    return pd.DataFrame(columns)


def _series(column: Any) -> Any:
    """Integers and booleans with missing values keep their type; pandas alone would turn them into reals and
    objects."""
    import pandas as pd
    import pyarrow as pa

    if column.null_count and pa.types.is_boolean(column.type):
        return column.to_pandas(types_mapper={column.type: pd.BooleanDtype()}.get)
    if column.null_count and pa.types.is_integer(column.type):
        nullable = str(column.type).replace("i", "I").replace("u", "U")  # int8 -> Int8, uint8 -> UInt8
        return column.to_pandas(types_mapper={column.type: pd.array([], nullable).dtype}.get)
    return column.to_pandas()


def _polars(table: pa.Table, native: Native) -> Any:
    import polars as pl

    frame: Any = pl.from_arrow(table)
    kept = _kept(table, native)

    def own(column: Any) -> Any:
        if column.name in kept and column.dtype != kept[column.name]:
            with suppress(pl.exceptions.PolarsError):  # an Enum without such a value
                return column.cast(kept[column.name])
        return column

    return pl.DataFrame([own(column) for column in frame.get_columns()])


def _arrow(table: pa.Table, native: Native) -> pa.Table:
    import pyarrow as pa

    kept = _kept(table, native)

    def own(name: str, column: Any) -> Any:
        if name in kept and column.type != kept[name]:
            with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):  # no cast back to this dictionary
                return column.cast(kept[name])
        return column

    columns = zip(table.column_names, table.columns, strict=True)
    return pa.table([own(name, column) for name, column in columns], names=table.column_names)
