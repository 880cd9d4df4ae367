"""The engine for records larger than memory, by DuckDB and files in a private folder."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from operator import add
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.encode.combination_counts import COUNT
from shoal.engines.block_loop import Block, process_blocks
from shoal.engines.duckdb.database import Database, runs_by_key
from shoal.engines.duckdb.frame import DuckdbFrame, InFile
from shoal.engines.duckdb.type_bridge import TypeBridge
from shoal.engines.memory_budget import Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.engines.protocol import BLOCK, RECORD_ID, BlockFunction, RowFunction, check_reserved_names
from shoal.engines.spill import Spill, plain_schema, with_record_ids
from shoal.errors import EngineError
from shoal.kernels import Labels
from shoal.sources import Formulas, Kinds, Origin, ReadOptions, write_pieces
from shoal.sources.piece_sizes import USUAL, PieceSizes
from shoal.sources.pieces import open_pieces
from shoal.sources.promote_types import with_default_types
from shoal.total import P


class DuckdbEngine:
    """``with DuckdbEngine("2GB", folder) as engine: ...`` Its files are removed afterwards."""

    name = "duckdb"
    in_memory = False

    def __init__(
        self, memory: Budget | int | str | None = None, folder: Path | None = None, sizes: PieceSizes = USUAL
    ) -> None:
        """``folder``: where its private folder is created; ``sizes``: of the pieces in which records are processed."""
        self.budget = memory if isinstance(memory, Budget) else Budget.of(memory)
        self.sizes = sizes
        self._parent = folder or Path(tempfile.gettempdir())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if "database" in self.__dict__:
            self.database.close()
        if "folder" in self.__dict__:
            self.folder.remove()

    @cached_property
    def folder(self) -> PrivateFolder:
        return PrivateFolder.create_in(self._parent)

    @cached_property
    def database(self) -> Database:
        return Database(self.budget, self.folder, self.sizes.n_sorted)

    def read(
        self,
        source: Any,
        options: ReadOptions,
        *,
        columns: Sequence[str] | None = None,
        kinds: Kinds = None,
    ) -> DuckdbFrame:
        """Parquet is read in place, unless texts are to be converted; all else is written to disk once."""
        found = open_pieces(source, options, columns=columns, kinds=kinds, sizes=self.sizes)
        check_reserved_names(found.names, found.origin)
        if found.n_records is not None:
            frame = DuckdbFrame(found.origin, InFile(found, found.n_records))
        else:
            spill = self._write_spill(found.origin, with_record_ids(found.read(found.names)))
            frame = DuckdbFrame(found.origin, replace(spill, schema=with_default_types(spill.schema, found.kinds)))
        TypeBridge(frame.origin.path, frame.schema)  # validates; raises SourceError
        return frame

    def group_counts(self, frame: DuckdbFrame, by: Sequence[str]) -> pa.Table:
        if not by:
            return pa.table({COUNT: pa.array([frame.n_records], pa.int64())})
        found, n_bytes = [_no_counts(frame.schema, by)], 0
        for piece in self._class_counts(frame, by, ()):
            found.append(piece)
            n_bytes += piece.nbytes
            if n_bytes > self.budget.counts:
                raise EngineError.many_values(by, self.budget.memory)
        return pa.concat_tables(found)

    def class_total(
        self, frame: DuckdbFrame, classes: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P]
    ) -> P:
        parts = map(of, self._class_counts(frame, classes, values))
        first = next(parts, None)
        return of(_no_counts(frame.schema, [*classes, *values])) if first is None else reduce(add, parts, first)

    def _class_counts(self, frame: DuckdbFrame, classes: Sequence[str], values: Sequence[str]) -> Iterator[pa.Table]:
        """Counts in pieces, none of which divides a class."""
        names = [*classes, *values]
        with progress.stage("counting classes", frame.stored.n_records) as at:
            bridge = TypeBridge(frame.origin.path, _plain_columns(frame.schema, names))
            pieces = _with_progress(frame.pieces(names), at)
            n_pieces = -(-frame.stored.n_records // self.sizes.n_combinations)
            yield from self.database.counts(bridge, pieces, len(classes), n_pieces)

    def total(self, frame: DuckdbFrame, columns: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        """Pieces are joined first: many parts take as long for few records as for many."""
        with progress.stage("reading records", frame.stored.n_records) as at:
            pieces = _with_progress(frame.pieces(columns), at)
            return reduce(add, map(of, _joined(pieces, self.sizes.summed_bytes)))

    def by_record(self, frame: DuckdbFrame, columns: Sequence[str], of: RowFunction) -> pa.Table:
        ordered = self._ordered(frame)
        with progress.stage("reading records", ordered.stored.n_records) as at:
            pieces = [of(piece) for piece in _with_progress(ordered.pieces(columns), at)]
        return pa.concat_tables(pieces, promote_options="permissive").unify_dictionaries()

    def map_rows(self, frame: DuckdbFrame, fn: RowFunction) -> DuckdbFrame:
        """Applied whenever records are read."""
        return frame.with_function(fn)

    def map_blocks(self, frame: DuckdbFrame, fn: BlockFunction) -> DuckdbFrame:
        """Done at once: sorts by block, applies ``fn``, writes to disk and sorts back."""
        blocks, most_bytes = self._blocks(frame), self.budget.largest_block
        made = self._write_spill(frame.origin, process_blocks(blocks, fn, frame.stored.n_records, most_bytes))
        try:
            back = self._sorted(made.schema, made.pieces(), [RECORD_ID], "sorting records back", made.n_records)
            return DuckdbFrame(frame.origin, self._write_spill(frame.origin, back))
        finally:
            made.remove()

    def sample(self, frame: DuckdbFrame, places: Labels) -> pa.Table:
        taken, n_before = [], 0
        for piece in self._ordered(frame).pieces():
            first, last = np.searchsorted(places, [n_before, n_before + len(piece)])
            taken.append(piece.take(places[first:last] - n_before))
            n_before += len(piece)
        return pa.concat_tables(taken)

    def collect(self, frame: DuckdbFrame) -> pa.Table:
        return pa.concat_tables(self._ordered(frame).pieces()).drop_columns(RECORD_ID)

    def write(self, frame: DuckdbFrame, path: Path, like: Origin | None) -> Formulas:
        ordered = self._ordered(frame)
        with progress.stage("writing records", ordered.stored.n_records) as at:
            pieces = _with_progress(ordered.pieces(), at)
            return write_pieces((piece.drop_columns(RECORD_ID) for piece in pieces), path, like)

    def _write_spill(self, origin: Origin, pieces: Iterator[pa.Table]) -> Spill:
        return Spill.of(origin.path, self.folder, pieces)

    def _ordered(self, frame: DuckdbFrame) -> DuckdbFrame:
        """The frame with its records in the order of their ids, where a function assigned new ones."""
        if frame.keeps_order:
            return frame
        pieces = self._sorted(frame.schema, frame.pieces(), [RECORD_ID], "sorting records", frame.stored.n_records)
        return DuckdbFrame(frame.origin, self._write_spill(frame.origin, pieces))

    def _sorted(
        self, schema: pa.Schema, pieces: Iterator[pa.Table], by: Sequence[str], what: str, n_records: int
    ) -> Iterator[pa.Table]:
        with progress.stage(what, n_records) as at:
            answer = self.database.in_order(TypeBridge(None, schema), _with_progress(pieces, at), by)
            first = next(answer, None)  # available once all is sorted
        if first is not None:
            yield first
            yield from answer

    def _blocks(self, frame: DuckdbFrame) -> Iterator[Block]:
        what = "sorting records by block"
        ordered = self._sorted(frame.schema, frame.pieces(), [BLOCK, RECORD_ID], what, frame.stored.n_records)
        batches = (batch for table in ordered for batch in table.to_batches())
        for run in runs_by_key(batches, BLOCK, self._check_size):
            records = pa.Table.from_batches(run).drop_columns(BLOCK)
            yield Block(run[0][BLOCK][0].as_py(), records)

    def _check_size(self, block: Sequence[pa.RecordBatch]) -> None:
        if sum(batch.nbytes for batch in block) > self.budget.largest_block:
            raise EngineError.large_block(sum(map(len, block)), self.budget.memory)


def _no_counts(schema: pa.Schema, names: Sequence[str]) -> pa.Table:
    return _plain_columns(schema, names).append(pa.field(COUNT, pa.int64())).empty_table()


def _plain_columns(schema: pa.Schema, names: Sequence[str]) -> pa.Schema:
    return plain_schema(pa.schema([schema.field(name) for name in names]))


def _joined(pieces: Iterator[pa.Table], n_bytes: int) -> Iterator[pa.Table]:
    """Adjacent pieces together, as soon as they have ``n_bytes``."""
    waiting, n_waiting = list[pa.Table](), 0
    for piece in pieces:
        waiting.append(piece)
        n_waiting += piece.nbytes
        if n_waiting >= n_bytes:
            yield pa.concat_tables(waiting)
            waiting, n_waiting = [], 0
    if waiting:
        yield pa.concat_tables(waiting)


def _with_progress(pieces: Iterator[pa.Table], at: progress.Advance) -> Iterator[pa.Table]:
    """The pieces, with the number of records so far reported to ``at``."""
    n_records = 0
    for piece in pieces:
        n_records += len(piece)
        at(n_records)
        yield piece
