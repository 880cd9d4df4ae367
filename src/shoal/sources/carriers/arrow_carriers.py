"""Carriers of Arrow files: metadata of table, fields and batches, lists of categories, bytes under missing cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc as ipc

from shoal.sources.carriers.carrier import Carrier, carrier_if_any
from shoal.sources.plain_errors import plain_errors

LARGE = (pa.types.is_large_string, pa.types.is_large_binary, pa.types.is_large_list)
VIEW = 16  # bytes: a length, and the text or its position
NO_METADATA = "write the file without metadata, in pyarrow from a table whose schema has none"
FIELD_ID = b"PARQUET:field_id"  # a number that readers of Parquet add
ONLY_USED = "write only the categories that records have"
NOTHING_UNDER = "write the file again with zeros under every missing cell"


def carriers(path: Path) -> Iterator[Carrier]:
    with plain_errors(path), pa.memory_map(str(path)) as file:
        table, n_of_batches = _read(file)
        yield from schema_carriers(table.schema)
        yield from carrier_if_any("metadata of batches", n_of_batches, NO_METADATA)
        yield from column_carriers(table)


def _read(file: pa.MemoryMappedFile) -> tuple[pa.Table, int]:
    """All records, and the number of metadata entries of their batches and of the footer."""
    try:
        whole: Any = ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
        return _read_stream(ipc.open_stream(file))
    batches = [whole.get_batch_with_custom_metadata(at) for at in range(whole.num_record_batches)]
    n = sum(len(each.custom_metadata or ()) for each in batches) + len(whole.metadata or ())
    return pa.Table.from_batches([each.batch for each in batches], whole.schema), n


def _read_stream(stream: Any) -> tuple[pa.Table, int]:
    batches = list(stream.iter_batches_with_custom_metadata())
    return pa.Table.from_batches([each.batch for each in batches], stream.schema), sum(
        len(each.custom_metadata or ()) for each in batches
    )


def schema_carriers(schema: pa.Schema) -> Iterator[Carrier]:
    yield from carrier_if_any("metadata of the table", len(_own_keys(schema.metadata)), NO_METADATA)
    entries = {field.name: n for field in schema if (n := _n_metadata_entries(field))}
    yield from carrier_if_any("metadata of fields", sum(entries.values()), NO_METADATA, entries)


def _own_keys(metadata: Mapping[Any, Any] | None) -> list[Any]:
    return [key for key in metadata or () if key != FIELD_ID]


def _n_metadata_entries(field: Any) -> int:
    """Number of metadata entries of a field and of the fields nested in it."""
    kind = field.type
    nested = [kind.field(at) for at in range(kind.num_fields)] if pa.types.is_nested(kind) else []
    return len(_own_keys(field.metadata)) + sum(map(_n_metadata_entries, nested))


def column_carriers(table: pa.Table) -> Iterator[Carrier]:
    unused = {name: n for name in table.column_names if (n := n_unused_categories(table[name]))}
    yield from carrier_if_any("categories that no record has", sum(unused.values()), ONLY_USED, unused)
    hidden = {name: n for name in table.column_names if (n := sum(map(n_hidden_cells, table[name].chunks)))}
    yield from carrier_if_any("bytes under missing cells", sum(hidden.values()), NOTHING_UNDER, hidden)


def n_unused_categories(column: Any) -> int:
    """Number of categories of the column that are listed but that no cell has."""
    if not pa.types.is_dictionary(column.type):
        return sum(n_unused_categories(_as_column(part)) for chunk in column.chunks for part in child_arrays(chunk))
    lists = [chunk.dictionary for chunk in column.chunks]
    if not lists:
        return 0
    listed: Any = pc.unique(pa.chunked_array(lists)).drop_null()
    used = pc.unique(pa.chunked_array([chunk.dictionary_decode() for chunk in column.chunks]))
    return len(listed) - (pc.sum(pc.is_in(listed, value_set=used)).as_py() or 0)


def _as_column(array: Any) -> Any:
    return pa.chunked_array([array])


def child_arrays(array: Any) -> list[Any]:
    """The arrays that a nested one consists of, as far as its valid cells reach."""
    kind = array.type
    if pa.types.is_struct(kind):
        return list(array.flatten())
    if pa.types.is_map(kind):
        return [array.keys, array.items]
    if pa.types.is_run_end_encoded(kind):
        return [array.values]
    return [array.flatten()] if pa.types.is_nested(kind) and not pa.types.is_union(kind) else []


def n_hidden_cells(array: Any, parent_missing: Any = False) -> int:
    """Number of missing cells of the array that store a value. ``parent_missing``: cells within a missing one."""
    kind, missing = array.type, array.is_null().to_numpy(zero_copy_only=False) | parent_missing
    if isinstance(array, pa.ExtensionArray):
        return n_hidden_cells(array.storage, parent_missing)
    if pa.types.is_dictionary(kind):
        return n_hidden_cells(array.indices, missing)
    if pa.types.is_struct(kind):
        return sum(n_hidden_cells(array.field(at), missing) for at in range(kind.num_fields))
    if pa.types.is_fixed_size_list(kind):
        cells = array.values.slice(array.offset * kind.list_size, len(array) * kind.list_size)
        return n_hidden_cells(cells, np.repeat(missing, kind.list_size))
    if _has_offsets(kind):
        return _n_with_length(array, missing) + sum(map(n_hidden_cells, child_arrays(array)))
    if pa.types.is_nested(kind):
        return sum(map(n_hidden_cells, child_arrays(array)))
    return _n_with_bits(array, missing) if missing.any() and not pa.types.is_null(kind) else 0


def _has_offsets(kind: Any) -> bool:
    texts = (pa.types.is_string, pa.types.is_binary, pa.types.is_large_string, pa.types.is_large_binary)
    return any(is_type(kind) for is_type in (*texts, pa.types.is_list, pa.types.is_large_list, pa.types.is_map))


def _n_with_length(array: Any, missing: Any) -> int:
    """For texts and lists: the number of missing cells that have a length."""
    width = np.int64 if any(is_type(array.type) for is_type in LARGE) else np.int32
    offsets = np.frombuffer(array.buffers()[1] or b"", width)[array.offset : array.offset + len(array) + 1]
    return int((np.diff(offsets)[missing[: max(len(offsets) - 1, 0)]] > 0).sum())


def _n_with_bits(array: Any, missing: Any) -> int:
    """For cells of fixed width: the number of missing cells that are not all zeros."""
    content = np.frombuffer(array.buffers()[1], np.uint8)
    if pa.types.is_boolean(array.type):
        bits = np.unpackbits(content, bitorder="little")[array.offset : array.offset + len(array)]
        return int(bits[missing].sum())
    width = VIEW if str(array.type).endswith("_view") else array.type.bit_width // 8
    cells = content[array.offset * width : (array.offset + len(array)) * width].reshape(len(array), width)
    return int(cells[missing].any(axis=1).sum())
