"""Earlier releases that cannot be used: files that are not as they were, other tables, other persons, other methods."""

import json
import shutil

import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
import tomlkit

import shoal
from shoal.errors import EarlierReleaseError, ManifestError, ShoalError
from yearly_example import policy, two_years
from yearly_releases import BELOW, K, N, assess, protect, protect_second


def test_another_earlier_file_is_not_taken_for_the_one_of_the_manifest(years, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(years, folder)
    with (folder / "old.csv").open("a", encoding="utf-8") as file:
        file.write("30.0,north,9.0,a,2\n")
    with pytest.raises(ManifestError, match="earlier release is not the one"):
        shoal.replay(folder / "kept.manifest.json")


@pytest.mark.gate
def test_a_release_of_another_table_is_an_error(years, tmp_path):
    other = pa.table({"height": [1, 2, 3], "person": ["a", "b", "c"]})
    pacsv.write_csv(other, tmp_path / "other.csv")
    with pytest.raises(EarlierReleaseError, match="release of another table"):
        assess(years, "alone.csv", earlier=[tmp_path / "other.csv"])


@pytest.mark.gate
def test_a_release_of_other_persons_is_an_error(years, tmp_path):
    first, _ = two_years(N)
    strangers = first.set_column(0, "person", pa.array([f"Q{at}" for at in range(len(first))]))
    pacsv.write_csv(strangers, tmp_path / "strangers.csv")
    with pytest.raises(EarlierReleaseError, match=r"nobody has a record in strangers\.csv and in alone\.csv"):
        assess(years, "alone.csv", earlier=[tmp_path / "strangers.csv"])
    rules = tmp_path / "policy.toml"
    rules.write_text(tomlkit.dumps(policy(K)), encoding="utf-8")
    protect(tmp_path, tmp_path / "strangers.csv", "other.csv")
    for made in (assess, protect_second):
        with pytest.raises(
            EarlierReleaseError, match=r"the originals of other\.csv and of .* have no person in common"
        ):
            made(years, "alone.csv", earlier=[tmp_path / "other.csv"])


def test_an_original_is_no_earlier_release(years):
    original = {"earlier": [years / "year2.csv"]}
    for ask in (protect_second, assess):
        with pytest.raises(EarlierReleaseError, match=r"year2\.csv is the original of this release"):
            ask(years, "kept.csv", **original)


@pytest.mark.gate
def test_an_internal_copy_with_a_column_of_persons_needs_no_private_manifest(years, tmp_path):
    """Here the original itself, whose classes are single persons: nothing but values is left to compare."""
    pacsv.write_csv(two_years(N)[0], tmp_path / "copy.csv")
    found = assess(years, "kept.csv", earlier=[tmp_path / "copy.csv"]).findings
    assert found[BELOW].estimate > 90


def test_without_private_files_what_needs_them_is_not_measured(years, tmp_path):
    shutil.copy(years / "old.csv", tmp_path)
    found = assess(years, "alone.csv", earlier=[tmp_path / "old.csv"])
    assert "records that link the releases" in found.findings
    reasons = {figure.name: figure.reason for figure in found.not_measured}
    assert "whose records the earlier release has is not known" in reasons[BELOW]
    with pytest.raises(EarlierReleaseError, match="private manifest is not next to it"):
        shoal.protect(
            years / "year2.csv", years / "policy.toml", key=years / "policy.key", earlier=[tmp_path / "old.csv"]
        )


LOST = {
    "the original is gone": (
        lambda f: (f / "year1.csv").unlink(),
        r"the original that it names, year1\.csv, is not there",
    ),
    "the original changed": (
        lambda f: shutil.copy(f / "year2.csv", f / "year1.csv"),
        r"the original that it names, year1\.csv, has changed since",
    ),
    "the policy changed": (
        lambda f: (f / "policy.toml").write_text(tomlkit.dumps(policy(K, "vmdav")), encoding="utf-8"),
        r"the policy that it names, policy\.toml, has changed since",
    ),
    "the key is gone": (lambda f: (f / "policy.key").unlink(), r"the key that it names, policy\.key, is not there"),
    "the key was not kept": (lambda f: stated(f, key_path=None), "its key was not stored"),
    "the release was edited": (lambda f: edited(f / "old.csv"), "it was edited since, or the key"),
    "another version made it": (lambda f: made_by(f, "0.0.9"), r"shoal 0\.0\.9 then.*Use the versions that made it"),
    "an unknown manifest": (lambda f: (f / "old.private.json").write_text("{}"), "as this version of Shoal writes it"),
    "no manifest": (lambda f: (f / "old.private.json").unlink(), "private manifest is not next to it"),
}


def stated(folder, **changes):
    file = folder / "old.private.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def edited(file):
    """Two cells of the column of conditions exchanged."""
    lines = [line.split(",") for line in file.read_text(encoding="utf-8").splitlines()]
    other = next(line for line in lines[2:] if line[3] != lines[1][3])
    lines[1][3], other[3] = other[3], lines[1][3]
    file.write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")


def made_by(folder, version):
    """As if another version of Shoal had made other groups."""
    edited(folder / "old.csv")
    file = folder / "old.manifest.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    content["versions"]["shoal"] = version
    file.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.parametrize("case", LOST)
def test_an_earlier_release_whose_files_are_not_as_they_were_says_what_to_do(years, tmp_path, case):
    folder, (lose, words) = tmp_path / "copy", LOST[case]
    shutil.copytree(years, folder)
    shutil.copy(folder / "policy.toml", folder / "now.toml")
    shutil.copy(folder / "policy.key", folder / "now.key")
    lose(folder)
    with pytest.raises(EarlierReleaseError, match=words) as said:
        shoal.protect(folder / "year2.csv", folder / "now.toml", key=folder / "now.key", earlier=[folder / "old.csv"])
    assert "Or give instead a copy of old.csv" in str(said.value)
    assert "P0" not in str(said.value)


def test_persons_must_be_told_apart(years, tmp_path):
    twice = two_years(N)[1]
    twice = twice.set_column(0, "person", pa.array(["P000001"] * len(twice)))
    with pytest.raises(EarlierReleaseError, match="have no value or that of another record"):
        shoal.protect(twice, years / "policy.toml", key=years / "policy.key", earlier=[years / "old.csv"])


def test_without_a_single_identifier_the_column_of_persons_must_be_named(years):
    rules = policy(K)
    rules["columns"] = {**rules["columns"], "visits": {"role": "identifier"}}
    with pytest.raises(EarlierReleaseError, match="several identifiers: person, visits"):
        shoal.protect(years / "year2.csv", rules, earlier=[years / "old.csv"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"method": {"name": "mondrian"}}, "the method mondrian"),
        ({"output": {"representation": "anatomy"}}, "anatomy"),
        ({"output": {"permute": True}}, "permuted values"),
        ({"local_suppression": {}, "method": {"name": "mdav", "k": 5}}, "local suppression"),
        ({"blocking": {"method": "twod_tree", "limit": 100}}, "blocks"),
    ],
)
def test_what_cannot_keep_groups_is_refused_with_what_can_be_done(years, changes, words):
    with pytest.raises(ShoalError, match=f"cannot be kept with {words}.*shoal assess --earlier"):
        shoal.protect(years / "year2.csv", {**policy(K), **changes}, earlier=[years / "old.csv"])
