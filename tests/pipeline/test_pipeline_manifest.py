"""The manifest repeats a release bit by bit, or says why not."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import shoal
import shoal.pipeline.files.targets
import shoal.pipeline.protect.protect
import shoal.policy
from shoal.engines.memory import MemoryEngine
from shoal.errors import ManifestError, PolicyError, SourceError
from shoal.release.manifest import Manifest
from shoal.sources import sha256_of
from survey_example import desk, shell, survey, survey_policy, write_policy

TREE = "01067;Saxony;*\n01069;Saxony;*\n04103;Saxony;*\n99084;Thuringia;*\n"


def policy_with_tree():
    policy = survey_policy(output={"shuffle": True}, seed=7)
    policy["columns"]["zip"]["taxonomy"] = "regions.csv"
    return policy


@pytest.fixture
def place(tmp_path):
    (tmp_path / "regions.csv").write_text(TREE)
    made = desk(tmp_path, policy=policy_with_tree())
    shoal.protect(made.data, made.policy, output=made.release, key=made.key)
    return made


def test_what_it_says_is_so(place):
    said = json.loads(place.manifest.read_text())
    assert said["output"]["sha256"] == sha256_of(place.release)
    assert said["output"]["path"] == "release.csv"
    assert (said["input"]["n_records"], said["output"]["n_records"]) == (40, 40)
    assert said["counts"]["n_classes"] == shoal.verify(place.release, place.policy).n_classes
    assert said["k_reached"] == 3
    assert said["proof"]["holds"] is True
    assert said["versions"]["shoal"] == shoal.__version__


def test_it_names_no_place_on_the_machine(place):
    text = place.manifest.read_text()
    assert str(place.folder) not in text
    assert str(Path.home()) not in text


def _with_figure(place, names, value):
    """The manifest with one figure changed; ``names``: the way to it."""
    content = json.loads(place.manifest.read_text())
    at = content
    for name in names[:-1]:
        at = at[name]
    assert at[names[-1]] != value
    at[names[-1]] = value
    place.manifest.write_text(json.dumps(content))


FIGURES = {
    "k_reached": (["k_reached"], 30),
    "counts": (["counts", "n_suppressed"], 7),
    "proof": (["proof", "verdicts", 0, "reached"], 30),
    "policy": (["policy", "requirements", 0, "k"], 30),
    "input.n_records": (["input", "n_records"], 4000),
    "output.n_columns": (["output", "n_columns"], 2),
    "steps": (["steps"], {}),
}


@pytest.mark.gate(but="k_reached")
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_that_was_changed_later_fails_the_replay(place, name):
    _with_figure(place, *FIGURES[name])
    with pytest.raises(ManifestError, match=rf"states other figures under {name}\. The manifest was changed later"):
        shoal.replay(place.manifest)


def test_what_belongs_to_a_run_is_not_compared(place):
    _with_figure(place, ["cost", "seconds"], 1e6)
    _with_figure(place, ["made"], "1999-01-01T00:00:00+00:00")
    assert shoal.replay(place.manifest).manifest.k_reached == 3


def test_a_replay_gives_the_same_bytes(place, tmp_path):
    again = tmp_path / "again.csv"
    said = shell("protect", "--replay", place.manifest, "--output", again)
    assert (said.code, "identical to that of the manifest, bit by bit" in said.out) == (0, True)
    assert again.read_bytes() == place.release.read_bytes()


def test_a_folder_may_move(place, tmp_path_factory):
    moved = tmp_path_factory.mktemp("elsewhere") / "deep"
    shutil.copytree(place.folder, moved)
    assert shoal.replay(moved / "release.manifest.json").manifest.k_reached == 3


def test_without_output_it_only_compares(place):
    before = {path.name: path.read_bytes() for path in place.folder.iterdir()}
    assert shell("protect", "--replay", place.manifest).code == 0
    assert {path.name: path.read_bytes() for path in place.folder.iterdir()} == before


def test_a_policy_that_decides_the_same_is_the_same(place):
    place.policy.write_text("# a remark\n" + place.policy.read_text())
    shoal.replay(place.manifest)


def change_input(place):
    place.data.write_text(place.data.read_text().replace("flu", "flu ", 1))


def change_policy(place):
    write_policy(policy_with_tree() | {"seed": 8}, place.policy)


def change_taxonomy(place):
    (place.folder / "regions.csv").write_text(TREE.replace("Thuringia", "East"))


def remove_input(place):
    place.data.unlink()


def remove_policy(place):
    place.policy.unlink()


def other_output(place):
    retell(place, output={"sha256": "0" * 64})


def retell(place, **more):
    """Other words in the manifest, and the private one of the same release."""
    manifest = json.loads(place.manifest.read_text())
    for part, changed in more.items():
        manifest[part] |= changed
    place.manifest.write_text(json.dumps(manifest))
    private = place.folder / "release.private.json"
    told = json.loads(private.read_text()) | {"release_sha256": manifest["output"]["sha256"]}
    private.write_text(json.dumps(told))


@pytest.mark.gate(
    but=(
        "change_input-ManifestError-survey\\\\.csv: the input is not the one",
        "change_policy-ManifestError-policy\\\\.toml: the policy is not the one",
        "change_taxonomy-ManifestError-policy\\\\.toml: the policy is not the one",
    )
)
@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (change_input, ManifestError, r"survey\.csv: the input is not the one"),
        (change_policy, ManifestError, r"policy\.toml: the policy is not the one"),
        (change_taxonomy, ManifestError, r"policy\.toml: the policy is not the one"),
        (remove_input, SourceError, r"survey\.csv: there is no such file"),
        (remove_policy, PolicyError, r"policy\.toml: the policy cannot be read"),
        (other_output, ManifestError, r"release\.csv: input and policy are the same but the release is not"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_has_changed_is_named(place, change, error, words):
    change(place)
    before = place.files()
    with pytest.raises(error, match=words):
        shoal.replay(place.manifest)
    with pytest.raises(error, match=words):
        shoal.replay(place.manifest, output=place.folder / "new.csv")
    assert shell("protect", "--replay", place.manifest).code == 2
    assert place.files() == before


def test_what_was_not_made_from_files_cannot_be_replayed(tmp_path):
    made = tmp_path / "release.csv"
    shoal.protect(survey(), survey_policy(), output=made)
    with pytest.raises(ManifestError, match="not produced from a file and a policy file"):
        shoal.replay(tmp_path / "release.manifest.json")


@pytest.mark.parametrize("content", ["", "no json", "[]", '"text"', "{}", '{"input": 3}', "null"])
def test_what_is_no_manifest(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(ManifestError, match=r"x\.json is not a manifest of Shoal"):
        shoal.replay(path)
    assert shell("protect", "--replay", tmp_path / "none.json").code == 2


def test_a_replay_names_its_data_itself(place):
    said = shell("protect", place.data, "--replay", place.manifest)
    assert (said.code, "give --replay alone" in " ".join(said.err.split())) == (2, True)


@pytest.mark.gate
def test_release_write_leaves_a_manifest_that_can_be_replayed(place):
    folder = shoal.protect(place.data, place.policy).write(place.folder / "out")
    assert sorted(path.name for path in folder.iterdir()) == [
        "manifest.json",
        "private.json",
        "release.csv",
        "report.html",
    ]
    assert (folder / "release.csv").read_bytes() == place.release.read_bytes()
    said = json.loads((folder / "manifest.json").read_text())
    assert said["output"] | {"n_records": 40} == json.loads(place.manifest.read_text())["output"]
    assert shoal.replay(folder / "manifest.json").manifest.output.sha256 == sha256_of(place.release)
    with pytest.raises(SourceError, match="already exists"):
        shoal.protect(place.data, place.policy).write(folder)
    shoal.protect(place.data, place.policy).write(folder, force=True)


def test_release_write_never_replaces_the_original(tmp_path):
    data = desk(tmp_path).data.rename(tmp_path / "release.csv")
    before = data.read_bytes()
    with pytest.raises(SourceError, match="is the input"):
        shoal.protect(data, survey_policy()).write(tmp_path, force=True)
    assert data.read_bytes() == before


def test_the_same_release_twice(place):
    first, again = place.release.read_bytes(), place.folder / "again.csv"
    shoal.protect(place.data, place.policy, output=again)
    assert again.read_bytes() == first


class SwappingEngine(MemoryEngine):
    """Somebody has other bytes in the file while it is read (``back``), or from then on."""

    def __init__(self, path, *, back):
        self.path, self.back = path, back

    def read(self, source, options, *, columns=None, kinds=None):
        if source != self.path:
            return super().read(source, options, columns=columns, kinds=kinds)
        if not self.back:
            frame = super().read(source, options, columns=columns, kinds=kinds)
            about = source.stat()
            with source.open("r+b") as stream:
                stream.write(other_bytes(source))
            os.utime(source, ns=(about.st_atime_ns, about.st_mtime_ns))
            return frame
        aside = source.with_name("aside")
        other = other_bytes(source)
        source.rename(aside)
        source.write_bytes(other)
        frame = super().read(source, options, columns=columns, kinds=kinds)
        aside.replace(source)
        return frame


def other_bytes(path):
    """As many, with the same end."""
    return path.read_bytes().replace(b"P0003", b"P9999")


@pytest.mark.gate(but="True")
@pytest.mark.parametrize("back", [True, False])
def test_the_input_is_hashed_as_it_was_read(tmp_path, back):
    """A release that does not come from the bytes that its manifest names is none."""
    place = desk(tmp_path, table=survey(2000))
    targets = shoal.pipeline.files.targets.Targets.of(place.release, None, None)
    engine, policy = SwappingEngine(place.data, back=back), shoal.policy.load(place.policy)
    with pytest.raises(SourceError, match="changed while it was being read"):
        shoal.pipeline.protect.protect.protect_by(engine, place.data, policy, targets, None, force=False)
    assert not place.release.exists()


def test_versions_of_all_that_can_change_a_release(place):
    told = json.loads(place.manifest.read_text())["versions"]
    assert {"python", "shoal", "numpy", "scipy", "pyarrow", "duckdb", "highspy", "pillow"} <= set(told)


def other_version(place, **more):
    retell(place, versions={"numpy": "1.0", "scipy": "0.1"}, output=more)


def test_a_replay_names_other_versions(place):
    other_version(place)
    said = shell("protect", "--replay", place.manifest)
    assert (said.code, "identical to that of the manifest, bit by bit" in said.out) == (0, True)
    assert "note: Repeated with other versions: numpy 1.0 then, " in said.out
    other_version(place, sha256="0" * 64)
    said = shell("protect", "--replay", place.manifest)
    assert said.code == 2
    assert "Other versions are installed: numpy 1.0 then, " in said.err
    assert "scipy 0.1 then, " in said.err


def test_a_package_that_came_or_went_is_another_version(place):
    made = Manifest.read(place.manifest)
    assert made.other_versions() == ()
    known = {name: number for name, number in made.versions.items() if name != "numpy"}
    others = replace(made, versions=known | {"gone": "1.0"}).other_versions()
    assert sorted(others) == ["gone 1.0 then, none now", f"numpy none then, {made.versions['numpy']} now"]
