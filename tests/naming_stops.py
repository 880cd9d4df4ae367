"""Stops and kills while files take their names, and what is left in a folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from shoal import progress
from shoal.sources.atomic import NAMING

KILLED = 9  # the exit code of a process that was killed
MOST_STEPS = 30  # of a naming
Contents = dict[str, str]


def contents(folder: Path) -> Contents:
    """Of all files, traces too."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def stopping(after: int, stop: Callable[[], None]) -> progress.Listener:
    """Stops in the moment after so many steps of the naming."""

    @contextlib.contextmanager
    def hear(what: str, total: int) -> Iterator[progress.Advance]:
        yield lambda done: stop() if what == NAMING and done == after else None

    return hear


def is_killed(after: int, write: Callable[[], None]) -> bool:
    """Whether there was such a step: a process of its own dies there, as by ``kill -9``."""
    child = os.fork()
    if not child:
        with progress.report_to(stopping(after, lambda: os._exit(KILLED))):
            write()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


def no_links(*args: object, **how: object) -> None:
    """In place of ``os.link``, on a disk without hard links."""
    raise PermissionError


def steps() -> Iterator[int]:
    return iter(range(1, MOST_STEPS))
