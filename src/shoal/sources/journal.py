"""Journal of files and folders that are about to be renamed together, so that a later run can undo this after a crash.

A copy is next to the files, in every folder that has one of them, from before the first file is renamed until all are.
The last file decides: if it has its name, all have, and nothing is undone; nor is anything where one copy of the
journal is gone. A file is only removed while it is the very one that the dead run drafted (by its state), and a file
that was set aside for it is restored. A folder may be unavailable, such as a disk that is not mounted: what can be
accessed is undone, and the journal stays for the rest; where the folder of the last file is unavailable, it is unknown
whether all was done, and nothing is undone yet.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from shoal.errors import SourceError
from shoal.operating_system import open_locked, sync
from shoal.sources.file_state import FileState
from shoal.sources.naming import rename_without_replacing
from shoal.sources.private import create_private
from shoal.sources.table_parts import parts_of
from shoal.sources.temp_files import abandoned_temp_files, new_temp_name, new_unlocked_name, temp_files_in

SUFFIX, OLD = ".journal", ".old"


@dataclass(frozen=True)
class JournalEntry:
    """A file, or a folder of parts, that is to get the name ``path``."""

    path: Path
    file_state: FileState  # of the draft, whatever its name
    old: Path  # where the file that has the name now is moved

    @classmethod
    def of(cls, draft: Path, target: Path) -> Self:
        file_state = FileState.of(draft).ignoring_rename()
        return cls(target, file_state, target.with_name(new_temp_name(OLD)))

    def is_renamed(self) -> bool:
        """Whether the file that was drafted has its name."""
        try:
            return self.path.exists() and FileState.of(self.path).ignoring_rename() == self.file_state
        except (OSError, SourceError):  # of a folder that is none of parts
            return False

    def set_aside(self) -> Iterator[int]:
        """Moves the old file to another name; yields the handle of its lock, so that other runs do not remove it."""
        if self.path.exists():
            yield open_locked(self.path)
            self.path.rename(self.old)

    def restore(self) -> None:
        """Moves the old file back to its name. A file of somebody else that has the name meanwhile stays."""
        if self.old.exists() and not self.path.exists():
            with suppress(SourceError):
                rename_without_replacing(self.old, self.path)


@dataclass(frozen=True)
class Journal:
    entries: tuple[JournalEntry, ...]  # in the order of renaming
    copies: tuple[Path, ...]  # of this journal, one in each folder

    @classmethod
    def of(cls, drafts: Sequence[tuple[Path, Path]]) -> Self:
        """``drafts``: each draft with its target."""
        folders = dict.fromkeys(target.parent for _, target in drafts)
        return cls(
            tuple(JournalEntry.of(draft, target) for draft, target in drafts),
            tuple(folder / new_temp_name(SUFFIX) for folder in folders),
        )

    def rename_all(self, drafts: Sequence[Path], locks: ExitStack, *, force: bool) -> Iterator[None]:
        """Renames all drafts step by step, so that a test can stop after each. ``locks`` keeps the locks on files that
        other runs must not remove meanwhile."""
        for path in self.copies:
            locks.callback(os.close, self._write(path))
            yield
        self._check_no_other_run()
        # The last file first: from then on nothing indicates that they are complete.
        for entry in reversed(self.entries) if force else ():
            for handle in entry.set_aside():
                locks.callback(os.close, handle)
            yield
        for draft, entry in zip(drafts, self.entries, strict=True):
            if entry is self.entries[-1]:
                self._sync()
            rename_without_replacing(draft, entry.path)
            yield
        self._sync()
        for path in self._own_files:
            _remove(path)
            yield

    def _check_no_other_run(self) -> None:
        """Raises where another run is renaming drafts to the same files at the same time."""
        paths = {os.path.realpath(entry.path) for entry in self.entries}
        others = {path for copy in self.copies for path in _active_journals(copy.parent)}
        for other in filter(None, map(self.read, sorted(others - set(self.copies)))):
            for entry in other.entries:
                if os.path.realpath(entry.path) in paths:
                    raise SourceError.another_run(entry.path)

    def _sync(self) -> None:
        for path in self.copies:
            sync(path.parent)

    def _write(self, path: Path) -> int:
        draft = create_private(path.with_name(new_unlocked_name()))
        try:
            draft.write_text(self._as_json(path.parent), encoding="utf-8")
            sync(draft)
            handle = open_locked(draft)
            draft.rename(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        sync(path.parent)
        return handle

    def _as_json(self, folder: Path) -> str:
        """The journal as text, with paths relative to its folder, since folders may move."""

        def relative(path: Path) -> str:
            return os.path.relpath(path, folder)

        entries = [
            {"path": relative(each.path), "old": relative(each.old), "stamp": asdict(each.file_state)}
            for each in self.entries
        ]
        return json.dumps({"entries": entries, "copies": [relative(path) for path in self.copies]})

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """None for a file that only has such a name, is gone or is not readable."""
        folder = path.parent
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            entries = tuple(
                JournalEntry(folder / one["path"], FileState(**one["stamp"]), folder / one["old"])
                for one in content["entries"]
            )
            return cls(entries, tuple(folder / copy for copy in content["copies"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def is_done(self) -> bool:
        return self.entries[-1].is_renamed()

    def undo(self) -> None:
        """Restores the state before any renaming, unless all was done, and removes the journal, unless a folder is
        unavailable."""
        if self._has_nothing_to_undo():
            self.remove()
        elif _is_accessible(self.entries[-1].path.parent):
            accessible = [entry for entry in self.entries if _is_accessible(entry.path.parent)]
            for entry in reversed(accessible):
                if entry.is_renamed():
                    _remove_written(entry.path)
            for entry in accessible:
                entry.restore()
            if len(accessible) == len(self.entries):
                self.remove()

    def _has_nothing_to_undo(self) -> bool:
        """Whether all was done or a copy is gone from its folder. Copies exist from before the first file is renamed
        until all are, so nothing is to be undone then."""
        return self.is_done() or any(_is_accessible(copy.parent) and not copy.exists() for copy in self.copies)

    def remove(self) -> None:
        """Removes the journal first: what was set aside is only needed as long as something may be undone."""
        for path in self._own_files:
            if _is_accessible(path.parent):
                _remove(path)

    @property
    def _own_files(self) -> tuple[Path, ...]:
        return (*self.copies, *(entry.old for entry in self.entries))


def _remove(path: Path) -> None:
    """Removes a file of a run, or a folder that it set aside."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _remove_written(path: Path) -> None:
    """Removes a file that a run wrote; of a folder the parts, and the folder unless somebody put something there."""
    if not path.is_dir():
        path.unlink()
        return
    for part in parts_of(path):
        part.unlink()
    with suppress(OSError):
        path.rmdir()


def _active_journals(folder: Path) -> set[Path]:
    """The journals of this folder whose run may still be active; others wait for a folder that is unavailable."""
    return {path for path in set(temp_files_in(folder)) - set(abandoned_temp_files(folder)) if path.suffix == SUFFIX}


def _is_accessible(folder: Path) -> bool:
    """Whether files of this folder can be removed and renamed."""
    return os.access(folder, os.W_OK | os.X_OK)
