"""The folders whose files Studio may open and write. Symbolic links are resolved before a path is judged."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from shoal.errors import SourceError, StudioError
from shoal.sources.formats import format_of
from shoal.sources.table_parts import has_parts, is_written_in_parts, parts_of


@dataclass(frozen=True)
class AllowedFolders:
    roots: tuple[Path, ...]  # resolved

    @classmethod
    def of(cls, folders: Iterable[Path]) -> Self:
        roots = tuple(dict.fromkeys(_real(folder) for folder in folders))
        for root in roots:
            if not root.is_dir():
                raise StudioError.folder_not_found(root)
        return cls(roots)

    def resolved(self, path: str) -> Path:
        """The real path; raises StudioError where it is not in one of the folders."""
        if not path.isprintable() or ".." in Path(path).parts:
            raise StudioError.outside(self.roots)
        real = _real(self.roots[0] / path)
        if not self.hold(real):
            raise StudioError.outside(self.roots)
        return real

    def table(self, path: str) -> Path:
        """The same for a table: all of its parts must be in the folders, too."""
        real = self.resolved(path)
        if has_parts(real) and not all(map(self.hold, parts_of(real))):
            raise StudioError.outside(self.roots)
        return real

    def hold(self, path: Path) -> bool:
        """Whether the path, with links resolved, is in one of the folders."""
        real = _real(path)
        return any(root == real or root in real.parents for root in self.roots)

    def check_named(self, files: Iterable[Path]) -> None:
        """Raises StudioError for a file that a policy names and that is not in one of the folders."""
        for file in files:
            if not self.hold(file):
                raise StudioError.names_file_outside(file.name, self.roots)

    def check_targets(self, files: Iterable[Path]) -> None:
        """Raises StudioError for a file to be read or written beside others whose name is a link that leads out."""
        for file in files:
            if not self.hold(file):
                raise StudioError.leads_out(file, self.roots)

    def listing(self, path: str | None) -> dict[str, Any]:
        """Folders and tables in a folder, as JSON; hidden ones and links that lead out are left out."""
        folder = self.roots[0] if path is None else self.resolved(path)
        entries = list(self._entries(folder))
        is_root = folder in self.roots
        return {
            "path": str(folder),
            "parent": None if is_root else str(folder.parent),
            "roots": [str(root) for root in self.roots],
            "folders": [each.name for each in entries if each.is_dir() and not is_written_in_parts(each)],
            "files": [_file(each) for each in entries if _is_table(each)],
        }

    def _entries(self, folder: Path) -> Iterator[Path]:
        try:
            found = sorted(folder.iterdir(), key=lambda each: each.name.casefold())
        except OSError:
            raise StudioError.no_folder(folder) from None
        return (each for each in found if _is_shown(each.name) and self.hold(each))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_shown(name: str) -> bool:
    return name.isprintable() and not name.startswith(".")


def _is_table(path: Path) -> bool:
    if path.is_dir():
        return is_written_in_parts(path)
    try:
        format_of(path)
    except SourceError:
        return False
    return path.is_file()


def _file(path: Path) -> dict[str, Any]:
    return {"name": path.name, "size": path.stat().st_size, "readable": os.access(path, os.R_OK)}
