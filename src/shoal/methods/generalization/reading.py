"""The columns that a method of generalization looks at, from whatever a caller hands over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from shoal.errors import PolicyError
from shoal.schema import Kind, Schema
from shoal.sources import CellKind, read

CELLS: dict[Kind, CellKind] = {"numeric": "numeric", "date": "date", "ordinal": "text", "nominal": "text"}


def read_columns(table: Any, schema: Schema, names: Sequence[str]) -> pa.Table:
    """A file is read as the schema says; a dataframe is taken as it is."""
    kinds = {name: CELLS[schema[name].kind] for name in names if name in schema}
    records = table if isinstance(table, pa.Table) else read(table, kinds=kinds).table
    for name in names:
        if name not in records.column_names:
            raise PolicyError.unknown_column("the schema", name, records.column_names)
    return records.select(list(names))
