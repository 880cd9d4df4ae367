"""The process of a job: ``python -m shoal.studio.worker HANDLE``. It gets a task over a socket and tells what it does.

It stops at SIGTERM, as the shell does, and where Studio itself is gone: the pipeline then removes its drafts.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from types import FrameType

from shoal import progress
from shoal.errors.plain_error import plain_error
from shoal.studio.messages import Answered, Canceled, Done, Failed, Message, StageAt, StageBegan, StageEnded
from shoal.studio.tasks import Task

SECONDS_BETWEEN = 0.1  # of two messages about the same stage


def main() -> None:
    connection = Connection(int(sys.argv[1]))
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
