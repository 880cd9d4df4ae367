"""The carrier that runs processes of this machine, over files in a private folder."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.ipc as ipc

from shoal import progress
from shoal.engines.lots.lot_carrier import LotFunction, Opener, PartFunction, R
from shoal.engines.lots.openers import InFiles
from shoal.engines.lots.stored_lots import StoredLots, common_types, select
from shoal.engines.lots.task_outcome import TaskOutcome
from shoal.engines.private_folder import PrivateFolder
from shoal.engines.spill import OPTIONS
from shoal.errors import EngineError

SMALL_FUNCTION = 1 << 15  # bytes of a function that is passed on with every task
FN = TypeVar("FN", bound=Callable[..., Any])


@dataclass(frozen=True)
class Task:
    """Records, and the functions that are applied when they are read."""

    opener: Opener
    functions: tuple[LotFunction, ...] = ()

    @property
    def n_records(self) -> int | None:
        return None if self.functions else self.opener.n_records

    def only(self, names: Sequence[str]) -> Task:
        if self.functions:
            return replace(self, functions=(*self.functions, partial(select, list(names))))
        return Task(self.opener.only(names))

    def lots(self) -> Iterator[pa.Table]:
        lots = self.opener()
        for fn in self.functions:
            lots = fn(lots)
        return lots


@dataclass(frozen=True)
class ProcessLots:
    tasks: tuple[Task, ...]

    @property
    def n_tasks(self) -> int:
        return len(self.tasks)

    @property
    def n_records(self) -> int | None:
        known = [task.n_records for task in self.tasks]
        return None if None in known else sum(each or 0 for each in known)


class Processes:
    """Workers are started with the first task and stopped by ``close``."""

    name = "processes"

    def __init__(self, folder: PrivateFolder, n_workers: int, most_records: int) -> None:
        """``most_records``: of a lot."""
        self._folder, self._n_workers, self._most_records = folder, n_workers, most_records

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        context = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
        context.set_forkserver_preload(_loaded_modules())
        pool = ProcessPoolExecutor(self._n_workers, mp_context=context, initializer=_start_worker)
        try:  # before there is any work, so that a worker that cannot begin is told from one that work has stopped
            pool.submit(os.getpid).result()
        except (
            RuntimeError,
            EOFError,
            ConnectionError,
        ):  # the first: of the pool, and within a worker that starts some
            raise EngineError.no_worker_started(getattr(sys.modules["__main__"], "__file__", None)) from None
        return pool

    def close(self) -> None:
        if "_pool" in self.__dict__:
            self._pool.shutdown(cancel_futures=True)

    def opened(self, openers: Sequence[Opener]) -> ProcessLots:
        return ProcessLots(tuple(map(Task, openers)))

    def only(self, lots: ProcessLots, names: Sequence[str]) -> ProcessLots:
        return ProcessLots(tuple(task.only(names) for task in lots.tasks))

    def mapped(self, lots: ProcessLots, fn: LotFunction) -> ProcessLots:
        shared = self._shared(fn)
        return ProcessLots(tuple(replace(task, functions=(*task.functions, shared)) for task in lots.tasks))

    def to_parts(self, lots: ProcessLots, part_of: PartFunction, n_parts: int) -> ProcessLots:
        shared, most = self._shared(part_of), self._most_records
        writers = [
            partial(_write_parts, task, shared, n_parts, self._folder.new_file(".arrow"), most) for task in lots.tasks
        ]
        files = list(self._run("sorting records", writers))
        schema = common_types(file.schema for file in files)
        parts = [[one for file in files for one in file.part(at)] for at in range(n_parts)]
        return self.opened([InFiles(tuple(part), schema) for part in parts])

    def kept(self, lots: ProcessLots) -> ProcessLots:
        files = list(self._run("working on records", self._writers(lots)))
        schema = common_types(file.schema for file in files)
        return self.opened([InFiles(file.part(0), schema, file.n_records) for file in files])

    def _writers(self, lots: ProcessLots) -> list[Callable[[], LotFile]]:
        most = self._most_records
        return [partial(_write_lots, task, self._folder.new_file(".arrow"), most) for task in lots.tasks]

    def results(self, lots: ProcessLots, of: Callable[[Iterator[pa.Table]], R]) -> Iterator[R]:
        shared = self._shared(of)
        return self._run("reading records", [partial(_result, task, shared) for task in lots.tasks])

    def tables(self, lots: ProcessLots) -> Iterator[pa.Table]:
        for file in self._run("reading records", self._writers(lots)):
            yield from InFiles(file.part(0), file.schema)()
            file.path.unlink()

    def first(self, lots: ProcessLots) -> pa.Table:
        lots_of_tasks = (lot for task in lots.tasks for lot in task.lots())
        found: pa.Table = TaskOutcome.of(partial(next, lots_of_tasks)).value(self._folder.path.parent)
        return found

    def _shared(self, fn: FN) -> FN | InFunctionFile:
        """The function itself, or a file that holds it, where it is large: it is then read once by every worker."""
        content = pickle.dumps(fn)
        if len(content) <= SMALL_FUNCTION:
            return fn
        path = self._folder.new_file(".pickle")
        path.write_bytes(content)
        return InFunctionFile(path)

    def _run(self, what: str, jobs: Sequence[Callable[[], R]]) -> Iterator[R]:
        """The results of all jobs, in their order; at most a few of them wait to be taken."""
        waiting: list[Future[TaskOutcome[R]]] = []
        with progress.stage(what, len(jobs)) as at:
            try:
                remaining = iter(jobs)
                n_done = 0
                while True:
                    while len(waiting) < 2 * self._n_workers and (job := next(remaining, None)) is not None:
                        waiting.append(self._pool.submit(TaskOutcome.of, job))
                    if not waiting:
                        return
                    result = waiting.pop(0).result().value(self._folder.path.parent)
                    at(n_done := n_done + 1)
                    yield result
            except (BrokenProcessPool, EOFError, ConnectionError):  # the last two: of the process that starts workers
                raise EngineError.worker_died() from None
            finally:
                for future in waiting:
                    future.cancel()
                wait(waiting)  # what is being written is done before it is removed


@dataclass(frozen=True)
class InFunctionFile:
    """A function that is pickled in a file of the private folder."""

    path: Path

    def __call__(self, *args: Any) -> Any:
        return _unpickled(self.path)(*args)


@lru_cache(maxsize=8)
def _unpickled(path: Path) -> Callable[..., Any]:
    found: Callable[..., Any] = pickle.loads(path.read_bytes())
    return found


@dataclass(frozen=True)
class LotFile:
    """A file of lots: the numbers of its batches, by part."""

    path: Path
    batches: tuple[tuple[int, ...], ...]
    schema: pa.Schema  # without columns where there are no lots
    n_records: int

    def part(self, at: int) -> tuple[tuple[Path, tuple[int, ...]], ...]:
        """The file with the batches of a part; nothing if it has none."""
        return ((self.path, self.batches[at]),) if self.batches[at] else ()


def _loaded_modules() -> list[str]:
    """What this process has of Shoal: loaded once for all workers, which else load it one by one."""
    return sorted(name for name in sys.modules if f"{name}.".startswith("shoal."))


def _start_worker() -> None:
    """Ctrl-C is handled by the process that waits for the workers, which uses all cores by itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pa.set_cpu_count(1)
    os.environ["OMP_NUM_THREADS"] = "1"


def _result(task: Task, of: Callable[[Iterator[pa.Table]], R]) -> R:
    return of(task.lots())


def _write_lots(task: Task, path: Path, most_records: int) -> LotFile:
    stored = StoredLots.of(task.lots())
    return _write_file(stored, path, [stored.batches(most_records)])


def _write_parts(task: Task, part_of: PartFunction, n_parts: int, path: Path, most_records: int) -> LotFile:
    stored = StoredLots.of(task.lots())
    if not stored.tables:
        return LotFile(path, ((),) * n_parts, stored.schema, 0)
    return _write_file(stored, path, stored.in_parts(part_of, n_parts, most_records))


def _write_file(stored: StoredLots, path: Path, parts: Iterable[list[pa.RecordBatch]]) -> LotFile:
    numbers: list[tuple[int, ...]] = []
    n_batches = 0
    with ipc.new_file(str(path), stored.plain, options=OPTIONS) as writer:
        for batches in parts:
            for batch in batches:
                writer.write_batch(batch)
            numbers.append(tuple(range(n_batches, n_batches + len(batches))))
            n_batches += len(batches)
    return LotFile(path, tuple(numbers), stored.schema, stored.n_records)
