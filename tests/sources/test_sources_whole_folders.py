"""Folders of parts take their names like files: whole or not at all, wherever a run is stopped or killed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from naming_stops import MOST_STEPS, Contents, contents, is_killed, steps, stopping
from shoal import progress
from shoal.errors import PartsError, SourceError
from shoal.sources import Target, whole_file, whole_files
from shoal.sources.leftovers import remove_leftovers
from shoal.sources.table_parts import part_name

N_PARTS = {"old": 3, "new": 2, "next": 1}


def write_all(folder: Path, text: str, *, force: bool = False, private: bool = False) -> None:
    targets = [Target.of(folder / "release.parts", private=private), Target.of(folder / "manifest.json")]
    with whole_files(targets, force=force) as (release, manifest):
        fill(release, text)
        manifest.write_text(text)


def fill(draft: Path, text: str) -> None:
    for number in range(N_PARTS[text]):
        (draft / part_name(number)).write_text(f"{text} {number}")


def whole(text: str) -> Contents:
    parts = {f"release.parts/{part_name(number)}": f"{text} {number}" for number in range(N_PARTS[text])}
    return {**parts, "manifest.json": text}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # takes its time, and no machine fails here
    return tmp_path


def test_killed_after_any_step_leaves_all_or_a_place_that_is_free(folder: Path) -> None:
    for after in steps():
        if not is_killed(after, lambda: write_all(folder, "new")):
            break
        if (folder / "manifest.json").exists():
            remove_leftovers(folder)
            assert contents(folder) == whole("new")
        else:
            write_all(folder, "next")
            assert contents(folder) == whole("next")
        for name in contents(folder):
            (folder / name).unlink()
        (folder / "release.parts").rmdir()
    assert 3 < after < MOST_STEPS - 1


def test_killed_after_any_step_the_old_folder_comes_back_or_the_new_one_is_whole(folder: Path) -> None:
    for after in steps():
        write_all(folder, "old", force=True)
        if not is_killed(after, lambda: write_all(folder, "new", force=True)):
            break
        remove_leftovers(folder)
        assert contents(folder) in (whole("old"), whole("new"))
    assert 5 < after < MOST_STEPS - 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_stopped_after_any_step(folder: Path, error: type[BaseException]) -> None:
    def stop() -> None:
        raise error

    for after in steps():
        write_all(folder, "old", force=True)
        try:
            with progress.report_to(stopping(after, stop)):
                write_all(folder, "new", force=True)
        except error:
            assert contents(folder) == whole("old")
        else:  # it had its name already
            break
    assert contents(folder) == whole("new")
    assert after > 4


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_of_a_failure_while_parts_are_written(folder: Path, error: type[BaseException]) -> None:
    with pytest.raises(error), whole_file(folder / "release.parts") as draft:
        stop_while_filling(draft, error)
    assert list(folder.iterdir()) == []


def stop_while_filling(draft: Path, error: type[BaseException]) -> None:
    fill(draft, "new")
    raise error


def test_a_folder_alone_is_replaced_by_force_only(folder: Path) -> None:
    for text, force in (("old", False), ("new", True)):
        with whole_file(folder / "release.parts", force=force) as draft:
            fill(draft, text)
    del (expected := whole("new"))["manifest.json"]
    assert contents(folder) == expected
    with pytest.raises(SourceError, match="already exists"), whole_file(folder / "release.parts"):
        pass


def test_what_somebody_put_into_a_folder_is_never_removed(folder: Path) -> None:
    write_all(folder, "old")
    for name in ("notes.txt", ".hidden", "mine.parquet"):
        (folder / "release.parts" / name).write_text("mine")
        with pytest.raises(PartsError, match=f"more than the parts of a release: {name}"):
            write_all(folder, "new", force=True)
        assert (folder / "release.parts" / name).read_text() == "mine"
        (folder / "release.parts" / name).unlink()
    assert contents(folder) == whole("old")


def test_what_somebody_put_into_a_folder_after_a_crash_stays(folder: Path) -> None:
    for after in steps():
        if not is_killed(after, lambda: write_all(folder, "new")):
            raise AssertionError("never")
        if (folder / "release.parts").exists():
            break
    (folder / "release.parts" / ".mine").write_text("mine")
    remove_leftovers(folder)
    assert contents(folder) == {"release.parts/.mine": "mine"}


def test_a_folder_that_came_in_the_meantime_is_not_replaced(folder: Path) -> None:
    with pytest.raises(SourceError, match="already exists"), whole_file(folder / "release.parts") as draft:
        fill_both(draft, folder / "release.parts")
    assert len(contents(folder)) == N_PARTS["old"]


def fill_both(draft: Path, folder: Path) -> None:
    fill(draft, "new")
    folder.mkdir()
    fill(folder, "old")


def test_targets_that_cannot_be(folder: Path) -> None:
    (folder / "file.parts").write_text("mine")
    (folder / "plain").mkdir()
    refused = {"file.parts": "is the extension of a folder", "plain": "or a folder with the extension .parts"}
    for name, words in refused.items():
        with pytest.raises(SourceError, match=words), whole_file(folder / name, force=True):
            pass
    targets = [Target.of(folder / name) for name in ("release.parts", "release.parts/report.html")]
    with pytest.raises(PartsError, match="would be in the folder of the release"), whole_files(targets):
        pass


def test_a_folder_of_inputs_is_neither_replaced_nor_joined(folder: Path) -> None:
    data = folder / "data.parts"
    data.mkdir()
    fill(data, "old")
    inputs = [data, data / part_name(0), data / "*.parquet"]
    for source in inputs:
        with pytest.raises(SourceError, match="is the input"), whole_file(data, force=True, inputs=[source]):
            pass
    for source in (data, data / "*.parquet"):
        with (
            pytest.raises(PartsError, match="would become a part of the input"),
            whole_file(data / "release.parquet", inputs=[source]),
        ):
            pass
    with whole_file(folder / "release.parts", inputs=inputs) as draft:
        fill(draft, "new")
    assert len(contents(folder)) == N_PARTS["old"] + N_PARTS["new"]


@pytest.mark.parametrize(("umask", "of_folder", "of_part"), [(0o022, 0o755, 0o644), (0o077, 0o700, 0o600)])
def test_modes_are_the_usual_ones_and_nobody_reads_a_draft(
    folder: Path, umask: int, of_folder: int, of_part: int
) -> None:
    before = os.umask(umask)
    try:
        with whole_file(folder / "release.parts") as draft:
            fill(draft, "new")
            assert stat.S_IMODE(draft.stat().st_mode) == 0o700
        write_all(folder, "new", private=True, force=True)
        assert modes(folder / "release.parts") == [0o700, 0o600, 0o600]
        with whole_file(folder / "other.parts") as draft:
            fill(draft, "next")
    finally:
        os.umask(before)
    assert modes(folder / "other.parts") == [of_folder, of_part]


def modes(folder: Path) -> list[int]:
    return [stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())]


def test_complaints_name_the_target(folder: Path) -> None:
    with pytest.raises(OSError, match=r"release\.parts") as said, whole_file(folder / "release.parts") as draft:
        raise OSError(5, "broken", str(draft / part_name(0)))
    assert ".shoal" not in str(said.value)
