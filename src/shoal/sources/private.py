"""Private files: they tell of the original, so only their owner may read them, from the moment they are there.

This is the one list of them; shell, documents and report say the one sentence.
"""

from __future__ import annotations

import os
from pathlib import Path

PRIVATE = {
    "key": "turns names into pseudonyms",
    "truth": "says which released record is whose",
    "mapping": "says the group of every record",
    "certificate": "names values where the search cut",
    "spill": "holds records while a run lasts",
}
NEVER_HANDED_OUT = (
    f"Private files ({', '.join(PRIVATE)}) tell of the original: only their owner may read them (mode 0600, folders "
    "0700), and they are never handed out."
)
FILE_MODE, FOLDER_MODE = 0o600, 0o700


def create_private(path: Path) -> Path:
    """A new, empty file, whatever the umask; it is never readable by others, not even while it is empty."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, FILE_MODE)
    try:
        os.fchmod(handle, FILE_MODE)
    finally:
        os.close(handle)
    return path


def create_private_folder(path: Path) -> Path:
    path.mkdir(mode=FOLDER_MODE)
    path.chmod(FOLDER_MODE)
    return path


def is_private(path: Path) -> bool:
    """Whether nobody but its owner may read it."""
    return not path.stat().st_mode & 0o077
