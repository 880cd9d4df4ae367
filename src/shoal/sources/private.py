"""Private files, which contain information on the original. Those that Shoal creates are readable by their owner only,
from the moment they exist; of those that the user provides, a note is given where others can read them.

This is the only list of them; command line, documentation and report use the same sentence.
"""

from __future__ import annotations

import os
from pathlib import Path

MADE = {
    "mapping": "says the group of every record",
    "certificate": "names values where the search cut",
    "report": "tells figures of the original",
    "private": "says from which input, policy, key and seed a release was made",
    "key": "draws all chance of a release",
    "spill": "holds records while a run lasts",
}
GIVEN = {
    "pseudonym key": "turns names into pseudonyms",
    "truth": "says which released record is whose",
}
NEVER_HANDED_OUT = (
    f"Private files tell of the original and are never handed out. Those that Shoal makes ({', '.join(MADE)}) only "
    f"their owner may read (mode 0600, folders 0700); of those that you make ({', '.join(GIVEN)}) a note says so where "
    "others may read them."
)
FILE_MODE, FOLDER_MODE = 0o600, 0o700


def create_private(path: Path) -> Path:
    """Creates a new, empty file, whatever the umask; it is never readable by others, not even while it is empty."""
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
    """Whether only its owner has any access to it."""
    return not path.stat().st_mode & 0o077
