"""Leftovers: what a dead run left in a folder is undone or removed by the next one."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from shoal.sources.journal import OLD, SUFFIX, Journal
from shoal.sources.traces import dead_traces, run_of, taken, traces


def sweep(folder: Path) -> None:
    """Journals first: they say which files an unfinished run had named, and which it had set aside."""
    for path in dead_traces(folder):
        if path.suffix == SUFFIX:
            _undo(path)
    # A journal that is still there is of somebody else, or waits for a folder; what was set aside waits with it.
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
    with suppress(PermissionError):  # not ours
        path.unlink(missing_ok=True)
