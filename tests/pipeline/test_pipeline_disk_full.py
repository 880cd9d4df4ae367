"""A disk that is full while a file is written: nothing is left, and what is said is plain."""

import resource
import subprocess

import pytest

import shoal
from shoal.errors import ShoalError
from survey_example import desk, shell, survey, survey_policy

FORMATS = [".csv", ".csv.gz", ".csv.xz", ".csv.zst", ".parquet", ".parts", ".arrow", ".xlsx", ".sav", ".dta"]
KIB = 1024


@pytest.fixture
def small_disk(tmp_path):
    """A disk of a few KiB, less what fills it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "shoal-test", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("may not mount a disk here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def fill(folder, left):
    """Leave so many KiB."""
    with (folder / "filler").open("wb") as stream:
        stream.write(b"x" * (256 - left) * KIB)


@pytest.fixture
def place(tmp_path):
    policy = survey_policy()
    policy["columns"]["code"] = {"role": "identifier"}
    policy["columns"]["note"] = {"role": "identifier"}
    return desk(tmp_path, survey(400), policy)


@pytest.mark.gate(but=(".csv", ".csv.gz"))
@pytest.mark.parametrize("suffix", FORMATS)
def test_a_full_disk_leaves_nothing(place, small_disk, suffix):
    fill(small_disk, 8)
    release = small_disk / f"release{suffix}"
    with pytest.raises(ShoalError, match="the disk is full") as complaint:
        shoal.protect(place.data, place.policy, output=release)
    assert ".shoal" not in str(complaint.value)
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


@pytest.mark.gate(but=("4", "28"))
@pytest.mark.parametrize("left", [4, 28, 32, 36, 40, 44, 48])
def test_wherever_it_is_full_all_files_are_there_or_none(place, small_disk, left):
    """Release, mapping and manifest, on a disk that has room for some of them."""
    fill(small_disk, left)
    release, mapping = small_disk / "release.csv", small_disk / "mapping.csv"
    said = shell("protect", place.data, "-p", place.policy, "-o", release, "--mapping", mapping)
    there = {path.name for path in small_disk.iterdir()} - {"filler"}
    if said.code:
        assert (said.code, "the disk is full" in said.err) == (2, True)
        assert there == set()
    else:
        assert there == {"release.csv", "mapping.csv", "release.private.json", "release.manifest.json"}


@pytest.mark.gate(but=".csv")
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx"])
def test_a_file_larger_than_is_allowed(place, suffix):
    before = place.files()
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 * KIB, usual[1]))
    try:
        with pytest.raises(ShoalError, match="larger than this disk or your account allows"):
            shoal.protect(place.data, place.policy, output=place.folder / f"release{suffix}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert place.files() == before
