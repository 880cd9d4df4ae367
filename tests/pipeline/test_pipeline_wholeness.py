"""A release is whole when its manifest is there and tells of its very bytes; whatever kills a run, that can be seen."""

import json
import os
import shutil
import subprocess
import sys

import pytest

import shoal
from shoal.gate.digits import digits_note
from shoal.pipeline.verify.completeness import NO_MANIFEST
from shoal.sources import sha256_of
from survey_example import Desk, desk, shell, survey_policy

ANATOMY = {
    "output": {"representation": "anatomy"},
    "method": {"name": "mdav", "k": 3},
    "requirements": [{"name": "distinct_l_diversity", "l": 2, "column": "disease"}],
}

# Dies after a step of the naming, as by kill -9.
KILLED = """
import contextlib, os, sys
import shoal.progress as progress
from shoal.cli import main
from shoal.sources.atomic import NAMING
after = int(sys.argv.pop(1))
@contextlib.contextmanager
def hear(what, total):
    yield lambda done: os._exit(9) if what == NAMING and done == after else None
with progress.report_to(hear):
    main()
"""


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    made = desk(folder)
    shoal.protect(made.data, made.policy, output=made.release, report=folder / "report.html")
    return folder


@pytest.fixture
def place(made_once, tmp_path):
    shutil.copytree(made_once, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


@pytest.mark.gate
def test_the_manifest_tells_of_all_public_files(place):
    files = json.loads(place.manifest.read_text())["files"]
    assert [(file["what"], file["path"]) for file in files] == [("release", "release.csv")]
    assert all(sha256_of(place.folder / file["path"]) == file["sha256"] for file in files)
    said = shell("verify", place.release, "-p", place.policy)
    assert (said.code, "note" in said.out) == (0, False)


def test_private_files_are_not_told_as_handed_out(tmp_path):
    made = desk(tmp_path)
    shoal.protect(made.data, made.policy, output=made.release, mapping=tmp_path / "mapping.csv")
    assert [file["what"] for file in json.loads(made.manifest.read_text())["files"]] == ["release"]


def test_a_manifest_of_another_release_in_the_folder_says_nothing(place):
    folder = shoal.protect(place.data, place.policy).write(place.folder / "out")
    other = folder / "other.csv"
    other.write_text((folder / "release.csv").read_text() + "\n")
    proof = shoal.verify(other, place.policy)
    assert (proof.holds, proof.notes) == (True, (digits_note("age"), NO_MANIFEST))


def test_of_two_releases_that_share_a_stem_the_manifest_tells_of_the_last(place):
    """The other one is no worse than a file without a manifest."""
    other = place.release.with_suffix(".parquet")
    shoal.protect(place.data, place.policy, output=other, force=True)
    first, last = (shoal.verify(path, place.policy) for path in (place.release, other))
    assert (first.holds, last.holds, last.notes) == (True, True, ())
    assert first.notes == (digits_note("age"), NO_MANIFEST)


def test_a_release_may_be_renamed_with_its_manifest(place):
    """It is known by its bytes."""
    renamed = place.release.rename(place.folder / "renamed.csv")
    place.manifest.rename(place.folder / "renamed.manifest.json")
    proof = shoal.verify(renamed, place.policy)
    assert (proof.holds, proof.notes) == (True, ())
    renamed.write_bytes(renamed.read_bytes() + b"\n")
    assert "renamed.csv is not the file that" in shoal.verify(renamed, place.policy).failures[0]


def test_a_copy_with_a_copy_of_its_manifest_is_whole(place):
    """The manifest names the first one, which lies beside; its bytes tell that it is of the copy, too."""
    copied = place.folder / "copied.csv"
    copied.write_bytes(place.release.read_bytes())
    (place.folder / "copied.manifest.json").write_bytes(place.manifest.read_bytes())
    assert shoal.verify(copied, place.policy).notes == ()


def test_of_an_anatomy_the_second_table_is_told_and_compared_too(tmp_path):
    """A line without cells is of no record, but these are other bytes."""
    made = desk(tmp_path, policy=survey_policy(**ANATOMY))
    shoal.protect(made.data, made.policy, output=made.release)
    files = json.loads(made.manifest.read_text())["files"]
    assert [file["path"] for file in files] == ["release.csv", "release.sensitive.csv"]
    assert shoal.verify(made.release, made.policy)
    second = tmp_path / "release.sensitive.csv"
    second.write_bytes(second.read_bytes() + b"\n")
    (fault,) = shoal.verify(made.release, made.policy).faults
    assert "release.sensitive.csv is not the second table that release.manifest.json describes" in fault


def test_a_release_without_a_manifest_is_proved_with_a_note(place):
    place.manifest.unlink()
    said = shell("verify", place.release, "-p", place.policy)
    assert (said.code, "whether it is complete cannot be checked" in said.out) == (0, True)


def test_a_manifest_that_disagrees_is_a_fault(place):
    """Changed so that every requirement still holds."""
    name = "release.csv"
    changed = place.folder / name
    changed.write_text(changed.read_text().replace("flu", "cold") + "\n")
    said = shell("verify", place.release, "-p", place.policy)
    assert (said.code, f"{name} is not the " in said.out) == (1, True)
    assert not shoal.verify(place.release, place.policy).holds
    assert shell("verify", place.release, "-p", place.policy, "--json").code == 1


def test_a_report_stays_at_home(place):
    """It tells figures of the original, so only its owner may read it, and nobody misses it."""
    report = place.folder / "report.html"
    assert report.stat().st_mode & 0o777 == 0o600
    report.unlink()
    proof = shoal.verify(place.release, place.policy)
    assert proof.holds
    assert proof.notes == ()


def test_a_second_table_that_is_gone_is_told(tmp_path):
    made = desk(tmp_path, policy=survey_policy(**ANATOMY))
    shoal.protect(made.data, made.policy, output=made.release)
    second = tmp_path / "release.sensitive.csv"
    second.rename(tmp_path / "elsewhere.csv")
    proof = shoal.verify(made.release, made.policy, sensitive=tmp_path / "elsewhere.csv")
    assert proof.holds
    assert (
        "release.manifest.json lists a second table, release.sensitive.csv, that is not in its folder." in proof.notes
    )


def test_what_is_no_manifest_is_a_fault(place):
    place.manifest.write_text("{}")
    assert shell("verify", place.release, "-p", place.policy).code == 1


def test_release_write_is_whole_too(place):
    folder = shoal.protect(place.data, place.policy).write(place.folder / "out")
    assert (shoal.verify(folder / "release.csv", place.policy).notes) == ()
    (folder / "manifest.json").rename(folder / "other.json")
    assert shoal.verify(folder / "release.csv", place.policy).notes
    (folder / "manifest.json").write_text("{}")  # of some other program
    assert shoal.verify(folder / "release.csv", place.policy).notes


@pytest.mark.gate
@pytest.mark.parametrize("after", [3, 6])
def test_a_run_that_was_killed_is_seen_and_does_not_block_the_next(tmp_path, after):
    place = desk(tmp_path)
    before = place.files()
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, "--mapping", tmp_path / "mapping.csv"]
    ran = subprocess.run([sys.executable, "-c", KILLED, str(after), *map(str, words)], check=False)
    assert ran.returncode == 9
    is_whole = place.manifest.exists()
    assert is_whole == (after == 6)
    if place.release.exists():
        said = shell("verify", place.release, "-p", place.policy)
        assert ("whether it is complete cannot be checked" in said.out) != is_whole
    said = shell(*words, *(["--force"] if is_whole else []))
    assert (said.code, said.err) == (0, "")
    assert place.files() == before | {
        "policy.key",
        "release.csv",
        "release.private.json",
        "release.manifest.json",
        "mapping.csv",
    }
    assert shoal.verify(place.release, place.policy).notes == ()


def test_a_folder_that_was_made_for_a_release_goes_with_it(place, monkeypatch):
    release = shoal.protect(place.data, place.policy)
    monkeypatch.setattr(os, "link", broken)
    monkeypatch.setattr(os, "open", broken_for_writing)
    with pytest.raises(OSError, match="broken"):
        release.write(place.folder / "deep" / "out")
    assert not (place.folder / "deep").exists()


def broken(*args, **how):
    raise OSError("broken")


opened = os.open


def broken_for_writing(path, flags, mode=0o777, **how):
    if flags & os.O_CREAT and ".shoal" not in str(path):
        raise OSError("broken")
    return opened(path, flags, mode, **how)
