"""Release, manifest, report and mapping: all of them or none."""

import errno
from contextlib import contextmanager

import pytest

import shoal
import shoal.pipeline.files.targets
from shoal import progress
from shoal.errors import SourceError
from survey_example import desk, shell


@pytest.mark.slow
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

    def somebody_writes(drafts, release):
        place.release.write_text("somebody else's")
        fill(drafts, release)

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
