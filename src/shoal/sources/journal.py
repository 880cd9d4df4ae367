"""Journal of the files that are about to be renamed together, so that a later run can undo this after a crash.

A copy is next to the files, in every folder that has one of them, from before the first file is renamed until all are.
The last file decides: if it has its name, all have, and nothing is undone; nor is anything where one copy of the
journal is gone. A file is only removed while it is the very one that the dead run drafted (by its stamp), and a file
that was set aside for it is restored. A folder may be unavailable, such as a disk that is not mounted: what can be
reached is undone, and the journal stays for the rest; where the folder of the last file is unavailable, it is unknown
whether all was done, and nothing is undone yet.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from shoal.errors import SourceError
from shoal.sources.file_state import FileState
from shoal.sources.naming import take_name
from shoal.sources.private import create_private
from shoal.sources.temp_files import dead_traces, lock, new_trace, traces, young_name

SUFFIX, OLD = ".journal", ".old"


@dataclass(frozen=True)
class JournalEntry:
    """A file that is to get the name ``path``."""

    path: Path
    stamp: FileState  # of the draft, whatever its name
    old: Path  # where the file that has the name now is moved

    @classmethod
    def of(cls, draft: Path, target: Path) -> Self:
        stamp = FileState.of(draft).whatever_its_name()
        return cls(target, stamp, target.with_name(new_trace(OLD)))

    def is_named(self) -> bool:
        """Whether the file that was drafted has its name."""
        try:
            return self.path.is_file() and FileState.of(self.path).whatever_its_name() == self.stamp
        except OSError:
            return False

    def set_aside(self) -> Iterator[int]:
        """Moves the old file to another name; yields the handle of its lock, so that other runs do not sweep it."""
        if self.path.exists():
            yield lock(self.path)
            self.path.rename(self.old)

    def give_back(self) -> None:
        """Moves the old file back to its name. A file of somebody else that has the name meanwhile stays."""
        if self.old.exists() and not self.path.exists():
            with suppress(SourceError):
                take_name(self.old, self.path)


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
            tuple(folder / new_trace(SUFFIX) for folder in folders),
        )

    def name_all(self, drafts: Sequence[Path], held: ExitStack, *, force: bool) -> Iterator[None]:
        """Renames all drafts step by step, so that a test can stop after each. ``held`` keeps the locks on what must
        not be swept meanwhile."""
        for path in self.copies:
            held.callback(os.close, self._write(path))
            yield
        self._check_alone()
        # The last file first: from then on nothing indicates that they are complete.
        for entry in reversed(self.entries) if force else ():
            for handle in entry.set_aside():
                held.callback(os.close, handle)
            yield
        for draft, entry in zip(drafts, self.entries, strict=True):
            if entry is self.entries[-1]:
                self._sync()
            take_name(draft, entry.path)
            yield
        self._sync()
        for path in self._own_files:
            path.unlink(missing_ok=True)
            yield

    def _check_alone(self) -> None:
        """Raises where another run is renaming drafts to the same files at the same time."""
        places = {os.path.realpath(entry.path) for entry in self.entries}
        near = {path for copy in self.copies for path in _living(copy.parent)}
        for other in filter(None, map(self.read, sorted(near - set(self.copies)))):
            for entry in other.entries:
                if os.path.realpath(entry.path) in places:
                    raise SourceError.another_run(entry.path)

    def _sync(self) -> None:
        for path in self.copies:
            sync(path.parent)

    def _write(self, path: Path) -> int:
        young = create_private(path.with_name(young_name()))
        try:
            young.write_text(self._seen_from(path.parent), encoding="utf-8")
            sync(young)
            held = lock(young)
            young.rename(path)
        except BaseException:
            young.unlink(missing_ok=True)
            raise
        sync(path.parent)
        return held

    def _seen_from(self, folder: Path) -> str:
        """The journal as text, with paths relative to its folder, since folders may move."""

        def seen(path: Path) -> str:
            return os.path.relpath(path, folder)

        entries = [{"path": seen(e.path), "old": seen(e.old), "stamp": asdict(e.stamp)} for e in self.entries]
        return json.dumps({"entries": entries, "copies": [seen(path) for path in self.copies]})

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
        return self.entries[-1].is_named()

    def undo(self) -> None:
        """Restores the state before any renaming, unless all was done, and removes the journal, unless a folder is
        unavailable."""
        if self._is_settled():
            self.remove()
        elif _is_within_reach(self.entries[-1].path.parent):
            reached = [entry for entry in self.entries if _is_within_reach(entry.path.parent)]
            for entry in reversed(reached):
                if entry.is_named():
                    entry.path.unlink()
            for entry in reached:
                entry.give_back()
            if len(reached) == len(self.entries):
                self.remove()

    def _is_settled(self) -> bool:
        """Whether all was done or a copy is gone from its folder. Copies exist from before the first file is renamed
        until all are, so nothing is to be undone then."""
        return self.is_done() or any(_is_within_reach(copy.parent) and not copy.exists() for copy in self.copies)

    def remove(self) -> None:
        """Removes the journal first: what was set aside is only needed as long as something may be undone."""
        for path in self._own_files:
            if _is_within_reach(path.parent):
                path.unlink(missing_ok=True)

    @property
    def _own_files(self) -> tuple[Path, ...]:
        return (*self.copies, *(entry.old for entry in self.entries))


def _living(folder: Path) -> set[Path]:
    """The journals of this folder whose run may still be active; others wait for a folder that is unavailable."""
    return {path for path in set(traces(folder)) - set(dead_traces(folder)) if path.suffix == SUFFIX}


def _is_within_reach(folder: Path) -> bool:
    """Whether files of this folder can be removed and renamed."""
    return os.access(folder, os.W_OK | os.X_OK)


def sync(path: Path) -> None:
    """Flushes it to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
