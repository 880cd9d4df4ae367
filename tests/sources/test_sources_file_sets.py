"""Files that take their names together: all of them or none, wherever a run is stopped or killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from pathlib import Path

import pytest

from naming_stops import MOST_STEPS, Contents, contents, is_killed, no_links, steps, stopping
from shoal import progress
from shoal.errors import SourceError
from shoal.sources import Target, naming, whole_files
from shoal.sources.journal import SUFFIX
from shoal.sources.leftovers import remove_leftovers
from shoal.sources.temp_files import new_temp_name

NAMES = ("release.csv", "mapping.csv", "elsewhere/report.html", "manifest.json")


def write_all(folder: Path, text: str, *, force: bool = False) -> None:
    targets = [Target.of(folder / name, private=name == "mapping.csv") for name in NAMES]
    with whole_files(targets, force=force) as drafts:
        for name, draft in zip(NAMES, drafts, strict=True):
            draft.write_text(f"{text} {name}")


def whole(text: str) -> Contents:
    return {name: f"{text} {name}" for name in NAMES}


def killed(folder: Path, after: int, *, force: bool) -> bool:
    return is_killed(after, lambda: write_all(folder, "new", force=force))


@pytest.fixture(params=["links", "no links"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """On a disk with hard links, and on one without."""
    if request.param == "no links":
        monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # takes its time, and no machine fails here
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


@pytest.mark.gate(but="links")
def test_killed_after_any_step_leaves_all_or_a_place_that_is_free(folder: Path) -> None:
    for after in steps():
        if not killed(folder, after, force=False):
            break
        seen = contents(folder)
        if "manifest.json" in seen:
            assert whole("new").items() <= seen.items()
            remove_leftovers(folder)
            remove_leftovers(folder / "elsewhere")
            assert contents(folder) == whole("new")
        else:
            write_all(folder, "next")
            assert contents(folder) == whole("next")
        for name in NAMES:
            (folder / name).unlink()
    assert 6 < after < MOST_STEPS - 1


@pytest.mark.gate(but="links")
def test_killed_after_any_step_the_old_ones_come_back_or_the_new_ones_are_whole(folder: Path) -> None:
    for after in steps():
        write_all(folder, "old", force=True)
        if not killed(folder, after, force=True):
            break
        seen = contents(folder)
        agree = [whole(text).items() <= seen.items() for text in ("old", "new")]
        assert "manifest.json" not in seen or any(agree)
        remove_leftovers(folder / ("elsewhere" if after % 2 else "."))
        assert {name: text for name, text in contents(folder).items() if name in NAMES} in (whole("old"), whole("new"))
        remove_leftovers(folder)
        remove_leftovers(folder / "elsewhere")
        assert contents(folder) in (whole("old"), whole("new"))
    assert 12 < after < MOST_STEPS - 1


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("force", [False, True])
def test_stopped_after_any_step(folder: Path, error: type[BaseException], force: bool) -> None:
    def stop() -> None:
        raise error

    before: Contents = {}
    for after in steps():
        if force:
            write_all(folder, "old", force=True)
            before = whole("old")
        is_stopped = False
        try:
            with progress.report_to(stopping(after, stop)):
                write_all(folder, "new", force=force)
        except error:
            is_stopped = True
        assert contents(folder) == (before if is_stopped else whole("new"))
        if not is_stopped:
            break
    assert after > 5


def test_who_comes_after_a_crash_removes_no_file_of_the_user(folder: Path) -> None:
    """The release had its name already; the user wrote another one, of the same bytes, or of the same size."""
    for text in ("new release.csv", "own release.csv"):
        assert killed(folder, 4, force=False)
        assert (folder / "release.csv").read_text() == "new release.csv"
        (folder / "release.csv").unlink()
        (folder / "release.csv").write_text(text)
        remove_leftovers(folder)
        remove_leftovers(folder / "elsewhere")
        assert contents(folder) == {"release.csv": text}
        with pytest.raises(SourceError, match=r"release\.csv already exists"):
            write_all(folder, "next")
        (folder / "release.csv").unlink()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_appears_in_the_middle_is_not_replaced(folder: Path, name: str) -> None:
    """After the last check: another run, or a person."""

    def somebody() -> None:
        (folder / name).write_text("somebody else's")

    with (
        progress.report_to(stopping(2, somebody)),
        pytest.raises(SourceError, match=f"{Path(name).name} already exists"),
    ):
        write_all(folder, "new")
    assert contents(folder) == {name: "somebody else's"}


def test_two_runs_do_not_name_the_same_files_at_once(folder: Path) -> None:
    write_all(folder, "old")

    def another_run() -> None:
        with progress.report_to(stopping(0, another_run)), pytest.raises(SourceError, match="another run"):
            write_all(folder, "other", force=True)

    with progress.report_to(stopping(2, another_run)):
        write_all(folder, "new", force=True)
    assert contents(folder) == whole("new")


def test_a_journal_of_somebody_else_keeps_what_was_set_aside(folder: Path) -> None:
    """Who may not read a journal cannot know what it undoes, and leaves the files that wait for it."""
    write_all(folder, "old")
    assert killed(folder, 5, force=True)
    journal = next(folder.glob(f".shoal-*{SUFFIX}"))
    with journal.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        before = contents(folder)
        remove_leftovers(folder)
        waiting = {name for name in before if name.endswith(".old")}
        assert waiting
        assert waiting <= set(contents(folder))
    remove_leftovers(folder)
    remove_leftovers(folder / "elsewhere")
    assert contents(folder) == whole("old")


def test_a_draft_that_is_called_like_a_journal_is_none(folder: Path) -> None:
    """The draft of x.journal, say."""
    (folder / new_temp_name(SUFFIX).replace(f"-{os.getpid()}-", "-4194304-")).write_text("not JSON")
    remove_leftovers(folder)
    assert contents(folder) == {}


def test_modes_whatever_the_umask(folder: Path) -> None:
    for mask in (0o000, 0o022, 0o777):
        before = os.umask(mask)
        try:
            write_all(folder, "new")
        finally:
            os.umask(before)
        modes = {name: stat.S_IMODE((folder / name).stat().st_mode) for name in NAMES}
        assert modes.pop("mapping.csv") == 0o600
        assert set(modes.values()) == {0o666 & ~mask}
        for name in NAMES:
            (folder / name).unlink()


def test_a_private_draft_is_never_open_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in the moment of its making: who opens it then could read what comes later."""
    made: list[int] = []
    opened = os.open

    def watched(path: str | Path, flags: int, mode: int = 0o777, **how: int) -> int:
        handle = opened(path, flags, mode, **how)
        if flags & os.O_CREAT:
            made.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", watched)
    with whole_files([Target.of(tmp_path / "mapping.csv", private=True)]) as (draft,):
        draft.write_text("private")
    assert made == [0o600]


def test_a_target_that_is_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "a.csv").symlink_to(tmp_path / "b.csv")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    with pytest.raises(SourceError, match=r"a\.csv is a symbolic link that points back to itself"):
        Target.of(tmp_path / "a.csv")


def test_a_folder_may_move_after_a_crash(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    write_all(folder, "old")
    assert killed(folder, 9, force=True)
    moved = tmp_path_factory.mktemp("moved") / "deep"
    shutil.move(folder, moved)
    remove_leftovers(moved)
    remove_leftovers(moved / "elsewhere")
    assert contents(moved) == whole("old")


def test_two_runs_that_share_one_file_of_another_folder(folder: Path) -> None:
    """The first file of the other run lies where the first run has none."""
    write_all(folder, "old")
    (folder / "third").mkdir()
    targets = [Target.of(folder / name) for name in ("third/other.csv", "elsewhere/report.html")]

    def another_run() -> None:
        with (
            progress.report_to(stopping(0, another_run)),
            pytest.raises(SourceError, match="another run"),
            whole_files(targets, force=True),
        ):
            pass

    with progress.report_to(stopping(2, another_run)):
        write_all(folder, "new", force=True)
    assert contents(folder) == whole("new")


def test_only_its_owner_may_read_a_journal(folder: Path) -> None:
    """It tells where private files lie."""
    modes: list[int] = []

    def look() -> None:
        modes.extend(stat.S_IMODE(path.stat().st_mode) for path in folder.rglob(f".shoal-*{SUFFIX}"))

    before = os.umask(0)
    try:
        with progress.report_to(stopping(2, look)):
            write_all(folder, "new")
    finally:
        os.umask(before)
    assert modes == [0o600, 0o600]


@pytest.mark.gate(but="links")
def test_whoever_removes_the_last_file_after_a_crash_loses_no_other(folder: Path) -> None:
    """A journal is never there without what it would bring back, nor undoes what was done when another copy went."""

    def without_last(text: str) -> Contents:
        return {name: content for name, content in whole(text).items() if name != NAMES[-1]}

    for after in steps():
        write_all(folder, "old", force=True)
        if not killed(folder, after, force=True):
            break
        (folder / NAMES[-1]).unlink(missing_ok=True)
        remove_leftovers(folder)
        remove_leftovers(folder / "elsewhere")
        assert contents(folder) in (whole("old"), without_last("old"), without_last("new"))
    assert 12 < after < MOST_STEPS - 1


@pytest.mark.parametrize("is_new", [True, False], ids=["a file of their own", "into the reserved one"])
def test_who_takes_a_reserved_name_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool) -> None:
    """On a disk without links, between the reservation and the draft."""
    target, is_reserved = tmp_path / "release.csv", naming._is_reserved

    def somebody(handle: int, path: Path) -> bool:
        if is_new:
            path.unlink()
        path.write_text("somebody else's")
        return is_reserved(handle, path)

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(naming, "_is_reserved", somebody)
    with pytest.raises(SourceError, match="already exists"), whole_files([Target.of(target)]) as (draft,):
        draft.write_text("ours")
    assert contents(tmp_path) == {"release.csv": "somebody else's"}
