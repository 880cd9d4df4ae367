"""Progress of the jobs of Spark within their stage: how many of their tasks are done.

A client of Spark Connect is told by its server. A session without it is asked twice a second; it knows the tasks of all
who share it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from shoal import progress

SECONDS = 0.5  # between two questions

Stages = Iterable[tuple[int, int]]  # of each stage of Spark: tasks, and how many of them are done
Report = Callable[[Stages], None]


@contextmanager
def reported(session: Any, n_steps: int, at: progress.Advance) -> Iterator[None]:
    """Calls ``at`` while jobs run, which are ``n_steps`` together."""

    def report(stages: Stages) -> None:
        known = list(stages)
        if n_tasks := sum(n for n, _ in known):
            at(n_steps * sum(n for _, n in known) // n_tasks)

    is_client = type(session).__module__.startswith("pyspark.sql.connect")
    with _told(session, report) if is_client else _asked(session, report):
        yield


@contextmanager
def _told(session: Any, report: Report) -> Iterator[None]:
    def handler(stages: Iterable[Any], **_: object) -> None:
        report((stage.num_tasks, stage.num_completed_tasks) for stage in stages)

    session.registerProgressHandler(handler)
    try:
        yield
    finally:
        session.removeProgressHandler(handler)


@contextmanager
def _asked(session: Any, report: Report) -> Iterator[None]:
    from py4j.protocol import Py4JError

    tracker, is_over = session.sparkContext.statusTracker(), threading.Event()

    def ask() -> None:
        with suppress(Py4JError, OSError):  # Spark has gone: the job says so
            while not is_over.wait(SECONDS):
                found = map(tracker.getStageInfo, tracker.getActiveStageIds())
                report((stage.numTasks, stage.numCompletedTasks) for stage in found if stage)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    try:
        yield
    finally:
        is_over.set()
        asking.join()
