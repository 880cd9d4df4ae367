"""What is not a regular file is never read as a table, and never replaced: it stays what it is."""

import os
import socket
import stat

import pytest

import shoal
from shoal.errors import SourceError
from survey_example import desk, shell


def fifo(path):
    os.mkfifo(path)


def null_device(path):
    """Another name of the null device, in a folder of its own."""
    os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))


def unix_socket(path):
    held = socket.socket(socket.AF_UNIX)
    held.bind(os.path.relpath(path))  # its path may have some 100 characters
    held.close()


KINDS = [fifo, unix_socket]
if os.geteuid() == 0:
    KINDS.append(null_device)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return desk(tmp_path)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("what", ["release", "manifest", "report", "mapping"])
def test_it_is_not_replaced_even_by_force(place, make, what):
    paths = {"release": place.release, "manifest": place.manifest}
    paths |= {"report": place.folder / "report.html", "mapping": place.folder / "mapping.csv"}
    make(paths[what])
    before, kind = place.files(), stat.S_IFMT(paths[what].stat().st_mode)
    extras = {"report": paths["report"], "mapping": paths["mapping"]}
    for force in (False, True):
        with pytest.raises(SourceError, match=r"is not a regular file\. Choose another name"):
            shoal.protect(place.data, place.policy, output=place.release, force=force, **extras)
    assert place.files() == before
    assert stat.S_IFMT(paths[what].stat().st_mode) == kind


@pytest.mark.parametrize("make", KINDS)
def test_a_link_to_it_does_not_help(place, make):
    make(place.folder / "thing.csv")
    place.release.symlink_to(place.folder / "thing.csv")
    with pytest.raises(SourceError, match="is not a regular file"):
        shoal.protect(place.data, place.policy, output=place.release, force=True)
    assert place.release.is_symlink()


@pytest.mark.parametrize("make", KINDS)
def test_the_shell_writes_no_policy_there(place, make):
    make(place.folder / "new.toml")
    said = shell("init", place.data, "-o", place.folder / "new.toml", "--force")
    assert (said.code, "is not a regular file" in said.err) == (2, True)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("name", ["thing.csv", "thing.parquet"])
def test_it_is_not_read(place, make, name):
    """A pipe without a writer would be waited for without end; a test that opens one would, too."""
    path = place.folder / name
    make(path)
    for words in (
        ["init", path, "-o", place.folder / "new.toml"],
        ["protect", path, "-p", place.policy, "-o", place.release],
    ):
        said = shell(*words)
        assert (said.code, "is not a regular file" in said.err) == (2, True)
    with pytest.raises(SourceError, match="is not a regular file"):
        shoal.verify(path, place.policy)


def test_a_link_to_a_plain_file_is_one(place):
    link = place.folder / "link.csv"
    link.symlink_to(place.data)
    shoal.protect(link, place.policy, output=place.release)
    elsewhere = place.folder / "elsewhere.csv"
    elsewhere.symlink_to(place.release)
    shoal.protect(place.data, place.policy, output=elsewhere, force=True)
    assert elsewhere.is_symlink()
