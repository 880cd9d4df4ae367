"""Renaming of a draft, a file or a folder, to its target, which never replaces an existing file."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from shoal.errors import SourceError
from shoal.operating_system import link

TAKEN = (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR)  # a name that a folder cannot take


def rename_without_replacing(draft: Path, target: Path) -> None:
    """Renames the draft to ``target``; raises SourceError where a file of that name exists, which is not changed."""
    if draft.is_dir():
        _rename_folder(draft, target)
        return
    try:
        link(draft, target)
    except FileExistsError:
        raise SourceError.already_exists(target) from None
    except OSError:  # a file system without hard links
        _rename_to_reserved_name(draft, target)
    else:
        draft.unlink()


def _rename_folder(draft: Path, target: Path) -> None:
    """The system replaces an empty folder, and nothing else, by a folder."""
    try:
        draft.rename(target)
    except OSError as error:
        if error.errno in TAKEN:
            raise SourceError.already_exists(target) from None
        raise


def _rename_to_reserved_name(draft: Path, target: Path) -> None:
    """Reserves the name by a new, empty file, which the draft then replaces."""
    try:
        handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        raise SourceError.already_exists(target) from None
    try:
        if not _is_reserved(handle, target):
            raise SourceError.already_exists(target)
        draft.replace(target)
    except OSError:
        target.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)


def _is_reserved(handle: int, target: Path) -> bool:
    """Whether the name is still that of our own empty file."""
    ours, current = os.fstat(handle), target.lstat()
    return os.path.samestat(ours, current) and current.st_size == 0
