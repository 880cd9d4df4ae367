"""Atomic writing of files and folders: either all of them are complete, or the previous files are unchanged."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from shoal import progress
from shoal.errors import PartsError, ShoalError, SourceError
from shoal.operating_system import open_locked, sync
from shoal.sources.disk_space import FULL
from shoal.sources.journal import Journal
from shoal.sources.leftovers import remove_leftovers
from shoal.sources.naming import rename_without_replacing
from shoal.sources.private import FILE_MODE, FOLDER_MODE, create_private, create_private_folder
from shoal.sources.table_parts import parts_of
from shoal.sources.target import Target
from shoal.sources.temp_files import new_temp_name

NO_NEW_FILES = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS)  # of a folder, as of /proc
EXECUTABLE = 0o111
NAMING = "naming the files"  # the stage of progress that is notified of every step


@contextmanager
def whole_file(
    path: Path | str, *, force: bool = False, inputs: Iterable[Path | str] = (), private: bool = False
) -> Iterator[Path]:
    """The draft of one file, as in `whole_files`."""
    with whole_files([Target.of(path, private=private)], force=force, inputs=inputs) as (draft,):
        yield draft


@contextmanager
def whole_files(
    targets: Sequence[Target], *, force: bool = False, inputs: Iterable[Path | str] = ()
) -> Iterator[list[Path]]:
    """Drafts next to their targets, renamed to them when the block ends without an error: one by one, in order, so that
    whoever sees the last target sees all.

    A draft is readable by its owner only, has the target's extension, and is removed whatever goes wrong. An input is
    never replaced; another file only with ``force``, and it is restored if something goes wrong. Leftovers of killed
    runs are removed first. An error raised in the block names the target, never the draft.
    """
    sources = [Path(source) for source in inputs]
    if len({target.path for target in targets}) < len(targets):
        raise SourceError.same_target()
    for target in targets:
        if target.path.parent in {other.path for other in targets}:
            raise PartsError.within_release(target.path)
    for folder in _folders(targets):
        remove_leftovers(folder)
    _check(targets, force, sources)
    with ExitStack() as opened:
        drafts: list[Draft] = []
        with _plain_errors(drafts, targets):
            drafts.extend(opened.enter_context(Draft.of(target)) for target in targets)
            yield [draft.path for draft in drafts]
            for draft in drafts:
                draft.sync()
            _check(targets, force, sources)  # the files may have changed meanwhile
            _rename(drafts, force)


@dataclass(frozen=True)
class Draft:
    path: Path
    target: Target
    default_mode: int  # that open() would give

    @classmethod
    @contextmanager
    def of(cls, target: Target) -> Iterator[Self]:
        """Creates an empty file, or folder, that only its owner may read; removes it at the end."""
        folder = target.path.parent
        try:
            create = create_private_folder if target.is_folder else create_private
            path = create(folder / new_temp_name("".join(target.path.suffixes)))
        except OSError as error:
            error.filename = str(target.path)
            if error.errno in NO_NEW_FILES:
                raise SourceError.folder_not_writable(target.path) from None
            raise
        try:
            handle = open_locked(path)
            try:
                yield cls(path, target, _default_mode(target))
            finally:
                os.close(handle)
        finally:
            if target.is_folder:
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def sync(self) -> None:
        for part in parts_of(self.path) if self.target.is_folder else ():
            sync(part)
        sync(self.path)

    def set_final_mode(self) -> None:
        """Sets the mode of the file that it replaces, or the usual one; a private file stays private."""
        target = self.target
        mode = target.path.stat().st_mode & 0o777 if target.path.exists() and not target.private else self.default_mode
        if target.is_folder:
            for part in parts_of(self.path):
                part.chmod(mode & ~EXECUTABLE)
        self.path.chmod(mode)


def _folders(targets: Sequence[Target]) -> list[Path]:
    return list(dict.fromkeys(target.path.parent for target in targets))


def _check(targets: Sequence[Target], force: bool, inputs: list[Path]) -> None:
    for target in targets:
        target.check(force, inputs)


def _default_mode(target: Target) -> int:
    """The mode of a newly created, empty file or folder."""
    if target.private:
        return FOLDER_MODE if target.is_folder else FILE_MODE
    probe = target.path.parent / new_temp_name()
    if target.is_folder:
        probe.mkdir()
        mode = probe.stat().st_mode & 0o777
        probe.rmdir()
        return mode
    handle = os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)  # reduced by the umask, as usual
    try:
        return os.fstat(handle).st_mode & 0o777
    finally:
        os.close(handle)
        probe.unlink()


def _rename(drafts: Sequence[Draft], force: bool) -> None:
    for draft in drafts:
        draft.set_final_mode()
    match drafts:
        case [one] if force and not one.target.is_folder:
            one.path.replace(one.target.path)
        case [one] if not force:
            rename_without_replacing(one.path, one.target.path)
        case [_, *_]:  # also a folder that may replace another: this takes two steps
            _rename_together(drafts, force)
    for folder in _folders([draft.target for draft in drafts]):
        sync(folder)


def _rename_together(drafts: Sequence[Draft], force: bool) -> None:
    journal = Journal.of([(draft.path, draft.target.path) for draft in drafts])
    with progress.stage(NAMING, 0) as at, ExitStack() as locks:
        try:
            steps = journal.rename_all([draft.path for draft in drafts], locks, force=force)
            for n_done, _ in enumerate(steps, 1):
                at(n_done)
        except BaseException:
            if not journal.is_done():  # else all files have their names already
                journal.undo()
                raise
            journal.remove()


@contextmanager
def _plain_errors(drafts: list[Draft], targets: Sequence[Target]) -> Iterator[None]:
    """Errors of readers, writers and the system, with targets named in place of drafts."""
    try:
        yield
    except ShoalError as error:
        text = _with_targets(str(error), drafts)
        if text == str(error):
            raise
        raise type(error)(text) from None
    except OSError as error:
        concerned = [draft.target for draft in drafts if _is_within(error.filename, draft.path)]
        if concerned:
            error.filename = str(concerned[0].path)
        for target in (*concerned, *targets)[:1]:
            if error.errno in FULL:
                raise SourceError.disk_full(target.path) from None
            if error.errno == errno.EFBIG:
                raise SourceError.file_too_large(target.path) from None
        raise


def _is_within(name: object, draft: Path) -> bool:
    return isinstance(name, str) and (draft == Path(name) or draft in Path(name).parents)


def _with_targets(text: str, drafts: Sequence[Draft]) -> str:
    for draft in drafts:
        path, target = draft.path, draft.target.path
        text = text.replace(str(path), str(target)).replace(path.name, target.name)
    return text
