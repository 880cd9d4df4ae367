"""Atomic writing of files: either all of them are complete, or the previous files are unchanged."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from shoal import progress
from shoal.errors import ShoalError, SourceError
from shoal.sources.disk_space import FULL
from shoal.sources.formats import check_no_loop
from shoal.sources.journal import Journal, sync
from shoal.sources.leftovers import remove_leftovers
from shoal.sources.naming import rename_without_replacing
from shoal.sources.private import FILE_MODE, create_private
from shoal.sources.temp_files import lock, new_temp_name

NO_NEW_FILES = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS)  # of a folder, as of /proc
NAMING = "naming the files"  # the stage of progress that is notified of every step


@dataclass(frozen=True)
class Target:
    """A file to be written."""

    path: Path  # with symbolic links resolved
    private: bool = False  # only its owner may read it

    @classmethod
    def of(cls, path: Path | str, *, private: bool = False) -> Self:
        return cls(real_path(path), private)

    def check(self, force: bool, inputs: list[Path]) -> None:
        path = self.path
        if path.is_dir():
            raise SourceError.is_folder(path)
        if not path.parent.is_dir():
            raise SourceError.no_folder(path)
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise SourceError.folder_not_writable(path)
        if not path.exists():
            return
        if not path.is_file():
            raise SourceError.not_regular_file(path)
        if any(source.exists() and path.samefile(source) for source in inputs):
            raise SourceError.would_replace_input(path)
        if not force:
            raise SourceError.already_exists(path)


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
    for folder in _folders(targets):
        remove_leftovers(folder)
    _check(targets, force, sources)
    with ExitStack() as opened:
        drafts: list[Draft] = []
        with _plain_errors(drafts, targets):
            drafts.extend(opened.enter_context(Draft.of(target)) for target in targets)
            yield [draft.path for draft in drafts]
            for draft in drafts:
                sync(draft.path)
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
        """Creates an empty file that only its owner may read; removes it at the end."""
        folder = target.path.parent
        try:
            path = create_private(folder / new_temp_name("".join(target.path.suffixes)))
        except OSError as error:
            error.filename = str(target.path)
            if error.errno in NO_NEW_FILES:
                raise SourceError.folder_not_writable(target.path) from None
            raise
        try:
            handle = lock(path)
            try:
                yield cls(path, target, FILE_MODE if target.private else _default_mode(folder))
            finally:
                os.close(handle)
        finally:
            path.unlink(missing_ok=True)

    def set_final_mode(self) -> None:
        """Sets the mode of the file that it replaces, or the usual one; a private file stays private."""
        target = self.target
        mode = target.path.stat().st_mode & 0o777 if target.path.exists() and not target.private else self.default_mode
        self.path.chmod(mode)


def real_path(path: Path | str) -> Path:
    """The path with symbolic links resolved."""
    check_no_loop(Path(path))
    return Path(os.path.realpath(path))


def _folders(targets: Sequence[Target]) -> list[Path]:
    return list(dict.fromkeys(target.path.parent for target in targets))


def _check(targets: Sequence[Target], force: bool, inputs: list[Path]) -> None:
    for target in targets:
        target.check(force, inputs)


def _default_mode(folder: Path) -> int:
    """The mode of a newly created, empty file."""
    probe = folder / new_temp_name()
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
        case [one] if force:
            one.path.replace(one.target.path)
        case [one]:
            rename_without_replacing(one.path, one.target.path)
        case [_, *_]:
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
        concerned = [draft.target for draft in drafts if str(draft.path) == str(error.filename)]
        if concerned:
            error.filename = str(concerned[0].path)
        for target in (*concerned, *targets)[:1]:
            if error.errno in FULL:
                raise SourceError.disk_full(target.path) from None
            if error.errno == errno.EFBIG:
                raise SourceError.file_too_large(target.path) from None
        raise


def _with_targets(text: str, drafts: Sequence[Draft]) -> str:
    for draft in drafts:
        path, target = draft.path, draft.target.path
        text = text.replace(str(path), str(target)).replace(path.name, target.name)
    return text
