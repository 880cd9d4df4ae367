"""Reading of the columns that a generalization method uses, from a file or any dataframe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError
from shoal.requirements import Requirement
from shoal.schema import Kind, Schema
from shoal.sources import CellKind, read

CELLS: dict[Kind, CellKind] = {"numeric": "numeric", "date": "date", "ordinal": "text", "nominal": "text"}


def read_columns(table: Any, schema: Schema, names: Sequence[str]) -> pa.Table:
    """The columns ``names``. A file is read according to the schema; a dataframe is taken as it is."""
    kinds = {name: CELLS[schema[name].kind] for name in names if name in schema}
    records = table if isinstance(table, pa.Table) else _read(table, kinds, names)
    for name in names:
        if name not in records.column_names:
            raise PolicyError.unknown_column("the schema", name, records.column_names)
    return records.select(list(names))


def _read(source: Any, kinds: Mapping[str, CellKind], names: Sequence[str]) -> pa.Table:
    loaded = read(source, kinds=kinds)
    loaded.check_columns(names)
    return loaded.table


def read_counts(table: Any, schema: Schema, requirements: Sequence[Requirement], target: str | None) -> CountTable:
    """Counts of the combinations of quasi-identifiers and of the columns used by requirements and the loss."""
    read = {each.column for each in requirements if each.column} | ({target} if target else set())
    names = list(dict.fromkeys([*schema.quasi_identifiers, *sorted(read)]))
    return count_combinations(read_columns(table, schema, names), names)
