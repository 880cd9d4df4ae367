"""DuckDB, which sorts and counts what does not fit into memory. Its errors show cells of the data, so none is passed
on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Any

import pyarrow as pa

from shoal.encode.combination_counts import COUNT
from shoal.engines.duckdb.type_bridge import TypeBridge, column_name
from shoal.engines.memory_budget import Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.errors import EngineError


class Database:
    """Runs every query in a DuckDB that runs no other. When it is answered, the DuckDB is closed, with its memory and
    its files; one is kept for the next query as long as none had to write files: opening one takes longer than a small
    query."""

    def __init__(self, budget: Budget, folder: PrivateFolder, n_records: int) -> None:
        """``n_records``: how many come back at a time."""
        self._budget, self._folder, self._n_records = budget, folder, n_records
        self.most_spilled = 0  # the most bytes that DuckDB had on disk at a time
        self._kept: list[Any] = []  # no connection, or one

    def close(self) -> None:
        while self._kept:
            self._kept.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        """The one that was kept, else a new one; closed after an error, and where the answer was not wanted to its
        end."""
        connection = self._kept.pop() if self._kept else self._connect()
        try:
            yield connection
            connection.unregister("records")
        except BaseException:
            connection.close()
            raise
        self._kept.append(connection)
        if self.most_spilled or len(self._kept) > 1:
            self._kept.pop().close()

    def _connect(self) -> Any:
        import duckdb

        return duckdb.connect(
            config={
                "memory_limit": f"{self._budget.database}B",
                "temp_directory": str(self._folder.path / "duckdb"),
                "threads": self._budget.n_threads,
                "preserve_insertion_order": False,
            }
        )

    def in_order(self, bridge: TypeBridge, pieces: Iterable[pa.Table], by: Sequence[str]) -> Iterator[pa.Table]:
        """All records, sorted by integer columns."""
        keys = ", ".join(bridge.name_in_duckdb(name) for name in by)
        query = f"select * from records order by {keys}"
        for batch in self._answer(query, bridge.duckdb_schema, map(bridge.to_duckdb, pieces)):
            yield bridge.from_duckdb(batch.columns)

    def counts(
        self, bridge: TypeBridge, pieces: Iterable[pa.Table], together: int, n_pieces: int
    ) -> Iterator[pa.Table]:
        """A row per combination, with its number of records last; combinations that are equal on the first ``together``
        columns are in the same piece."""
        columns = ", ".join(map(column_name, range(len(bridge.types))))
        alike = ", ".join(map(column_name, range(together)))
        query = f"select {columns}, count(*)::bigint as n from records group by {columns}"
        if together == len(bridge.types):  # every row is a class of its own
            for batch in self._answer(query, bridge.duckdb_schema, map(bridge.to_duckdb, pieces)):
                yield self._to_counts(bridge, [batch])
        else:
            query = f"select *, hash({alike}) % {n_pieces} as piece from ({query}) order by piece"
            for rows in runs_by_key(self._answer(query, bridge.duckdb_schema, map(bridge.to_duckdb, pieces)), "piece"):
                yield self._to_counts(bridge, rows)

    def _to_counts(self, bridge: TypeBridge, rows: list[pa.RecordBatch]) -> pa.Table:
        table = pa.Table.from_batches(rows)
        values = bridge.from_duckdb([table[column_name(at)].combine_chunks() for at in range(len(bridge.types))])
        return pa.table([*values.columns, table["n"]], names=[*bridge.schema.names, COUNT])

    def _answer(self, query: str, schema: pa.Schema, records: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The answer, batch by batch. An error while records are fetched is raised unchanged."""
        fetched = _InputStream(records)
        with (
            self._plain_errors(fetched),
            self._connection() as connection,
            _interruptible(connection) as run_and_wait,
        ):
            connection.register("records", pa.RecordBatchReader.from_batches(schema, fetched))
            answer = run_and_wait(lambda: connection.sql(query).to_arrow_reader(self._n_records))
            while (batch := run_and_wait(lambda: next(answer, None))) is not None:
                self.most_spilled = max(self.most_spilled, self._spilled())
                if len(batch):
                    yield batch

    def _spilled(self) -> int:
        """Bytes of files of DuckDB, which removes some of them at any time."""
        n_bytes = 0
        for path in (self._folder.path / "duckdb").glob("*"):
            with suppress(FileNotFoundError):
                n_bytes += path.stat().st_size
        return n_bytes

    @contextmanager
    def _plain_errors(self, fetched: _InputStream) -> Iterator[None]:
        import duckdb

        try:
            yield
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            if fetched.fault is not None:
                raise fetched.fault from None
            words = str(error).lower()
            if "temp_directory" in words or "no space left" in words or "temporary" in words:
                raise EngineError.no_room(self._folder.path.parent) from None
            if isinstance(error, duckdb.OutOfMemoryException) or "memory" in words:
                raise EngineError.out_of_memory(self._budget.memory) from None
            raise EngineError.failed(type(error).__name__) from None


class _InputStream:
    """Records on their way into DuckDB; an error among them is kept, since DuckDB would reduce it to a text."""

    def __init__(self, records: Iterator[pa.RecordBatch]) -> None:
        self._records = records
        self.fault: Exception | None = None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        try:
            yield from self._records
        except Exception as fault:
            self.fault = fault
            raise


@contextmanager
def _interruptible(connection: Any) -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Runs long queries in a thread, so that Ctrl-C is handled while waiting."""
    with ThreadPoolExecutor(1) as thread:

        def run_and_wait(work: Callable[[], Any]) -> Any:
            future = thread.submit(work)
            try:
                return future.result()
            except BaseException:
                connection.interrupt()
                wait([future])
                raise

        yield run_and_wait


def runs_by_key(
    batches: Iterable[pa.RecordBatch], key: str, watch: Callable[[list[pa.RecordBatch]], None] = lambda run: None
) -> Iterator[list[pa.RecordBatch]]:
    """Runs of rows with the same value of ``key``, from batches sorted by it; ``watch`` is called as each run grows."""
    run: list[pa.RecordBatch] = []
    for batch in batches:
        for part in _split_runs(batch, key):
            if run and run[0][key][0] != part[key][0]:
                yield run
                run = []
            run.append(part)
            watch(run)
    if run:
        yield run


def _split_runs(batch: pa.RecordBatch, key: str) -> list[pa.RecordBatch]:
    values = batch[key].to_numpy(zero_copy_only=False)
    borders = [0, *(1 + (values[1:] != values[:-1]).nonzero()[0]).tolist(), len(batch)]
    return [batch.slice(a, b - a) for a, b in pairwise(borders)]
