"""What becomes of the columns that no method changes: identifiers go, households get new numbers, the rest stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import from_codes, to_codes
from shoal.release.chance import Chance
from shoal.release.pseudonym import pseudonyms
from shoal.schema import Column, Schema


def assemble(table: pa.Table, schema: Schema, chance: Chance, *, shuffle: bool) -> pa.Table:
    """The columns of the release, in the order of the table."""
    columns: dict[str, Any] = {}
    for column in schema.columns:
        values = table[column.name]
        if column.role == "household":
            columns[column.name] = _renumbered(column, values, chance.for_purpose("household"))
        elif column.role != "identifier":
            columns[column.name] = _without_unused_values(column, values)
        elif column.key_file is not None:
            columns[column.name] = pseudonyms(column, values)
    released = pa.table(columns)
    if not shuffle:
        return released
    return released.take(chance.for_purpose("order of records").permutation(len(released)))


def _renumbered(column: Column, values: pa.ChunkedArray[Any], chance: np.random.Generator) -> pa.Array[Any]:
    """Members stay together, but under a number that says nothing."""
    codes = to_codes(column.name, values)
    numbers = pa.array(1 + chance.permutation(codes.n_values), pa.int64())
    return from_codes(codes.codes, numbers)


def _without_unused_values(column: Column, values: pa.ChunkedArray[Any]) -> Any:
    """A column of categories brings a list of them along: those of suppressed records must not be in it."""
    if not pa.types.is_dictionary(values.type):
        return values
    codes = to_codes(column.name, values)
    indices = pa.array(codes.codes, mask=codes.codes < 0, type=pa.int32())
    return pa.DictionaryArray.from_arrays(indices, codes.values, ordered=bool(values.type.ordered))
