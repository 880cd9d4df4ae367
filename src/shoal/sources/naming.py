"""Naming: a draft takes the name of its target, and never the place of a file that is there."""

from __future__ import annotations

import os
from pathlib import Path

from shoal.errors import SourceError


def take_name(draft: Path, target: Path) -> None:
    """The draft is called ``target`` from now on. A file of that name is left alone, which is an error."""
    try:
        os.link(draft, target, follow_symlinks=False)
    except FileExistsError:
        raise SourceError.exists(target) from None
    except OSError:  # a disk without links
        _take_reserved_name(draft, target)
    else:
        draft.unlink()


def _take_reserved_name(draft: Path, target: Path) -> None:
    """By an empty file that nobody had before, which the draft replaces."""
    try:
        handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        raise SourceError.exists(target) from None
    try:
        if not _is_reserved(handle, target):
            raise SourceError.exists(target)
        draft.replace(target)
    except OSError:
        target.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)


def _is_reserved(handle: int, target: Path) -> bool:
    """Whether the name is still that of our own empty file."""
    ours, there = os.fstat(handle), target.lstat()
    return os.path.samestat(ours, there) and there.st_size == 0
