"""Release, manifest, report and mapping: all of them or none, and no other file is replaced unasked."""

import errno
import os
from contextlib import contextmanager

import pytest

import shoal
import shoal.pipeline.files.targets
from shoal import progress
from shoal.errors import SourceError
from survey_example import desk, shell


def test_all_of_them(tmp_path):
    place = desk(tmp_path)
    report, mapping = tmp_path / "report.html", tmp_path / "mapping.csv"
    shoal.protect(place.data, place.policy, output=place.release, report=report, mapping=mapping)
    assert all(path.exists() for path in (place.release, report, mapping))
    assert mapping.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("what", "last"), [("report", "last.html"), ("mapping", "last.csv")])
def test_a_fault_in_the_last_file_leaves_none(tmp_path, monkeypatch, what, last):
    place = desk(tmp_path)
    before = place.files()

    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    if what == "report":
        monkeypatch.setattr(shoal.pipeline.files.release.Release, "report", full)
    else:
        monkeypatch.setattr(shoal.pipeline.protect.group_index.GroupIndex, "mapping", full)
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, f"--{what}", tmp_path / last]
    said = shell(*words)
    assert said.code == 2
    assert "disk is full" in said.err
    assert place.files() == before


def test_a_target_that_appears_meanwhile_is_left_alone(tmp_path, monkeypatch):
    place = desk(tmp_path)
    fill = shoal.pipeline.files.targets.Drafts.fill

    def somebody_writes(drafts, release, *more):
        place.release.write_text("somebody else's")
        fill(drafts, release, *more)

    monkeypatch.setattr(shoal.pipeline.files.targets.Drafts, "fill", somebody_writes)
    with pytest.raises(SourceError):
        shoal.protect(place.data, place.policy, output=place.release)
    assert place.release.read_text() == "somebody else's"
    assert not list(tmp_path.glob("*.manifest.json"))


def test_two_targets_cannot_be_one_file(tmp_path):
    place = desk(tmp_path)
    with pytest.raises(SourceError, match="different files"):
        shoal.protect(place.data, place.policy, output=place.release, report=place.release)


@pytest.mark.parametrize("what", ["output", "mapping"])
def test_what_cannot_be_written_is_known_before_any_work(tmp_path, what):
    place, stages = desk(tmp_path), []

    @contextmanager
    def listen(stage, total):
        stages.append(stage)
        yield lambda done: None

    targets = {"output": place.release, what: tmp_path / "out.sas7bdat"}
    with progress.report_to(listen), pytest.raises(SourceError, match="sas7bdat"):
        shoal.protect(place.data, place.policy, **targets)
    assert stages == []


def test_an_existing_release_is_replaced_only_by_force(tmp_path):
    place = desk(tmp_path)
    place.release.write_text("old")
    words = ["protect", place.data, "-p", place.policy, "-o", place.release]
    said = shell(*words)
    assert (said.code, "release.csv already exists" in said.err) == (2, True)
    assert place.release.read_text() == "old"
    assert shell(*words, "--force").code == 0
    assert shoal.verify(place.release, place.policy)


def test_an_existing_manifest_is_not_replaced_either(tmp_path):
    place = desk(tmp_path)
    place.manifest.write_text("evidence of another release")
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, "release.manifest.json already exists" in said.err) == (2, True)
    assert place.manifest.read_text() == "evidence of another release"
    assert not place.release.exists()


@pytest.mark.gate
def test_two_releases_side_by_side_have_two_manifests(tmp_path):
    place = desk(tmp_path)
    for name in ("release.v1.csv", "release.v2.csv", "other.csv.gz"):
        assert shell("protect", place.data, "-p", place.policy, "-o", tmp_path / name).code == 0
    stems = ("release.v1", "release.v2", "other")
    names = {f"{stem}.{what}.json" for stem in stems for what in ("manifest", "private")}
    assert {name for name in place.files() if name.endswith(".json")} == names


def test_an_older_report_is_found_before_anything_is_released(tmp_path):
    place, report = desk(tmp_path), tmp_path / "report.html"
    report.write_text("old")
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, "--report", report]
    said = shell(*words)
    assert (said.code, "report.html already exists" in said.err) == (2, True)
    assert not place.release.exists()
    assert shell(*words, "--force").code == 0
    assert report.read_text().lstrip().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("release.xyz", "release.xyz: '.xyz' is not the extension of a format"),
        ("release", "is not the extension of a format"),
        ("release.sas7bdat", "release.sas7bdat: Shoal reads .sas7bdat but cannot write it"),
        ("nowhere/release.csv", "there is no folder"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_the_table_is_read(tmp_path, monkeypatch, name, words):
    import shoal.engines.choose

    place = desk(tmp_path)
    before = place.files()

    def unread(*_, **__):
        raise AssertionError("the table was read")

    monkeypatch.setattr(shoal.engines.choose.MemoryEngine, "read", unread)
    said = shell("protect", place.data, "-p", place.policy, "-o", tmp_path / name)
    assert (said.code, words in said.err) == (2, True)
    assert place.files() == before


def test_a_folder_that_may_not_be_written_to(tmp_path, monkeypatch):
    """Told by the system; for root, who may write anywhere, the system is made to say no."""
    place = desk(tmp_path)
    before = place.files()
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: False if mode & os.W_OK else may(path, mode))
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, "you do not have permission to write to the folder" in said.err) == (2, True)
    assert place.files() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write anywhere")
def test_without_permission(tmp_path):
    place = desk(tmp_path)
    sealed = tmp_path / "sealed"
    sealed.mkdir(mode=0o500)
    said = shell("protect", place.data, "-p", place.policy, "-o", sealed / "release.csv")
    assert (said.code, "you do not have permission to write to the folder" in said.err) == (2, True)
    place.data.chmod(0)
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, "you do not have permission to read this file" in said.err) == (2, True)
    assert not place.release.exists()
