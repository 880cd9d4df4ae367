"""FileState: identifies a file, or all parts of a folder, and their state, to detect whether they have changed since
they were first read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from shoal.errors import SourceError
from shoal.sources.table_parts import has_parts, is_pattern, parts_of

TAIL = 1 << 16  # bytes: the footer of a Parquet file, or its end, which describes all row groups


@dataclass(frozen=True)
class FileState:
    size: int
    modified: int  # nanoseconds
    file: int  # inode: another file under the same name has another number
    tail: str  # SHA-256 of its last bytes; of a folder, of names and states of its parts
    touched: int  # nanoseconds: last change of content, name or mode; users cannot set it

    @classmethod
    def of(cls, path: Path) -> Self:
        return cls._of_parts(path) if has_parts(path) else cls._of_file(path)

    @classmethod
    def _of_parts(cls, path: Path) -> Self:
        """Of all parts together, with the number of their folder."""
        parts = {part.name: cls._of_file(part) for part in parts_of(path)}
        folder = path.parent if is_pattern(path) else path
        tails = hashlib.sha256(repr([(name, part.ignoring_rename()) for name, part in parts.items()]).encode())
        return cls(
            sum(part.size for part in parts.values()),
            max(part.modified for part in parts.values()),
            folder.stat().st_ino,
            tails.hexdigest(),
            max(part.touched for part in parts.values()),
        )

    @classmethod
    def _of_file(cls, path: Path) -> Self:
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
        except (OSError, SourceError):  # gone, or no longer a folder of parts
            is_unchanged = False
        if not is_unchanged:
            raise SourceError.file_changed(path)
