"""Private files, which contain information on the original. Those that Shoal creates are readable by their owner only,
from the moment they exist; of those that the user provides, a note is given where others can read them.

This is the only list of them; command line, documentation and report use the same sentence.
"""

from __future__ import annotations

import os
from pathlib import Path

from shoal.operating_system import NO_FOLLOW, set_mode

CREATED_FILES = {
    "mapping": "states the group of every record",
    "certificate": "names values where the search cut",
    "report": "shows figures of the original",
    "private": "states the input, policy, key and seed of a release",
    "key": "determines all random draws of a release",
    "spill": "holds records during a run",
}
USER_FILES = {
    "pseudonym key": "turns names into pseudonyms",
    "truth": "states to whom each released record belongs",
}
PRIVATE_FILES_NOTE = (
    "Private files contain information on the original and must never be handed out. Those that Shoal creates "
    f"({', '.join(CREATED_FILES)}) can be read only by their owner (mode 0600, folders 0700). For those that you "
    f"create ({', '.join(USER_FILES)}), a note warns you if others can read them."
)
SHORT_PRIVATE_FILES_NOTE = "Private files must never be handed out."  # where the whole note was given before
FILE_MODE, FOLDER_MODE = 0o600, 0o700


def create_private(path: Path) -> Path:
    """Creates a new, empty file, whatever the umask; it is never readable by others, not even while it is empty."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | NO_FOLLOW, FILE_MODE)
    try:
        set_mode(handle, path, FILE_MODE)
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
