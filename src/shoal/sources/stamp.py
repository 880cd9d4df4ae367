"""Stamp: what tells that a file is still the one that was seen first."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from shoal.errors import SourceError

TAIL = 1 << 16  # bytes: the footer of a Parquet file, or its end, which tells of all row groups


@dataclass(frozen=True)
class Stamp:
    size: int
    modified: int  # nanoseconds
    file: int  # another file under the same name has another number
    tail: str  # SHA-256 of its last bytes
    touched: int  # nanoseconds: when content, name or mode last changed. Nobody can set it

    @classmethod
    def of(cls, path: Path) -> Self:
        about = path.stat()
        with path.open("rb") as stream:
            stream.seek(max(0, about.st_size - TAIL))
            tail = hashlib.sha256(stream.read(TAIL)).hexdigest()
        return cls(about.st_size, about.st_mtime_ns, about.st_ino, tail, about.st_ctime_ns)

    def whatever_its_name(self) -> Self:
        """Less what a new name changes."""
        return replace(self, touched=0)

    def check(self, path: Path) -> None:
        """A release is made of one state of the original, or not at all."""
        try:
            same = type(self).of(path) == self
        except OSError:
            same = False
        if not same:
            raise SourceError.changed(path)
