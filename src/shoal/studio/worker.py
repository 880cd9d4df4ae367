"""Jobs: ``python -m shoal.studio.worker HANDLE`` imports what jobs need, and runs each in a copy of itself.

A job gets a socket, over which its task comes and it tells what it does. It stops at SIGTERM, as the shell does, and
where Studio itself is gone: the pipeline then removes its drafts.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from types import FrameType
from typing import NoReturn

from shoal import progress
from shoal.errors.plain_error import plain_error
from shoal.policy import json_schema
from shoal.studio.messages import Answered, Canceled, Done, Failed, Message, StageAt, StageBegan, StageEnded
from shoal.studio.tasks import Task

SECONDS_BETWEEN = 0.1  # of two messages about the same stage
# What jobs import when they run, or parts of them do.
NEEDED = (
    "shoal.linkage.intruder",
    "shoal.pipeline.compare",
    "shoal.pipeline.page_check",
    "shoal.pipeline.profile",
    "shoal.pipeline.protect.forecast",
    "shoal.pipeline.protect.protect",
    "shoal.policy.propose",
    "shoal.report.outline",
    "shoal.report.profile_outline",
    "altair",
    "pyarrow.csv",
    "scipy.optimize",
)


def main() -> None:
    """Starts one job after the other, until Studio is gone."""
    orders = Connection(int(sys.argv[1]))
    for name in NEEDED:
        import_module(name)
    json_schema()  # is kept: every policy is checked by it
    with suppress(OSError, EOFError):
        while True:
            handle = recv_handle(orders)
            pid = os.fork()
            if pid == 0:
                orders.close()
                _work(Connection(handle))
            os.close(handle)
            orders.send(pid)
            _, status = os.waitpid(pid, 0)
            orders.send(os.waitstatus_to_exitcode(status))


def _work(connection: Connection) -> NoReturn:
    """One job, from its task to its end."""
    os.setsid()  # processes that it starts are ended with it
    signal.signal(signal.SIGTERM, _stop)
    outcome: Message
    try:
        task: Task = connection.recv()
        threading.Thread(target=_watch, args=[connection], daemon=True).start()
        with progress.report_to(StageReports(connection).listener):
            task.run(lambda value: connection.send(Answered(value)))
        outcome = Done()
    except KeyboardInterrupt:
        outcome = Canceled()
    except Exception as error:
        outcome = Failed(plain_error(error).lines)
    with suppress(OSError):  # Studio is gone
        connection.send(outcome)
    sys.exit()


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # cleaning up is not interrupted
    raise KeyboardInterrupt


def _watch(connection: Connection) -> None:
    """Stops this process where Studio ends: nothing is ever sent after the task."""
    with suppress(OSError, EOFError):
        connection.recv()
    os.kill(os.getpid(), signal.SIGTERM)


class StageReports:
    """Stages of progress as messages, not more often than somebody can read."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._n_stages = connection, 0

    @contextmanager
    def listener(self, what: str, total: int) -> Iterator[progress.Advance]:
        self._n_stages += 1
        number, sent_at = self._n_stages, 0.0

        def advance(done: int) -> None:
            nonlocal sent_at
            if time.monotonic() - sent_at >= SECONDS_BETWEEN:
                sent_at = time.monotonic()
                self._connection.send(StageAt(number, done))

        self._connection.send(StageBegan(number, what, total))
        try:
            yield advance
        finally:
            self._connection.send(StageEnded(number))


if __name__ == "__main__":
    main()
