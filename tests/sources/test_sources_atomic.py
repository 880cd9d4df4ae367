"""A file is there whole, or the old one is there untouched."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from shoal.errors import RequirementError, SourceError
from shoal.sources import read, whole_file, write_table
from shoal.sources.journal import Journal
from shoal.sources.leftovers import remove_leftovers


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.csv.gz"
    with whole_file(target) as draft:
        assert draft.parent == tmp_path
        assert draft.name.startswith(".")
        assert draft.name.endswith(".csv.gz")
        assert draft.stat().st_mode & 0o777 == 0o600
        draft.write_text("new")
        assert not target.exists()
    assert target.read_text() == "new"
    assert left(tmp_path) == ["out.csv.gz"]
    (tmp_path / "usual").touch()
    assert target.stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_of_a_failure(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    with pytest.raises(error), whole_file(target, force=True) as draft:  # noqa: PT012
        draft.write_text("half")
        raise error
    assert target.read_text() == "old"
    assert left(tmp_path) == ["out.csv"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk(tmp_path: Path, number: int) -> None:
    with pytest.raises(SourceError, match="disk is full"), whole_file(tmp_path / "out.csv"):
        raise OSError(number, os.strerror(number))
    with pytest.raises(OSError, match="other"), whole_file(tmp_path / "out.csv"):
        raise OSError(errno.EIO, "other")
    assert left(tmp_path) == []


def test_an_existing_file_is_replaced_only_by_force(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    target.chmod(0o640)
    with pytest.raises(SourceError, match="already exists"), whole_file(target):
        pass
    with whole_file(target, force=True) as draft:
        draft.write_text("new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_file_that_came_in_the_meantime_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    with pytest.raises(SourceError, match="already exists"), whole_file(target):
        target.write_text("mine")
    assert target.read_text() == "mine"
    assert left(tmp_path) == ["out.csv"]


def test_an_input_is_never_replaced(tmp_path: Path) -> None:
    source, link = tmp_path / "in.csv", tmp_path / "link.csv"
    source.write_text("original")
    link.symlink_to(source)
    hard = tmp_path / "hard.csv"
    hard.hardlink_to(source)
    for target in (source, link, hard):
        with (
            pytest.raises(SourceError, match="is the input"),
            whole_file(target, force=True, inputs=[source]),
        ):
            pass
    assert source.read_text() == "original"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    link.symlink_to(real)
    with whole_file(link, force=True) as draft:
        draft.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


@pytest.mark.parametrize("old", [None, 0o644])
def test_a_private_file_stays_private(tmp_path: Path, old: int | None) -> None:
    target = tmp_path / "mapping.csv"
    if old is not None:
        target.touch(mode=old)
    with whole_file(target, force=True, private=True) as draft:
        draft.write_text("new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o600


def test_complaints_name_the_target(tmp_path: Path) -> None:
    """Readers and writers know the temporary name only; two files may be under way at once."""
    out, other = tmp_path / "out.dta", tmp_path / "other.csv"
    table = pa.table({"no name like this": [1]})
    with pytest.raises(SourceError) as caught, whole_file(out) as draft, whole_file(other):
        write_table(table, draft)
    assert str(caught.value).startswith(f"{out}: a .dta file cannot store this table")
    with pytest.raises(SourceError) as caught, whole_file(out), whole_file(other) as draft:  # noqa: PT012
        draft.write_bytes(b"a,b\n1\n")
        read(draft)
    assert str(caught.value).startswith(f"{other}: every line should have 2 cells")
    assert caught.value.__suppress_context__
    with pytest.raises(RequirementError, match=r"other\.csv") as closed, whole_file(other) as draft:
        raise RequirementError.gate_closed([draft.name])
    assert str(closed.value).endswith("other.csv.")
    with pytest.raises(FileNotFoundError) as gone, whole_file(other) as draft:  # noqa: PT012
        draft.unlink()
        draft.read_bytes()
    assert gone.value.filename == str(other)
    assert left(tmp_path) == []


def test_how_to_replace_is_said(tmp_path: Path) -> None:
    (tmp_path / "out.csv").touch()
    with pytest.raises(SourceError, match=r"--force \(in Python force=True\)"), whole_file(tmp_path / "out.csv"):
        pass


def test_targets_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"), whole_file(tmp_path):
        pass
    with pytest.raises(SourceError, match="there is no folder"), whole_file(tmp_path / "none" / "out.csv"):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SourceError, match="permission to write"), whole_file(tmp_path / "out.csv"):
        pass
    tmp_path.chmod(0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("owner", [os.geteuid(), 12345])
def test_a_journal_of_somebody_else_undoes_nothing(tmp_path: Path, owner: int) -> None:
    """Otherwise whoever may write into the folder could have any file of ours removed."""
    ours, last = tmp_path / "ours.csv", tmp_path / "last.json"
    ours.write_text("ours")
    draft = tmp_path / "draft"
    draft.write_text("never named")
    journal = tmp_path / ".shoal-999999999-1-0123456789abcdef.journal"
    written = replace(Journal.of([(ours, ours), (draft, last)]), copies=(journal,))
    journal.write_text(written._as_json(tmp_path))
    os.chown(journal, owner, owner)
    remove_leftovers(tmp_path)
    assert ours.exists() == (owner != os.geteuid())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder in which nobody can create a file")
def test_a_folder_that_takes_no_file_is_named_with_the_target() -> None:
    with pytest.raises(SourceError, match=r"^/proc/r\.csv: .* folder /proc\.") as complaint, whole_file("/proc/r.csv"):
        pass
    assert ".shoal-" not in str(complaint.value)
