"""What operating systems do differently: locks of files, memory, flags of opened files, what is written to disk.

Linux and macOS answer by fcntl and resource. On Windows a file that is open cannot be renamed, so nothing is locked
there and what a dead run left is not removed; memory is asked of the system's libraries.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
"""Flag: a symbolic link is not opened."""

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _Memory(ctypes.Structure):
        """MEMORYSTATUSEX."""

        _fields_ = (
            ("length", wintypes.DWORD),
            ("load", wintypes.DWORD),
            *(
                (name, ctypes.c_uint64)
                for name in ("total", "free", "pages", "free_pages", "space", "room", "extended")
            ),
        )

    class _Process(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS."""

        _fields_ = (
            ("length", wintypes.DWORD),
            ("faults", wintypes.DWORD),
            *((name, ctypes.c_size_t) for name in ("peak", "now", "q0", "q1", "q2", "q3", "file", "peak_file")),
        )

    def open_locked(path: Path) -> int:
        """A handle of nothing: an open file could not be renamed."""
        return os.open(os.devnull, os.O_RDONLY)

    def lock_own(handle: int) -> bool:
        return False

    def address_space_limit() -> float:
        return float("inf")

    def peak_memory() -> int:
        found = _Process(length=ctypes.sizeof(_Process))
        process = wintypes.HANDLE(-1)  # this one
        ctypes.windll.psapi.GetProcessMemoryInfo(process, ctypes.byref(found), found.length)
        return int(found.peak)

    def free_memory_of_machine() -> int:
        found = _Memory(length=ctypes.sizeof(_Memory))
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(found))
        return int(found.free)

    def sync(path: Path) -> None:
        """The same for a file; folders are not opened."""
        if path.is_file():
            with path.open("r+b") as opened:
                os.fsync(opened.fileno())

    def link(draft: Path, target: Path) -> None:
        os.link(draft, target)

    def set_mode(handle: int, path: Path, mode: int) -> None:
        """By its name: an opened file has none. Who may read it follows from the folder."""
        path.chmod(mode)

else:
    import fcntl
    import resource

    def open_locked(path: Path) -> int:
        """A handle that keeps a file or folder from being removed by other runs until it is closed."""
        handle = os.open(path, os.O_RDONLY)
        with suppress(OSError):  # a file system without locks: then nothing is removed here
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return handle

    def lock_own(handle: int) -> bool:
        """Locks an opened file; whether it is ours, still has a name, and nobody else had locked it."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found = os.fstat(handle)
            return found.st_nlink > 0 and found.st_uid == os.geteuid()
        except OSError:
            return False

    def address_space_limit() -> float:
        """Bytes that this process may address (ulimit -v)."""
        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        return float("inf") if limit == resource.RLIM_INFINITY else limit

    def peak_memory() -> int:
        """The most bytes that this process has held."""
        unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss counts bytes there, KiB elsewhere
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

    def free_memory_of_machine() -> int:
        """Bytes that the machine could still give; where it does not say, half of what it has."""
        try:
            lines = Path("/proc/meminfo").read_text().splitlines()
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
        except (OSError, StopIteration):
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2

    def sync(path: Path) -> None:
        """Waits until a file, or the names of a folder, are on the disk."""
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def link(draft: Path, target: Path) -> None:
        """Gives a file a second name; raises FileExistsError where it is taken."""
        os.link(draft, target, follow_symlinks=False)

    def set_mode(handle: int, path: Path, mode: int) -> None:
        """Who may read and write an opened file."""
        os.fchmod(handle, mode)
