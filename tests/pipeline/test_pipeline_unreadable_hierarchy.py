"""A hierarchy file that cannot be read: verify needs it only for the digest of a manifest, and then says so."""

from pathlib import Path

import pytest

import shoal
from shoal.errors import TaxonomyError
from survey_example import desk, shell, survey_policy

HIERARCHY = "zips.csv"
LINES = "01067;010;*\n01069;010;*\n04103;041;*\n99084;990;*\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A release whose hierarchy is unreadable afterwards, for whoever runs the tests."""
    policy = survey_policy()
    policy["columns"]["zip"]["taxonomy"] = {"file": HIERARCHY}
    (tmp_path / HIERARCHY).write_text(LINES)
    made = desk(tmp_path, policy=policy)
    shoal.protect(made.data, made.policy, output=made.release)
    read = Path.read_bytes

    def refused(path):
        if path.name == HIERARCHY:
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refused)
    return made


def test_without_a_manifest_it_is_not_needed(place):
    place.manifest.unlink()
    assert shoal.verify(place.release, place.policy).holds


def test_with_a_manifest_the_error_names_the_file(place):
    with pytest.raises(TaxonomyError, match=r"zips.csv: the hierarchy file cannot be read: Permission denied\."):
        shoal.verify(place.release, place.policy)
    said = shell("verify", place.release, "-p", place.policy)
    assert (said.code, "Traceback" in said.err) == (2, False)
