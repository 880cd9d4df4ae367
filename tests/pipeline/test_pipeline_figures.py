"""What a manifest says of proof and counts is held against what verify counts; a replay against the file beside it."""

import json
import shutil

import pytest

import shoal
from shoal.errors import ManifestError
from shoal.sources import sha256_of
from survey_example import Desk, desk, of_records, shell, survey_policy

SETTINGS = {
    "mdav": {},
    "mondrian": {"method": {"name": "mondrian"}},
    "anatomy": {
        "output": {"representation": "anatomy"},
        "method": {"name": "mdav", "k": 3},
        "requirements": [{"name": "distinct_l_diversity", "l": 2, "column": "disease"}],
    },
}


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    made = desk(tmp_path_factory.mktemp("made"))
    shoal.protect(made.data, made.policy, output=made.release, key=made.key)
    return made.folder


@pytest.fixture
def place(made_once, tmp_path):
    shutil.copytree(made_once, tmp_path, dirs_exist_ok=True)
    return Desk(tmp_path)


def changed(path, keys, value):
    content = json.loads(path.read_text())
    *above, last = keys
    inner = content
    for key in above:
        inner = inner[key]
    inner[last] = value
    path.write_text(json.dumps(content))


FALSE = [
    (["k_reached"], 50),
    (["k_reached"], "fifty"),
    (["proof", "k_reached"], 50),
    (["proof", "holds"], False),
    (["proof", "n_records"], 7),
    (["proof", "n_classes"], 2),
    (["proof", "verdicts"], []),
    (["proof", "verdicts", 0, "reached"], 50),
    (["proof", "verdicts", 0, "asked"], 50),
    (["proof", "verdicts", 0, "n_classes"], 2),
    (["proof", "verdicts", 0], 3),
    (["proof"], {}),
    (["proof"], 3),
    (["counts", "n_released"], 7),
    (["counts", "n_classes"], 2),
    (["counts"], []),
    (["output", "n_records"], 7),
]


@pytest.mark.gate(
    but=("['k_reached']-fifty", "['k_reached']-50", "['proof', 'k_reached']-50", "['proof', 'verdicts']-[]")
)
@pytest.mark.parametrize(("keys", "value"), FALSE, ids=str)
def test_a_false_figure_is_named(place, keys, value):
    changed(place.manifest, keys, value)
    proof = shoal.verify(place.release, place.policy)
    assert not proof.holds
    named = keys[-1] if isinstance(keys[-1], str) else "verdicts"
    assert all(fault.startswith("release.manifest.json says ") for fault in proof.faults)
    assert any(named in fault.replace("'", "") for fault in proof.faults)
    said = shell("verify", place.release, "-p", place.policy)
    assert said.code == 1
    assert "FAILS  release.manifest.json says" in said.out


def test_both_numbers_are_said(place):
    changed(place.manifest, ["k_reached"], 50)
    (fault,) = shoal.verify(place.release, place.policy).faults
    assert fault == "release.manifest.json says k_reached = 50, but 3 was counted"


@pytest.mark.gate(but="anatomy")
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_true_manifest_changes_nothing(tmp_path, setting):
    made = desk(tmp_path, policy=of_records(survey_policy(**SETTINGS[setting])))
    shoal.protect(made.data, made.policy, output=made.release)
    proof = shoal.verify(made.release, made.policy)
    assert (proof.faults, proof.notes) == ((), ())
    folder = shoal.protect(made.data, made.policy).write(tmp_path / "out")
    proof = shoal.verify(folder / "release.csv", made.policy)
    assert (proof.faults, proof.notes) == ((), ())


def test_under_another_policy_only_records_are_compared_and_a_note_says_so(place):
    other = survey_policy(k=2)
    proof = shoal.verify(place.release, other)
    assert proof.holds
    assert [note for note in proof.notes if "another policy" in note]
    changed(place.manifest, ["k_reached"], 50)
    assert shoal.verify(place.release, other).holds
    changed(place.manifest, ["counts", "n_released"], 7)
    assert not shoal.verify(place.release, other).holds


def test_a_policy_of_another_digest_that_asks_the_same_is_the_same(place):
    """Whoever changes a figure may change the digest, too."""
    changed(place.manifest, ["policy", "sha256"], "0" * 64)
    assert shoal.verify(place.release, place.policy).holds
    changed(place.manifest, ["k_reached"], 50)
    assert not shoal.verify(place.release, place.policy).holds


def test_a_replay_sees_that_the_release_beside_it_was_edited(place):
    place.release.write_text(place.release.read_text() + "\n")
    with pytest.raises(ManifestError, match=r"release\.csv.*changed later"):
        shoal.replay(place.manifest)
    said = shell("protect", "--replay", place.manifest)
    assert said.code == 2
    assert "bit by bit" not in said.out
    place.release.unlink()
    assert shell("protect", "--replay", place.manifest).code == 0


def test_a_release_can_be_made_anew_in_place_of_an_edited_one(place):
    before = sha256_of(place.release)
    place.release.write_text(place.release.read_text() + "\n")
    again = shoal.replay(place.manifest, output=place.folder / "again.csv")
    assert any("release.csv" in note and "changed later" in note for note in again.manifest.notes)
    assert sha256_of(place.folder / "again.csv") == before
    shoal.replay(place.manifest, output=place.release, force=True)
    assert sha256_of(place.release) == before


def test_a_replay_sees_that_it_is_the_manifest_that_was_edited(place):
    changed(place.manifest, ["output", "sha256"], "0" * 64)
    with pytest.raises(
        ManifestError, match=r"release\.csv next to it equals the reproduced release: the manifest describes another"
    ):
        shoal.replay(place.manifest)
    place.release.write_text(place.release.read_text() + "\n")
    with pytest.raises(ManifestError, match=r"release\.csv next to it differs from the reproduced release, too"):
        shoal.replay(place.manifest)
