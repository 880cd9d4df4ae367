"""No command replaces what it reads, however it is forced."""

import shutil

import pytest

import shoal
from survey_example import Desk, desk, shell, survey_policy


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    """A release, with all files that a policy or a comparison can name."""
    policy = survey_policy()
    policy["columns"]["person"] = {"role": "identifier", "pseudonym": "secret.key"}
    policy["columns"]["zip"] = {"role": "quasi_identifier", "taxonomy": "zips.csv"}
    made = desk(tmp_path_factory.mktemp("inputs"), policy=policy)
    (made.folder / "zips.csv").write_text(
        "".join(f"{code};{code[:2]};*\n" for code in ["01067", "01069", "04103", "99084"])
    )
    (made.folder / "secret.key").write_text("0123456789abcdef0123456789abcdef")
    (made.folder / "pairs.csv").write_text("released,original\n" + "".join(f"{i},{i}\n" for i in range(1, 41)))
    for name in ("secret.key", "pairs.csv"):
        (made.folder / name).chmod(0o600)
    shoal.protect(made.data, made.policy, output=made.release, key=made.key)
    return made.folder


@pytest.fixture
def place(made_once, tmp_path):
    shutil.copytree(made_once, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


def is_kept(place: Desk, name: str, *words: object) -> bool:
    """Whether a command refuses to write over a file, and does not."""
    before = (place.folder / name).read_bytes()
    said = shell(*words, "--force")
    return (said.code, "is the input" in said.err) == (2, True) and (place.folder / name).read_bytes() == before


@pytest.mark.parametrize("name", ["survey.csv", "release.csv", "policy.toml", "zips.csv", "secret.key", "pairs.csv"])
def test_a_page_of_assess_replaces_no_input(place, name):
    words = ["assess", place.data, place.release, "-p", place.policy, "--truth", place.folder / "pairs.csv"]
    assert is_kept(place, name, *words, "--report", place.folder / name)


@pytest.mark.parametrize("name", ["survey.csv", "policy.toml", "zips.csv", "secret.key"])
def test_a_map_replaces_no_input(place, name):
    assert is_kept(place, name, "som", place.data, "-p", place.policy, "-o", place.folder / name)


@pytest.mark.parametrize("name", ["survey.csv", "policy.toml", "zips.csv", "secret.key", "release.manifest.json"])
def test_the_report_of_a_replay_replaces_no_input(place, name):
    assert is_kept(place, name, "protect", "--replay", place.manifest, "--report", place.folder / name)


def test_a_replay_may_write_the_release_and_its_manifest_anew(place):
    before = place.release.read_bytes()
    said = shell("protect", "--replay", place.manifest, "-o", place.release, "--force")
    assert (said.code, place.release.read_bytes() == before) == (0, True)


@pytest.mark.parametrize("target", ["survey.csv", "policy.toml", "zips.csv", "secret.key", "link.csv"])
def test_no_input_is_ever_replaced(place, target):
    (place.folder / "link.csv").symlink_to(place.data)
    before = {path.name: path.read_bytes() for path in place.folder.iterdir()}
    said = shell("protect", place.data, "-p", place.policy, "-o", place.folder / target, "--force")
    assert (said.code, "is the input. A release never replaces the original" in said.err) == (2, True)
    assert {path.name: path.read_bytes() for path in place.folder.iterdir()} == before


@pytest.mark.parametrize("option", ["--report", "--mapping"])
def test_no_input_is_replaced_by_what_comes_with_the_release(tmp_path, option):
    place = desk(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    words = ["protect", place.data, "-p", place.policy, "-o", place.release, option]
    for target in (place.data, place.policy):
        said = shell(*words, target, "--force")
        assert said.code == 2
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    for target in (place.release, place.manifest):
        assert shell(*words, target).code == 2
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
