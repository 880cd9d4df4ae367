"""The processes of jobs, as Studio sees them: one that has everything ready, and runs each job in a copy of itself."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from typing import Self

from shoal.studio.messages import Message
from shoal.studio.tasks import Task

GONE = (EOFError, OSError)


class JobStarter:
    """Imports at once what jobs need, so that a job begins when it is asked for. It has a session of its own: Ctrl-C in
    the shell reaches Studio alone, which then stops it."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        # -P: a file of the current folder, where data are, is never taken for a module.
        command = [sys.executable, "-P", "-m", "shoal.studio.worker", str(theirs.fileno())]
        quiet = subprocess.DEVNULL  # a traceback may quote a cell
        with theirs:
            self._process = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                stdin=quiet,
                stdout=quiet,
                stderr=quiet,
            )
        self._connection = Connection(ours.detach())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.wait()

    def start(self, task: Task) -> JobProcess:
        """A process that works on the task. The last one has ended."""
        if self._process.poll() is not None:  # somebody killed it
            self._connection.close()
            self._begin()
        ours, theirs = socket.socketpair()
        with theirs:
            send_handle(self._connection, theirs.fileno(), self._process.pid)
            pid: int = self._connection.recv()
        return JobProcess(pid, task, Connection(ours.detach()), self._connection)


class JobProcess:
    def __init__(self, pid: int, task: Task, connection: Connection, starter: Connection) -> None:
        """``starter``: tells how it ended."""
        self.pid, self._connection, self._starter = pid, connection, starter
        with suppress(OSError):  # it is dead already, which its end will show
            self._connection.send(task)

    def messages(self) -> Iterator[Message]:
        """All messages until it ends; to be read in a thread."""
        with suppress(*GONE):
            while True:
                yield self._connection.recv()

    def stop(self) -> None:
        """Asks it to clean up and end."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Ends it with all processes that it started."""
        with suppress(ProcessLookupError, PermissionError):  # all of them have ended
            os.killpg(self.pid, signal.SIGKILL)

    def ended(self) -> str:
        """How it ended, in words; waits for that. Processes that it left behind are ended, too."""
        try:
            code: int = self._starter.recv()
        except GONE:
            return "the process that started it has ended"
        finally:
            self.kill()
            self._connection.close()
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
