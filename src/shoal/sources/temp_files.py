"""Temporary files: files and folders that only a running Shoal needs, named after its process and locked while it runs.

The system releases the locks of a process that ends, for whatever reason. So the next run recognizes what a crash left
behind, and never confuses it with files of a running process, even one on another machine that shares the disk.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.operating_system import NO_FOLLOW, lock_own

NAME = re.compile(r"\.shoal-(\d+)-(\d+)-[0-9a-f]{16}(\..*)?")


def new_temp_name(suffix: str = "") -> str:
    """A name with the process id and the start time of the process."""
    return f".shoal-{os.getpid()}-{_start_time(os.getpid())}-{secrets.token_hex(8)}{suffix}"


def new_unlocked_name() -> str:
    """A name for what is not locked yet: no run removes it."""
    return f".{secrets.token_hex(8)}"


def abandoned_temp_files(folder: Path) -> list[Path]:
    """What dead runs left in this folder."""
    return [path for path in temp_files_in(folder) if not _is_running(path) and _is_unlocked(path)]


@contextmanager
def locked_temp_file(path: Path) -> Iterator[bool]:
    """Whether the file is ours and locked by us while the block lasts: of several runs that clean up, one handles it.

    A file of another user is never locked: a journal of theirs could name files of ours.
    """
    try:
        handle = os.open(path, os.O_RDONLY | NO_FOLLOW)
    except OSError:
        yield False
        return
    try:
        yield lock_own(handle)
    finally:
        os.close(handle)


def temp_files_in(folder: Path) -> list[Path]:
    """All temporary files, of running and of dead processes."""
    try:
        return [path for path in folder.iterdir() if NAME.fullmatch(path.name)]
    except OSError:
        return []


def run_id(path: Path) -> str:
    """The process id and the start time in the name of a temporary file."""
    return "-".join(path.name.split("-")[1:3])


def _is_running(path: Path) -> bool:
    """Whether the process in the name is running: one with another start time is another process."""
    found = NAME.fullmatch(path.name)
    return found is not None and _start_time(int(found[1])) == int(found[2]) != 0


def _is_unlocked(path: Path) -> bool:
    """Whether it is ours and nobody holds the lock, here or on another machine."""
    with locked_temp_file(path) as is_locked:
        return is_locked


def _start_time(pid: int) -> int:
    """When a process started, in ticks since the machine did; 0 where that is unknown or there is no such process."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(after_name[19])
    except (OSError, IndexError, ValueError):
        return 0
