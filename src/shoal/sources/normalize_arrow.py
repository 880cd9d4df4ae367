"""Normalization of Arrow types: one type for each kind of value, whatever library a table came from.

Text is `string`, categories are `dictionary<int32, string>`, missing is null and never NaN; metadata that libraries
attach is dropped. Types that Arrow can store but not compare are converted to those that it can: reals of 16 bits,
short decimals, views and run-end encodings. Days are `date32`.
"""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources.compute import Column, pc

INDEX = re.compile("__index_level_[0-9]+__")
INDEX_OF_PANDAS = "the index of a pandas frame"


def normalize_arrow(where: object, table: pa.Table) -> pa.Table:
    columns = [
        _normalize_column(where, name, column) for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    for name, column in zip(table.column_names, columns, strict=True):
        _check_texts(where, name, column)
        _check_zone(where, name, column.type)
    # A new schema without metadata, where pandas stores its index.
    schema = pa.schema([pa.field(n, c.type) for n, c in zip(table.column_names, columns, strict=True)])
    return pa.table(columns, schema=schema)


def _normalize_column(where: object, name: str, column: Column) -> Column:
    if pa.types.is_run_end_encoded(column.type):
        column = pc.run_end_decode(column)
    if pa.types.is_dictionary(column.type):
        return _normalize_categories(where, name, column)
    column = _as_comparable(where, name, column)
    return _without_nan(column) if pa.types.is_floating(column.type) else column


def _as_comparable(where: object, name: str, values: Any) -> Any:
    """Values, or categories, in the type that represents their kind."""
    if pa.types.is_date64(values.type):
        return _as_days(where, name, values)
    target = _comparable_type(values.type)
    return values if target == values.type else values.cast(target)


def _as_days(where: object, name: str, values: Any) -> Any:
    try:
        return values.cast(pa.date32())
    except pa.ArrowInvalid:  # Arrow's message shows the cell
        raise SourceError.invalid_days(where, name) from None


def _comparable_type(kind: Any) -> Any:
    """The type that represents all types of its kind."""
    if is_text(kind) or pa.types.is_null(kind):
        return pa.string()
    if pa.types.is_float16(kind):
        return pa.float64()
    if pa.types.is_date64(kind):
        return pa.date32()
    if pa.types.is_binary_view(kind):
        return pa.binary()
    if pa.types.is_decimal(kind) and kind.bit_width < 128:
        return pa.decimal128(kind.precision, kind.scale)
    return kind


def normalized_type(kind: Any) -> Any:
    """The type that a column of this type has after `normalize_arrow`."""
    if pa.types.is_dictionary(kind):
        return pa.dictionary(pa.int32(), _comparable_type(kind.value_type), ordered=kind.ordered)
    return _comparable_type(kind)


def _check_texts(where: object, name: str, column: Column) -> None:
    """Raises where text is not valid Unicode: Arrow accepts any bytes as text from other libraries."""
    if not (pa.types.is_string(column.type) or pa.types.is_dictionary(column.type)):
        return
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        raise SourceError.not_unicode(where, name) from None


def _check_zone(where: object, name: str, kind: Any) -> None:
    """Raises for an unknown time zone, whose times cannot be written."""
    if not pa.types.is_timestamp(kind) or kind.tz is None:
        return
    try:
        pc.cast(pa.array([0], kind), pa.string())
    except pa.ArrowInvalid:
        raise SourceError.unknown_zone(where, name, kind.tz) from None


def is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _without_nan(column: Column) -> Column:
    is_nan = pc.is_nan(column)
    if not pc.any(is_nan, min_count=0).as_py():
        return column
    return pc.if_else(is_nan, pa.scalar(None, column.type), column)


def _normalize_categories(where: object, name: str, column: Column) -> Column:
    target = normalized_type(column.type)
    chunks = [_normalize_dictionary(where, name, chunk, target) for chunk in column.chunks]
    return pa.chunked_array(chunks, target).unify_dictionaries()


def _normalize_dictionary(where: object, name: str, chunk: Any, target: Any) -> Any:
    if chunk.dictionary.null_count:  # a missing value must be a null of the column, not a category
        chunk = chunk.dictionary_decode().dictionary_encode()
    codes, values = chunk.indices.cast(pa.int32()), _as_comparable(where, name, chunk.dictionary)
    return pa.DictionaryArray.from_arrays(codes, values, ordered=target.ordered)


def without_index(names: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The columns without those that pandas made of an index, which may identify records; and what was dropped."""
    kept = [name for name in names if not INDEX.fullmatch(name)]
    return kept, () if len(kept) == len(names) else (INDEX_OF_PANDAS,)


def notes_on_dropped(dropped: tuple[str, ...]) -> tuple[str, ...]:
    """Notes for the user on what was dropped."""
    return tuple(f"{thing} was left out" for thing in dropped)
