"""What becomes of the columns that no method changes: identifiers go, households get new numbers, the rest stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import from_codes, to_codes
from shoal.release.pseudonym import pseudonyms
from shoal.schema import Column, Schema


def assemble(table: pa.Table, schema: Schema, seed: int, *, shuffle: bool) -> pa.Table:
    """The columns of the release, in the order of the table."""
    columns: dict[str, Any] = {}
    for column in schema.columns:
        values = table[column.name]
        if column.role == "household":
            columns[column.name] = _renumbered(column, values, _chance(seed, "household"))
        elif column.role != "identifier":
            columns[column.name] = values
        elif column.key_file is not None:
            columns[column.name] = pseudonyms(column, values)
    released = pa.table(columns)
    if not shuffle:
        return released
    return released.take(_chance(seed, "shuffle").permutation(len(released)))


def _renumbered(column: Column, values: pa.ChunkedArray[Any], chance: np.random.Generator) -> pa.Array[Any]:
    """Members stay together, but under a number that says nothing."""
    codes = to_codes(column.name, values)
    numbers = pa.array(1 + chance.permutation(codes.n_values), pa.int64())
    return from_codes(codes.codes, numbers)


def _chance(seed: int, purpose: str) -> np.random.Generator:
    """Every purpose has chance of its own, so that one more draw here changes nothing there."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=tuple(purpose.encode())))
