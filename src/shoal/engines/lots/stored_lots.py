"""The lots of a task as they are stored: with one schema, and categories as their values.

A lot may have other types than the next one (integers, then reals); all of a task are converted to types that hold
both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce

import numpy as np
import pyarrow as pa

from shoal.engines.lots.lot_carrier import PartFunction
from shoal.engines.spill import plain_schema
from shoal.sources.promote_types import cast_piece, promote_schemas


@dataclass(frozen=True, eq=False)
class StoredLots:
    schema: pa.Schema  # without columns where there are no lots
    tables: tuple[pa.Table, ...]  # with the types of ``plain``

    @classmethod
    def of(cls, lots: Iterable[pa.Table]) -> StoredLots:
        tables = list(lots)
        schema = common_types(table.schema for table in tables)
        plain = plain_schema(schema)
        return cls(schema, tuple(cast_piece(None, table, plain, 0) for table in tables))

    @cached_property
    def plain(self) -> pa.Schema:
        return plain_schema(self.schema)

    @property
    def n_records(self) -> int:
        return sum(map(len, self.tables))

    def batches(self, most_records: int) -> list[pa.RecordBatch]:
        """Small lots are joined: every function is called once for each lot. ``most_records``: of a lot."""
        return pa.concat_tables(self.tables).combine_chunks().to_batches(most_records) if self.tables else []

    def in_parts(self, part_of: PartFunction, n_parts: int, most_records: int) -> Iterator[list[pa.RecordBatch]]:
        """The batches of each part, in the order of the records."""
        if not self.tables:
            return
        table = pa.concat_tables(self.tables)
        parts = part_of(table)
        order = np.argsort(parts, kind="stable")
        ends = np.searchsorted(parts[order], np.arange(n_parts), side="right").tolist()
        ordered = table.take(order).combine_chunks()
        for start, end in zip([0, *ends[:-1]], ends, strict=True):
            yield ordered.slice(start, end - start).to_batches(most_records) if end > start else []


def common_types(schemas: Iterable[pa.Schema]) -> pa.Schema:
    """The types that hold all lots; no columns where there are none."""
    found = [schema.remove_metadata() for schema in schemas if len(schema)]
    return reduce(partial(promote_schemas, None), found) if found else pa.schema([])


def select(names: Sequence[str], lots: Iterator[pa.Table]) -> Iterator[pa.Table]:
    return (lot.select(list(names)) for lot in lots)
