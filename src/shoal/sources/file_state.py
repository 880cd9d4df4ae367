"""FileState: identifies a file and its state, to detect whether it has changed since it was first read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from shoal.errors import SourceError

TAIL = 1 << 16  # bytes: the footer of a Parquet file, or its end, which describes all row groups


@dataclass(frozen=True)
class FileState:
    size: int
    modified: int  # nanoseconds
    file: int  # inode: another file under the same name has another number
    tail: str  # SHA-256 of its last bytes
    touched: int  # nanoseconds: last change of content, name or mode; users cannot set it

    @classmethod
    def of(cls, path: Path) -> Self:
        about = path.stat()
        with path.open("rb") as stream:
            stream.seek(max(0, about.st_size - TAIL))
            tail = hashlib.sha256(stream.read(TAIL)).hexdigest()
        return cls(about.st_size, about.st_mtime_ns, about.st_ino, tail, about.st_ctime_ns)

    def ignoring_rename(self) -> Self:
        """The state without what a rename changes."""
        return replace(self, touched=0)

    def check(self, path: Path) -> None:
        """Raises where the file has changed: a release is made from one state of the original, or not at all."""
        try:
            is_unchanged = type(self).of(path) == self
        except OSError:
            is_unchanged = False
        if not is_unchanged:
            raise SourceError.file_changed(path)
