"""Tidy: one Arrow type for each thing, whatever library a table came from.

Text is `string`, categories are `dictionary<int32, string>`, missing is null and never NaN; what libraries
attach for themselves is left behind.
"""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources.compute import Column, pc

INDEX = re.compile("__index_level_[0-9]+__")
INDEX_OF_PANDAS = "the index of a pandas frame"


def tidy(where: object, table: pa.Table) -> pa.Table:
    columns = [_tidy_column(column) for column in table.columns]
    for name, column in zip(table.column_names, columns, strict=True):
        _check_texts(where, name, column)
        _check_zone(where, name, column.type)
    # The schema is made anew, without metadata: pandas keeps its index there.
    schema = pa.schema([pa.field(n, c.type) for n, c in zip(table.column_names, columns, strict=True)])
    return pa.table(columns, schema=schema)


def _tidy_column(column: Column) -> Column:
    kind = column.type
    if is_text(kind) or pa.types.is_null(kind):
        return column.cast(pa.string())
    if pa.types.is_dictionary(kind):
        return _tidy_categories(column)
    if pa.types.is_floating(kind):
        return _without_nan(column)
    return column


def _check_texts(where: object, name: str, column: Column) -> None:
    """Arrow takes any bytes for text when it gets them from others."""
    if not (pa.types.is_string(column.type) or pa.types.is_dictionary(column.type)):
        return
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        raise SourceError.not_unicode(where, name) from None


def _check_zone(where: object, name: str, kind: Any) -> None:
    """A time of a zone that nobody knows cannot be told."""
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


def _tidy_categories(column: Column) -> Column:
    kind = column.type
    values = pa.string() if is_text(kind.value_type) else kind.value_type
    wanted: Any = pa.dictionary(pa.int32(), values, ordered=kind.ordered)
    chunks = [_recoded(chunk, wanted) for chunk in column.chunks]
    return pa.chunked_array(chunks, wanted).unify_dictionaries()


def _recoded(chunk: Any, wanted: Any) -> Any:
    if chunk.dictionary.null_count:  # a missing value must be a null of the column, not a category
        chunk = chunk.dictionary_decode().dictionary_encode()
    codes, values = chunk.indices.cast(pa.int32()), chunk.dictionary.cast(wanted.value_type)
    return pa.DictionaryArray.from_arrays(codes, values, ordered=wanted.ordered)


def without_index(names: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The columns less those that pandas made of an index, which may identify records; and what was dropped."""
    kept = [name for name in names if not INDEX.fullmatch(name)]
    return kept, () if len(kept) == len(names) else (INDEX_OF_PANDAS,)


def left_out(dropped: tuple[str, ...]) -> tuple[str, ...]:
    """What the user should know of it."""
    return tuple(f"{thing} was left out" for thing in dropped)
