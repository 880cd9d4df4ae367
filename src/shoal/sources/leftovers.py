"""Leftovers of dead runs in a folder, undone or removed by the next run."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from shoal.sources.journal import OLD, SUFFIX, Journal
from shoal.sources.temp_files import abandoned_temp_files, locked_temp_file, run_id, temp_files_in


def remove_leftovers(folder: Path) -> None:
    """Handles journals first: they state which files an unfinished run had renamed, and which it had set aside."""
    for path in abandoned_temp_files(folder):
        if path.suffix == SUFFIX:
            _undo(path)
    # A journal that remains is another user's, or waits for a folder; files that were set aside wait with it.
    runs_with_journal = {run_id(path) for path in temp_files_in(folder) if path.suffix == SUFFIX}
    for path in abandoned_temp_files(folder):
        if run_id(path) not in runs_with_journal or path.suffix not in (SUFFIX, OLD):
            _remove(path)


def _undo(path: Path) -> None:
    with locked_temp_file(path) as is_locked:
        journal = Journal.read(path) if is_locked else None
        if journal is not None:
            journal.undo()
        elif is_locked:
            path.unlink()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(PermissionError):  # another user's
        path.unlink(missing_ok=True)
