"""The process of a job, as Studio sees it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection

from shoal.studio.messages import Message
from shoal.studio.tasks import Task


class JobProcess:
    """Starts at once. It has a session of its own: Ctrl-C in the shell reaches Studio alone, which then stops it."""

    def __init__(self, task: Task) -> None:
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
        with suppress(OSError):  # it is dead already, which its end will show
            self._connection.send(task)

    @property
    def pid(self) -> int:
        return self._process.pid

    def messages(self) -> Iterator[Message]:
        """All messages until it ends; to be read in a thread."""
        with suppress(EOFError, OSError):
            while True:
                yield self._connection.recv()

    def stop(self) -> None:
        """Asks it to clean up and end."""
        self._process.terminate()

    def kill(self) -> None:
        """Ends it with all processes that it started."""
        with suppress(ProcessLookupError, PermissionError):  # all of them have ended
            os.killpg(self._process.pid, signal.SIGKILL)

    def ended(self) -> str:
        """How it ended, in words; waits for that. Processes that it left behind are ended, too."""
        code = self._process.wait()
        self.kill()
        self._connection.close()
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
