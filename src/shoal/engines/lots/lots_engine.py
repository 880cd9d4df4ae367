"""The operations of an engine on lots, by the primitives of a carrier."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from itertools import chain
from operator import add
from pathlib import Path
from typing import Any, Generic

import numpy as np
import pyarrow as pa

from shoal.encode.combination_counts import COUNT, count_combinations
from shoal.encode.count_table import CountTable
from shoal.engines.lots.lot_carrier import L, LotCarrier
from shoal.engines.lots.openers import InFiles, InParquet
from shoal.engines.lots.row_hashes import row_hashes
from shoal.engines.lots.task_outcome import TaskOutcome
from shoal.engines.lots.written_parts import in_order, write_parts
from shoal.engines.memory_budget import Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.engines.protocol import BLOCK, RECORD_ID, BlockFunction, RowFunction, check_reserved_names
from shoal.engines.spill import Spill, plain_schema, with_record_ids
from shoal.errors import EngineError
from shoal.kernels import Labels
from shoal.rng import mixed_bits
from shoal.sources import Formulas, Kinds, Origin, ReadOptions, write_pieces
from shoal.sources.file_state import FileState
from shoal.sources.parquet_footer import row_groups
from shoal.sources.piece_sizes import USUAL, PieceSizes
from shoal.sources.pieces import Pieces, open_pieces
from shoal.sources.promote_types import with_default_types
from shoal.sources.table_parts import is_written_in_parts, parts_of
from shoal.total import P


@dataclass(frozen=True)
class IdRange:
    """Number of records, least and greatest id."""

    n_records: int
    least: int
    greatest: int

    @classmethod
    def of(cls, piece: pa.Table) -> IdRange:
        ids = piece[RECORD_ID].to_numpy()
        ends = np.iinfo(np.int64)
        return cls(len(ids), int(ids.min(initial=ends.max)), int(ids.max(initial=ends.min)))

    def __add__(self, other: IdRange) -> IdRange:
        least, greatest = min(self.least, other.least), max(self.greatest, other.greatest)
        return IdRange(self.n_records + other.n_records, least, greatest)

    @property
    def are_places(self) -> bool:
        """Whether the ids, which are all different, are the numbers from 0 on."""
        return (self.least, self.greatest) == (0, self.n_records - 1)


@dataclass(frozen=True, eq=False)
class LotsFrame(Generic[L]):
    carrier: LotCarrier[L]
    origin: Origin
    lots: L
    is_ordered: bool  # lots and their records are in the order of their ids

    @cached_property
    def schema(self) -> pa.Schema:
        return self.carrier.first(self.lots).schema.remove_metadata()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in self.schema.names if name != RECORD_ID)

    @cached_property
    def ids(self) -> IdRange:
        return self.total((RECORD_ID,), IdRange.of)

    def total(self, columns: tuple[str, ...], of: Callable[[pa.Table], P]) -> P:
        lots = self.carrier.only(self.lots, columns)
        return _sum(
            self.carrier.results(lots, partial(_part_of_task, of)),
            lambda: of(self.schema.empty_table().select(list(columns))),
        )

    @property
    def n_records(self) -> int:
        known = self.lots.n_records
        return self.ids.n_records if known is None else known


class LotsEngine(Generic[L]):
    """Frames stay where the carrier holds them; only what is small, or must be in order, passes through here."""

    in_memory = False

    def __init__(
        self, carrier: LotCarrier[L], folder: PrivateFolder, budget: Budget, n_workers: int, sizes: PieceSizes = USUAL
    ) -> None:
        self.carrier, self.folder, self.budget, self.sizes = carrier, folder, budget, sizes
        self.name, self.n_workers = carrier.name, n_workers

    @property
    def _part_bytes(self) -> int:
        """Of the records of a task, so that the work on one block after the other fits into the memory of a worker."""
        return min(self.sizes.part_bytes, max(1, self.budget.largest_block // self.n_workers))

    def read(
        self, source: Any, options: ReadOptions, *, columns: Sequence[str] | None = None, kinds: Kinds = None
    ) -> LotsFrame[L]:
        """Parquet is read in place, unless texts are to be converted; all else is written to lots once."""
        found = open_pieces(source, options, columns=columns, kinds=kinds, sizes=self.sizes)
        check_reserved_names(found.names, found.origin)
        openers = self._in_place(found) if found.n_records is not None else self._spilled(found)
        return LotsFrame(self.carrier, found.origin, self.carrier.opened(openers), True)

    def _in_place(self, found: Pieces) -> list[InParquet]:
        assert found.origin.path is not None, "a file"
        parts = parts_of(found.origin.path)
        states, tasks = {part: FileState.of(part) for part in parts}, row_groups(parts, self._part_bytes)
        found.origin.check_unchanged()
        names = (*found.names, RECORD_ID)
        return [
            InParquet(tuple((each, states[each.path]) for each in task), names, self.sizes.lot_records, found.types)
            for task in tasks
        ]

    def _spilled(self, found: Pieces) -> list[InFiles]:
        spill = Spill.of(found.origin.path, self.folder, with_record_ids(found.read(found.names)))
        schema = with_default_types(spill.schema, found.kinds)
        return [
            InFiles(
                ((part.path, tuple(range(first, min(first + n, part.n_batches)))),), schema, None, found.origin.path
            )
            for part in spill.parts
            for n in [max(1, self._part_bytes * part.n_batches // max(part.n_bytes, 1))]
            for first in range(0, part.n_batches, n)
        ]

    def group_counts(self, frame: LotsFrame[L], by: Sequence[str]) -> pa.Table:
        if not by:
            return pa.table({COUNT: pa.array([frame.n_records], pa.int64())})
        counts = self._class_lots(frame, by, ())
        found, n_bytes = [_no_counts(frame, by)], 0
        for piece in self.carrier.tables(counts):
            found.append(piece)
            n_bytes += piece.nbytes
            if n_bytes > self.budget.counts:
                raise EngineError.many_values(by, self.budget.memory)
        return pa.concat_tables(found, promote_options="permissive")

    def class_total(
        self, frame: LotsFrame[L], classes: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P]
    ) -> P:
        counts = self._class_lots(frame, classes, values)
        parts = self.carrier.results(counts, partial(_part_of_task, of))
        return _sum(parts, lambda: of(_no_counts(frame, [*classes, *values])))

    def _class_lots(self, frame: LotsFrame[L], classes: Sequence[str], values: Sequence[str]) -> L:
        """Counts in parts: first those of every task, then those of all tasks, where equal classes meet."""
        names = [*classes, *values]
        counted = self.carrier.mapped(self.carrier.only(frame.lots, names), partial(_counted, names))
        n_parts = max(1, min(frame.lots.n_tasks, self.sizes.most_parts))
        parted = self.carrier.to_parts(counted, partial(_class_parts, list(classes), n_parts), n_parts)
        return self.carrier.mapped(parted, partial(_counted_again, names))

    def total(self, frame: LotsFrame[L], columns: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        return frame.total(tuple(columns), of)

    def by_record(self, frame: LotsFrame[L], columns: Sequence[str], of: RowFunction) -> pa.Table:
        names = list(dict.fromkeys((*columns, RECORD_ID)))
        ordered = self._ordered(replace(frame, lots=self.carrier.only(frame.lots, names)))
        lots = self.carrier.mapped(self.carrier.only(ordered.lots, columns), partial(_each_lot, of))
        return pa.concat_tables(self.carrier.tables(lots), promote_options="permissive").unify_dictionaries()

    def map_rows(self, frame: LotsFrame[L], fn: RowFunction) -> LotsFrame[L]:
        """Applied whenever records are read."""
        mapped = replace(frame, lots=self.carrier.mapped(frame.lots, partial(_each_lot, fn)))
        return replace(mapped, is_ordered=frame.is_ordered and self._keeps_ids(frame, fn))

    def _keeps_ids(self, frame: LotsFrame[L], fn: RowFunction) -> bool:
        """Whether the ids are still the same. A function of records keeps either all ids or none."""
        lot = self.carrier.first(frame.lots)
        result: Any = TaskOutcome.of(partial(fn, lot)).value(self.folder.path.parent)[RECORD_ID]
        return bool(np.isin(result.to_numpy(), lot[RECORD_ID].to_numpy()).all())

    def map_blocks(self, frame: LotsFrame[L], fn: BlockFunction) -> LotsFrame[L]:
        """Done at once; the results are not sorted back."""
        most_bytes = self.budget.largest_block
        n_parts = self._n_parts(frame)
        parts = self.carrier.to_parts(frame.lots, partial(_block_parts, n_parts), n_parts)
        worked = self.carrier.mapped(parts, partial(_each_block, fn, most_bytes, self.budget.memory, self.name))
        return LotsFrame(self.carrier, frame.origin, self.carrier.kept(worked), False)

    def _n_parts(self, frame: LotsFrame[L]) -> int:
        lot = self.carrier.first(frame.lots)
        n_bytes = lot.nbytes * frame.n_records // max(len(lot), 1)
        return max(1, min(-(-n_bytes // self._part_bytes), self.sizes.most_parts))

    def sample(self, frame: LotsFrame[L], places: Labels) -> pa.Table:
        if not len(places):
            return frame.schema.empty_table()
        if frame.ids.are_places:
            found = self.carrier.mapped(frame.lots, partial(_each_lot, partial(_at_places, places)))
            table = pa.concat_tables(self.carrier.tables(found), promote_options="permissive")
            return table.take(np.argsort(table[RECORD_ID].to_numpy()))
        taken, n_before = [], 0
        for piece in self.carrier.tables(self._ordered(frame).lots):
            first, last = np.searchsorted(places, [n_before, n_before + len(piece)])
            taken.append(piece.take(places[first:last] - n_before))
            n_before += len(piece)
        return pa.concat_tables(taken, promote_options="permissive")

    def collect(self, frame: LotsFrame[L]) -> pa.Table:
        pieces = list(self.carrier.tables(self._ordered(frame).lots)) or [frame.schema.empty_table()]
        return pa.concat_tables(pieces, promote_options="permissive").drop_columns(RECORD_ID)

    def write(self, frame: LotsFrame[L], path: Path, like: Origin | None) -> Formulas:
        """A folder is written where the lots are, one part by each task; one file here."""
        if is_written_in_parts(path):
            return write_parts(self.carrier, self._in_ranges(frame), frame.schema, path)
        pieces = self.carrier.tables(self._ordered(frame).lots)
        first = next(pieces, None)
        whole = chain([frame.schema.empty_table() if first is None else first], pieces)
        return write_pieces((piece.drop_columns(RECORD_ID) for piece in whole), path, like)

    def _ordered(self, frame: LotsFrame[L]) -> LotsFrame[L]:
        """The frame with its records in the order of their ids, in parts of adjacent ids."""
        if frame.is_ordered:
            return frame
        return replace(frame, lots=self.carrier.mapped(self._in_ranges(frame), in_order), is_ordered=True)

    def _in_ranges(self, frame: LotsFrame[L]) -> L:
        """Lots in tasks of adjacent ids, in the order of these; within a task in any order."""
        if frame.is_ordered:
            return frame.lots
        n_parts = self._n_parts(frame)
        return self.carrier.to_parts(frame.lots, partial(_id_parts, frame.ids, n_parts), n_parts)


def _no_counts(frame: LotsFrame[L], names: Sequence[str]) -> pa.Table:
    fields = [frame.schema.field(name) for name in names]
    return plain_schema(pa.schema([*fields, pa.field(COUNT, pa.int64())])).empty_table()


def _each_lot(fn: RowFunction, lots: Iterator[pa.Table]) -> Iterator[pa.Table]:
    return map(fn, lots)


def _part_of_task(of: Callable[[pa.Table], P], lots: Iterator[pa.Table]) -> P | None:
    """The part of a total; None where there are no lots. These are joined first: many parts take as long for few
    records as for many."""
    tables = list(lots)
    return of(pa.concat_tables(tables, promote_options="permissive")) if tables else None


def _sum(parts: Iterator[P | None], nothing: Callable[[], P]) -> P:
    found = (part for part in parts if part is not None)
    first = next(found, None)
    return nothing() if first is None else reduce(add, found, first)


def _counted(names: Sequence[str], lots: Iterator[pa.Table]) -> Iterator[pa.Table]:
    tables = list(lots)
    if tables:
        yield count_combinations(pa.concat_tables(tables, promote_options="permissive"), list(names)).to_table()


def _counted_again(names: Sequence[str], lots: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """Counts of combinations that were counted task by task."""
    tables = list(lots)
    if tables:
        counts = CountTable.of(pa.concat_tables(tables, promote_options="permissive").unify_dictionaries())
        yield counts.by(list(names)).to_table()


def _class_parts(classes: Sequence[str], n_parts: int, counts: pa.Table) -> Labels:
    return (row_hashes(counts, classes) % np.uint64(n_parts)).astype(np.int64)


def _block_parts(n_parts: int, table: pa.Table) -> Labels:
    blocks = table[BLOCK].to_numpy().astype(np.uint64)
    return (mixed_bits(blocks + np.uint64(1)) % np.uint64(n_parts)).astype(np.int64)


def _id_parts(ids: IdRange, n_parts: int, table: pa.Table) -> Labels:
    """Parts of equal ranges of ids: these are positions, or evenly spread over all numbers."""
    width = float(ids.greatest) - float(ids.least) + 1.0
    shares = (table[RECORD_ID].to_numpy().astype(np.float64) - float(ids.least)) / width
    return np.clip((shares * n_parts).astype(np.int64), 0, n_parts - 1)


def _at_places(places: Labels, lot: pa.Table) -> pa.Table:
    """The records whose ids are among the places."""
    ids = lot[RECORD_ID].to_numpy()
    at = np.searchsorted(places, ids)
    return lot.filter(pa.array(places[np.minimum(at, len(places) - 1)] == ids))


def _each_block(
    fn: BlockFunction, most_bytes: int, memory: int, engine: str, lots: Iterator[pa.Table]
) -> Iterator[pa.Table]:
    """The results of ``fn`` for the blocks of a part, one after the other."""
    tables = list(lots)
    if not tables:
        return
    table = pa.concat_tables(tables, promote_options="permissive")
    blocks, ids = (table[name].to_numpy() for name in (BLOCK, RECORD_ID))
    order = np.lexsort((ids, blocks))
    ordered = table.drop_columns(BLOCK).take(order).combine_chunks()
    numbers, starts = np.unique(blocks[order], return_index=True)
    for number, start, end in zip(numbers.tolist(), starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True):
        block = ordered.slice(start, end - start)
        if block.nbytes > most_bytes:
            raise EngineError.large_block(len(block), memory, engine)
        yield fn(number, block)
