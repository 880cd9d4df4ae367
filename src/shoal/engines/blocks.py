"""Blocks side by side on threads: the kernels let go of the interpreter, so they run at the same time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import pyarrow as pa

from shoal import progress
from shoal.engines.protocol import BlockFunction

AHEAD = 4 * (os.cpu_count() or 1)  # blocks that are waited for


@dataclass(frozen=True)
class Block:
    id: int
    records: pa.Table


def each_block(
    blocks: Iterable[Block], fn: BlockFunction, n_records: int, most_bytes: int | None = None
) -> Iterator[pa.Table]:
    """What ``fn`` makes of every block, in their order; ``most_bytes`` of them are worked on at a time."""
    with progress.stage("grouping records", n_records) as at, ThreadPoolExecutor(os.cpu_count()) as threads:
        at_work, n_done = _AtWork(), 0
        try:
            for block in blocks:
                at_work.add(block, threads.submit(fn, block.id, block.records))
                while at_work.is_full(most_bytes):
                    yield (made := at_work.next())
                    at(n_done := n_done + len(made))
            while at_work.waiting:
                yield (made := at_work.next())
                at(n_done := n_done + len(made))
        finally:
            at_work.cancel()


class _AtWork:
    def __init__(self) -> None:
        self.waiting: deque[tuple[int, Future[pa.Table]]] = deque()
        self._n_bytes = 0

    def add(self, block: Block, result: Future[pa.Table]) -> None:
        self.waiting.append((block.records.nbytes, result))
        self._n_bytes += block.records.nbytes

    def is_full(self, most_bytes: int | None) -> bool:
        return len(self.waiting) > AHEAD or (most_bytes is not None and self._n_bytes > most_bytes)

    def next(self) -> pa.Table:
        """The result of the block that came first."""
        n_bytes, result = self.waiting.popleft()
        self._n_bytes -= n_bytes
        return result.result()

    def cancel(self) -> None:
        for _, result in self.waiting:
            result.cancel()
