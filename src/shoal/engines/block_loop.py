"""Parallel work on blocks by threads: the kernels release the interpreter lock, so they run at the same time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby

import pyarrow as pa

from shoal import progress
from shoal.engines.protocol import BlockFunction

RECORDS_PER_JOB = 20_000  # small blocks are given to a thread many at a time
MOST_PENDING_JOBS = 2 * (os.cpu_count() or 1)  # jobs that may be pending


@dataclass(frozen=True)
class Block:
    id: int
    records: pa.Table


Job = list[Block]


def process_blocks(
    blocks: Iterable[Block],
    fn: BlockFunction,
    n_records: int,
    most_bytes: int | None = None,
    *,
    records_per_job: int = RECORDS_PER_JOB,
    ahead: int = MOST_PENDING_JOBS,
) -> Iterator[pa.Table]:
    """The results of ``fn`` for all blocks, in their order; at most about ``most_bytes`` of blocks, and ``ahead`` jobs,
    are in work at a time."""

    def work(job: Job) -> list[pa.Table]:
        return _join_adjacent([fn(block.id, block.records) for block in job])

    with progress.stage("grouping records", n_records) as at, ThreadPoolExecutor(os.cpu_count()) as threads:
        pending, n_done = _PendingJobs(ahead), 0
        try:
            for job in _jobs(blocks, records_per_job):
                pending.add(job, threads.submit(work, job))
                while pending.is_full(most_bytes):
                    yield from (tables := pending.next())
                    at(n_done := n_done + sum(len(table) for table in tables))
            while pending.waiting:
                yield from (tables := pending.next())
                at(n_done := n_done + sum(len(table) for table in tables))
        finally:
            pending.cancel()


def _jobs(blocks: Iterable[Block], n_records: int) -> Iterator[Job]:
    job: Job = []
    n_waiting = 0
    for block in blocks:
        job.append(block)
        n_waiting += len(block.records)
        if n_waiting >= n_records:
            yield job
            job, n_waiting = [], 0
    if job:
        yield job


def _join_adjacent(tables: list[pa.Table]) -> list[pa.Table]:
    """Joins adjacent tables of the same schema: less to write and to read again."""
    runs = groupby(tables, key=lambda table: table.schema)
    return [pa.concat_tables(run).combine_chunks() for _, run in runs]


class _PendingJobs:
    """Submitted jobs, in their order."""

    def __init__(self, most_jobs: int) -> None:
        self._most_jobs = most_jobs
        self.waiting: deque[tuple[int, Future[list[pa.Table]]]] = deque()
        self._n_bytes = 0

    def add(self, job: Job, result: Future[list[pa.Table]]) -> None:
        n_bytes = sum(block.records.nbytes for block in job)
        self.waiting.append((n_bytes, result))
        self._n_bytes += n_bytes

    def is_full(self, most_bytes: int | None) -> bool:
        return len(self.waiting) > self._most_jobs or (most_bytes is not None and self._n_bytes > most_bytes)

    def next(self) -> list[pa.Table]:
        """The result of the oldest job."""
        n_bytes, result = self.waiting.popleft()
        self._n_bytes -= n_bytes
        return result.result()

    def cancel(self) -> None:
        for _, result in self.waiting:
            result.cancel()
