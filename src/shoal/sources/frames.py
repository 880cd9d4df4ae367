"""Any dataframe that narwhals supports, any Arrow PyCapsule object, or a dict of columns, as a table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import narwhals as nw
import pyarrow as pa
from narwhals import dependencies as libraries

from shoal.errors import SourceError
from shoal.sources.columns import select_columns
from shoal.sources.normalize_arrow import INDEX_OF_PANDAS, normalize_arrow, notes_on_dropped, without_index
from shoal.sources.origin import Library, LoadedTable, Native, Origin
from shoal.sources.to_arrow import to_array

WHERE = "the dataframe"


def read(source: Any, columns: Iterable[str] | None) -> LoadedTable:
    """The table in a dataframe of the caller, and how to convert back to its own kind."""
    source = nw.to_native(source, pass_through=True)
    if libraries.is_pandas_dataframe(source):
        return _from_pandas(source, columns)
    if isinstance(source, Mapping):
        return _from_dict(source, columns)
    if isinstance(source, pa.Table):
        return _from_arrow(source, columns)
    frame = nw.from_native(source, pass_through=True)
    if isinstance(frame, nw.DataFrame | nw.LazyFrame):
        return _from_narwhals(frame, source, columns)
    return _from_arrow(_from_capsule(source), columns)


def _from_pandas(frame: Any, columns: Iterable[str] | None) -> LoadedTable:
    labels = {str(label): label for label in frame.columns}
    names = select_columns(WHERE, [str(label) for label in frame.columns], columns)
    table = pa.table({name: to_array(WHERE, name, frame[labels[name]]) for name in names})
    native = Native(
        "pandas",
        own_types={name: frame[labels[name]].dtype for name in names},
        own_names={name: label for name, label in labels.items() if name != label},
    )
    return _loaded_table(table, native, () if _is_default_index(frame.index) else (INDEX_OF_PANDAS,))


def _is_default_index(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def _from_dict(source: Mapping[Hashable, Any], columns: Iterable[str] | None) -> LoadedTable:
    values = {str(name): column for name, column in source.items()}
    names = select_columns(WHERE, [str(name) for name in source], columns)
    arrays = {name: to_array(WHERE, name, values[name]) for name in names}
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise SourceError.unequal_columns(WHERE, lengths)
    return _loaded_table(pa.table(arrays), Native("dict"))


def _from_narwhals(
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any], source: Any, columns: Iterable[str] | None
) -> LoadedTable:
    available, dropped = without_index(frame.collect_schema().names())
    names = select_columns(WHERE, available, columns)
    selected = frame.select(*names)
    eager = selected.collect(backend="pyarrow") if isinstance(selected, nw.LazyFrame) else selected
    own_types = source.collect_schema() if _library(source).startswith("polars") else {}
    return _loaded_table(eager.to_arrow(), Native(_library(source), own_types=dict(own_types)), dropped)


def _library(source: Any) -> Library:
    if libraries.is_polars_dataframe(source):
        return "polars"
    if libraries.is_polars_lazyframe(source):
        return "polars-lazy"
    if libraries.is_duckdb_relation(source):
        return "duckdb"
    return "pyarrow"  # for other libraries, an Arrow table, which every one of them accepts


def _from_arrow(source: pa.Table, columns: Iterable[str] | None) -> LoadedTable:
    available, dropped = without_index(source.column_names)
    table = source.select(select_columns(WHERE, available, columns))
    return _loaded_table(
        table, Native("pyarrow", own_types={field.name: field.type for field in table.schema}), dropped
    )


def _from_capsule(source: Any) -> pa.Table:
    try:
        if hasattr(source, "__arrow_c_stream__"):
            return pa.RecordBatchReader.from_stream(source).read_all()
        if hasattr(source, "__arrow_c_array__"):
            return pa.Table.from_batches([pa.record_batch(source)])
    except (pa.ArrowException, TypeError, ValueError):  # a single column has this interface too
        raise SourceError.unknown_object(source) from None
    raise SourceError.unknown_object(source)


def _loaded_table(table: pa.Table, native: Native, dropped: tuple[str, ...] = ()) -> LoadedTable:
    table = normalize_arrow(WHERE, table)
    types = {field.name: field.type for field in table.schema}
    native = Native(native.library, types, native.own_types, native.own_names)
    return LoadedTable(table, Origin("dataframe", notes=notes_on_dropped(dropped), dropped=dropped, native=native))
