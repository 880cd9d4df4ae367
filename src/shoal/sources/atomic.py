"""Atomic files: a file is there whole, or the old one is there untouched."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.errors import ShoalError, SourceError
from shoal.sources.traces import lock, new_trace, sweep

FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def whole_file(
    path: Path | str, *, force: bool = False, inputs: Iterable[Path | str] = (), private: bool = False
) -> Iterator[Path]:
    """A temporary path beside the target, which takes the target's place when the block ends well.

    The temporary file is readable by its owner only, has the target's extension, and is removed whatever
    goes wrong. An input is never replaced; another file only with ``force``. A ``private`` file stays readable
    by its owner only. A complaint raised inside names the target, never the temporary file.
    """
    target = Path(path).resolve()  # through a link, to the file that it names
    sources = [Path(source) for source in inputs]
    _check(target, force, sources)
    sweep(target.parent)
    with _disk_errors(target):
        draft, mode = _draft(target)
        held = lock(draft)
        try:
            with _renamed(draft, target):
                yield draft
            _sync(draft)
            _check(target, force, sources)  # much may have happened in the meantime
            draft.chmod(_mode(target, mode, private))
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        finally:
            os.close(held)
        _sync(target.parent)


def _check(target: Path, force: bool, inputs: list[Path]) -> None:
    if target.is_dir():
        raise SourceError.is_folder(target)
    if not target.parent.is_dir():
        raise SourceError.no_folder(target)
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise SourceError.folder_not_writable(target)
    if not target.exists():
        return
    if any(source.exists() and target.samefile(source) for source in inputs):
        raise SourceError.would_replace_input(target)
    if not force:
        raise SourceError.exists(target)


def _draft(target: Path) -> tuple[Path, int]:
    """An empty file that only its owner may read, and the mode that a usual open() would have given it."""
    draft = target.with_name(new_trace("".join(target.suffixes)))
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)  # less the umask, as ever
    try:
        mode = os.fstat(handle).st_mode & 0o777
        os.fchmod(handle, 0o600)
    finally:
        os.close(handle)
    return draft, mode


def _mode(target: Path, usual: int, private: bool) -> int:
    if private:
        return 0o600
    return target.stat().st_mode & 0o777 if target.exists() else usual


@contextmanager
def _renamed(draft: Path, target: Path) -> Iterator[None]:
    """The complaints of readers and writers, with the name that the user knows."""
    try:
        yield
    except ShoalError as error:
        if draft.name not in str(error):
            raise
        raise type(error)(str(error).replace(str(draft), str(target)).replace(draft.name, target.name)) from None
    except OSError as error:
        if error.filename is not None and Path(error.filename) == draft:
            error.filename = str(target)
        raise


def _sync(path: Path) -> None:
    """Have it on the disk, not only in the memory of the machine."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _disk_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise SourceError.disk_full(target) from None
        raise
