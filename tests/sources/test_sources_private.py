"""Private files: one list, one sentence, one mode, whatever the umask."""

import os
import stat
from pathlib import Path

import pytest

import shoal
from shoal.engines.private_folder import PrivateFolder
from shoal.sources.private import (
    CREATED_FILES,
    PRIVATE_FILES_NOTE,
    SHORT_PRIVATE_FILES_NOTE,
    USER_FILES,
    create_private,
)
from survey_example import N_RECORDS, desk, shell, survey_policy

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.gate
def test_one_sentence_in_documents_shell_and_report(tmp_path):
    assert PRIVATE_FILES_NOTE in " ".join((DOCS / "start.md").read_text().split())
    assert all(name in PRIVATE_FILES_NOTE for name in (*CREATED_FILES, *USER_FILES))
    place = desk(tmp_path)
    mapping, report = tmp_path / "mapping.csv", tmp_path / "report.html"
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, "--report", report]
    assert PRIVATE_FILES_NOTE in shell(*words, "--mapping", mapping).out
    assert PRIVATE_FILES_NOTE in report.read_text()
    assert mapping.stat().st_mode & 0o777 == 0o600
    again = shell(*words, "--force").out
    assert PRIVATE_FILES_NOTE not in again
    assert SHORT_PRIVATE_FILES_NOTE in again


def test_the_spill(tmp_path, umask):
    folder = PrivateFolder.create_in(tmp_path)
    file = folder.new_file(".arrow")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder.path, file)]
    folder.remove()
    assert modes == [0o700, 0o600]


def test_a_key_that_others_may_read_is_noted(tmp_path):
    policy = survey_policy()
    policy["columns"]["person"] = {"role": "identifier", "pseudonym": "secret.key"}
    place = desk(tmp_path, policy=policy)
    key = tmp_path / "secret.key"
    key.write_text("0123456789abcdef0123456789abcdef")
    for mode, n_notes in ((0o600, 0), (0o640, 1), (0o604, 1)):
        key.chmod(mode)
        notes = shoal.protect(place.data, place.policy).manifest.notes
        assert sum("others may read the key" in note for note in notes) == n_notes


@pytest.mark.gate(but="link")
@pytest.mark.parametrize("door", [shoal.assess, shoal.link])
def test_a_truth_that_others_may_read_is_noted(tmp_path, door):
    """Shoal makes no such file, so its mode is what its owner gave it."""
    place, truth = desk(tmp_path), tmp_path / "pairs.csv"
    shoal.protect(place.data, place.policy, output=place.release)
    truth.write_text("released,original\n" + "".join(f"{i},{i}\n" for i in range(1, N_RECORDS + 1)))
    for mode, n_notes in ((0o600, 0), (0o640, 1), (0o604, 1)):
        truth.chmod(mode)
        notes = door(place.data, place.release, place.policy, truth=truth).notes
        assert sum("others may read which record belongs to which person" in note for note in notes) == n_notes
    notes = door(place.data, place.release, place.policy, truth="position").notes
    assert not any("others may read" in note for note in notes)


def test_a_private_file_is_a_new_one(tmp_path):
    """Who has opened the one that was there could read what comes into it."""
    old = tmp_path / "mapping.csv"
    old.write_text("old")
    with pytest.raises(FileExistsError):
        create_private(old)
    assert old.read_text() == "old"
