"""Leftovers of dead runs in a folder, undone or removed by the next run."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from shoal.sources.journal import OLD, SUFFIX, Journal
from shoal.sources.temp_files import dead_traces, run_of, taken, traces


def sweep(folder: Path) -> None:
    """Handles journals first: they state which files an unfinished run had renamed, and which it had set aside."""
    for path in dead_traces(folder):
        if path.suffix == SUFFIX:
            _undo(path)
    # A journal that remains is another user's, or waits for a folder; files that were set aside wait with it.
    waiting = {run_of(path) for path in traces(folder) if path.suffix == SUFFIX}
    for path in dead_traces(folder):
        if run_of(path) not in waiting or path.suffix not in (SUFFIX, OLD):
            _remove(path)


def _undo(path: Path) -> None:
    with taken(path) as is_ours:
        journal = Journal.read(path) if is_ours else None
        if journal is not None:
            journal.undo()
        elif is_ours:
            path.unlink()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(PermissionError):  # another user's
        path.unlink(missing_ok=True)
