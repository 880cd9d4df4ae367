"""The engine for records in memory, as one Arrow table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.combination_counts import COUNT, count_combinations
from shoal.engines.block_loop import Block, process_blocks
from shoal.engines.protocol import BLOCK, RECORD_ID, BlockFunction, check_reserved_names
from shoal.kernels import Labels
from shoal.sources import Formulas, Kinds, Origin, ReadOptions, read, write_table
from shoal.total import P


@dataclass(frozen=True)
class MemoryFrame:
    table: pa.Table  # the columns of the source, and the record id
    origin: Origin

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.table.column_names if name != RECORD_ID)

    @property
    def n_records(self) -> int:
        return len(self.table)

    @property
    def schema(self) -> pa.Schema:
        return self.table.schema


class MemoryEngine:
    name = "memory"
    in_memory = True

    def read(
        self,
        source: Any,
        options: ReadOptions,
        *,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> MemoryFrame:
        loaded = read(source, options, columns=columns, kinds=kinds)
        check_reserved_names(loaded.table.column_names, loaded.origin)
        record_ids = pa.array(np.arange(len(loaded.table), dtype=np.int64))
        return MemoryFrame(loaded.table.append_column(RECORD_ID, record_ids), loaded.origin)

    def group_counts(self, frame: MemoryFrame, by: Sequence[str]) -> pa.Table:
        if not by:
            return pa.table({COUNT: pa.array([frame.n_records], pa.int64())})
        return count_combinations(frame.table, by).to_table()

    def class_total(
        self, frame: MemoryFrame, classes: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P]
    ) -> P:
        return of(self.group_counts(frame, [*classes, *values]))

    def total(self, frame: MemoryFrame, columns: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        return of(frame.table.select(list(columns)))

    def by_record(self, frame: MemoryFrame, columns: Sequence[str], of: Callable[[pa.Table], pa.Table]) -> pa.Table:
        return of(_in_order(frame.table).select(list(columns)))

    def map_rows(self, frame: MemoryFrame, fn: Callable[[pa.Table], pa.Table]) -> MemoryFrame:
        return MemoryFrame(fn(frame.table), frame.origin)

    def map_blocks(self, frame: MemoryFrame, fn: BlockFunction) -> MemoryFrame:
        labels = frame.table[BLOCK].to_numpy()
        records = frame.table.drop_columns(BLOCK)
        order = np.argsort(labels, kind="stable")
        ids, starts = np.unique(labels[order], return_index=True)
        if len(ids) == 1:
            return MemoryFrame(fn(int(ids[0]), records), frame.origin)
        ordered = records.take(order)  # once: taking the rows of every block from many chunks takes far longer
        ends = [*starts[1:].tolist(), len(order)]
        spans = zip(ids.tolist(), starts.tolist(), ends, strict=True)
        blocks = (Block(id_, ordered.slice(start, end - start)) for id_, start, end in spans)
        parts = list(process_blocks(blocks, fn, frame.n_records))
        back = np.argsort(order, kind="stable")
        return MemoryFrame(pa.concat_tables(parts, promote_options="permissive").take(back), frame.origin)

    def sample(self, frame: MemoryFrame, places: Labels) -> pa.Table:
        ordered = _in_order(frame.table)
        return ordered if len(places) == frame.n_records else ordered.take(places)

    def collect(self, frame: MemoryFrame) -> pa.Table:
        return _in_order(frame.table).drop_columns(RECORD_ID)

    def write(self, frame: MemoryFrame, path: Path, like: Origin | None) -> Formulas:
        return write_table(self.collect(frame), path, like)


def _in_order(table: pa.Table) -> pa.Table:
    places = table[RECORD_ID].to_numpy()
    return table if (places[:-1] <= places[1:]).all() else table.take(np.argsort(places, kind="stable"))
