"""Target: a file or folder to be written, and whether it may be."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from shoal.errors import PartsError, SourceError
from shoal.sources.formats import check_no_loop
from shoal.sources.table_parts import is_written_in_parts, would_be_part

PART = re.compile("part-[0-9]{5}.parquet")


@dataclass(frozen=True)
class Target:
    """A file to be written, or a folder of parts, by its extension."""

    path: Path  # with symbolic links resolved
    private: bool = False  # only its owner may read it

    @classmethod
    def of(cls, path: Path | str, *, private: bool = False) -> Self:
        return cls(real_path(path), private)

    def check(self, force: bool, inputs: list[Path]) -> None:
        path = self.path
        if path.is_dir() and not self.is_folder:
            raise SourceError.target_is_folder(path)
        if not path.parent.is_dir():
            raise SourceError.no_folder(path)
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise SourceError.folder_not_writable(path)
        for source in inputs:
            if would_be_part(path, source):
                raise PartsError.within_input(path, source)
        if not path.exists():
            return
        if self.is_folder:
            _check_replaceable(path)
        elif not path.is_file():
            raise SourceError.not_regular_file(path)
        if any(_is_or_holds(path, source) for source in inputs):
            raise SourceError.would_replace_input(path)
        if not force:
            raise SourceError.already_exists(path)

    @property
    def is_folder(self) -> bool:
        return is_written_in_parts(self.path)


def real_path(path: Path | str) -> Path:
    """The path with symbolic links resolved."""
    check_no_loop(Path(path))
    return Path(os.path.realpath(path))


def _check_replaceable(folder: Path) -> None:
    """Raises unless there is nothing in the folder but parts of a release: replacing it removes all of it."""
    if not folder.is_dir():
        raise PartsError.target_is_file(folder)
    others = sorted(each.name for each in folder.iterdir() if not PART.fullmatch(each.name) or not each.is_file())
    if others:
        raise PartsError.foreign_files(folder, others)


def _is_or_holds(path: Path, source: Path) -> bool:
    """Whether the input ``source`` is this file, or in this folder."""
    return any(each.exists() and path.samefile(each) for each in (source, *Path(os.path.realpath(source)).parents))
