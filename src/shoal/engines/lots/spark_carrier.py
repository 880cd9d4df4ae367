"""The carrier that runs tasks of Spark: lots are rows of a DataFrame (`spark_rows.py`).

Only its DataFrames are used, no RDD and no SparkContext, so that it runs on Spark Connect as well.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from shoal.engines.lots.lot_carrier import LotFunction, Opener, PartFunction, R
from shoal.engines.lots.spark_rows import (
    WORKER_DISKS,
    ByNumber,
    InRows,
    RowMaker,
    RowOpener,
    RowTask,
    check_fault,
    row_of_result,
    rows_of_lots,
    rows_of_parts,
    schema_of,
)
from shoal.engines.lots.spark_session import SparkJobs
from shoal.engines.lots.stored_lots import common_types, select
from shoal.engines.lots.task_outcome import TaskOutcome

FEW_BYTES = 1 << 26  # that are collected at once


@dataclass(frozen=True, eq=False)
class SparkLots:
    rows: Any  # a DataFrame
    opener: RowOpener
    n_tasks: int
    functions: tuple[LotFunction, ...] = ()
    n_stored: int | None = None  # records before the functions are applied; None: not known

    @property
    def n_records(self) -> int | None:
        return None if self.functions else self.n_stored


class SparkCarrier:
    name = "spark"

    def __init__(self, jobs: SparkJobs, most_records: int) -> None:
        """``most_records``: of a lot."""
        self._jobs, self._most_records = jobs, most_records
        self._stored: list[Any] = []

    def close(self) -> None:
        for rows in self._stored:
            self._jobs.forget(rows)
        self._stored.clear()

    def opened(self, openers: Sequence[Opener]) -> SparkLots:
        numbers = self._jobs.numbers(len(openers))
        known = [opener.n_records for opener in openers]
        n_records = None if None in known else sum(each or 0 for each in known)
        return SparkLots(numbers, ByNumber(tuple(openers)), len(openers), n_stored=n_records)

    def only(self, lots: SparkLots, names: Sequence[str]) -> SparkLots:
        if lots.functions:
            return self.mapped(lots, partial(select, list(names)))
        return replace(lots, opener=lots.opener.only(names))

    def mapped(self, lots: SparkLots, fn: LotFunction) -> SparkLots:
        return replace(lots, functions=(*lots.functions, fn))

    def to_parts(self, lots: SparkLots, part_of: PartFunction, n_parts: int) -> SparkLots:
        made = self._made(lots, rows_of_parts(part_of, n_parts, self._most_records))
        return SparkLots(self._jobs.to_parts(made, n_parts), InRows(), n_parts)

    def kept(self, lots: SparkLots) -> SparkLots:
        rows, facts = self._store(lots)
        self._stored.append(rows)
        return SparkLots(rows, InRows(_types(facts)), lots.n_tasks, n_stored=_sum(facts, "n_records"))

    def results(self, lots: SparkLots, of: Callable[[Iterator[pa.Table]], R]) -> Iterator[R]:
        rows = self._made(lots, row_of_result(of)).select("cells", "fault")
        found = self._collected(rows, lots.n_tasks)
        results: list[Any] = found["cells"].to_pylist()
        return map(pickle.loads, results)

    def tables(self, lots: SparkLots) -> Iterator[pa.Table]:
        """Rows are stored by all tasks first, and then read one after the other."""
        rows, facts = self._store(lots)
        opened = InRows(_types(facts))
        try:
            if _sum(facts, "n_bytes") <= FEW_BYTES:
                yield from opened(self._jobs.collect(rows, lots.n_tasks).to_batches())
                return
            for batch in self._jobs.batches(rows):
                yield from opened([batch])
        finally:
            self._jobs.forget(rows)

    def first(self, lots: SparkLots) -> pa.Table:
        stored = self._some(lots)
        for fn in lots.functions:
            stored = fn(stored)
        found: pa.Table = TaskOutcome.of(partial(next, stored)).value(WORKER_DISKS)
        return found

    def _some(self, lots: SparkLots) -> Iterator[pa.Table]:
        """At least one lot, before the functions are applied."""
        if isinstance(lots.opener, ByNumber):
            return (lot for opener in lots.opener.openers for lot in opener())
        rows = lots.rows.filter("n_records > 0 or fault is not null").limit(1)
        found = self._jobs.collect(rows, 1)
        if not len(found):
            found = self._jobs.collect(lots.rows.limit(1), 1)
        return lots.opener(found.to_batches())

    def _store(self, lots: SparkLots) -> tuple[Any, pa.Table]:
        """The rows of all lots, stored, and all of them but their cells."""
        rows = self._jobs.stored(self._made(lots, rows_of_lots(self._most_records)))
        return rows, self._collected(rows.select("n_records", "n_bytes", "types", "fault"), lots.n_tasks)

    def _collected(self, rows: Any, n_tasks: int) -> pa.Table:
        found = self._jobs.collect(rows, n_tasks)
        for fault in found["fault"].drop_null().to_pylist():
            check_fault(fault)
        return found

    def _made(self, lots: SparkLots, make: RowMaker) -> Any:
        return self._jobs.mapped(lots.rows, RowTask.of(lots.opener, lots.functions, make))


def _types(facts: pa.Table) -> pa.Schema:
    """That hold all lots."""
    types: list[Any] = facts["types"].drop_null().unique().to_pylist()
    return common_types(map(schema_of, types))


def _sum(facts: pa.Table, name: str) -> int:
    numbers: list[Any] = facts[name].to_pylist()
    return sum(numbers)
