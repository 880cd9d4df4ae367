"""The table [earlier] of a policy: its digest, what a manifest shows of it, and what is refused."""

import json

import pytest

from shoal.errors import ShoalError
from shoal.policy import load
from yearly_example import policy


def with_file(folder, content="age\n30\n", **rules):
    folder.mkdir(exist_ok=True)
    (folder / "2025.csv").write_text(content, encoding="utf-8")
    return load(policy(earlier={"releases": [str(folder / "2025.csv")], **rules}))


def test_the_digest_is_that_of_the_content_wherever_the_file_is(tmp_path):
    here, there = with_file(tmp_path / "a"), with_file(tmp_path / "b")
    assert here.digest() == there.digest()
    assert here.digest_of_values() == there.digest_of_values()
    assert here.digest() != with_file(tmp_path / "c", "age\n31\n").digest()
    assert here.digest() != load(policy()).digest()


def test_a_policy_without_earlier_releases_says_nothing_of_them():
    assert "earlier" not in load(policy()).summary()


def test_a_manifest_shows_name_and_hash_and_no_path(tmp_path):
    stated = with_file(tmp_path / "secret_folder", stable=["condition"]).summary()
    assert stated["earlier"]["releases"][0].keys() == {"path", "sha256"}
    assert stated["earlier"]["releases"][0]["path"] == "2025.csv"
    assert "secret_folder" not in json.dumps(stated)


def test_files_are_relative_to_the_policy_and_may_not_be_overwritten(tmp_path):
    loaded = load(policy(earlier={"releases": ["2025.csv"]})).read_from(tmp_path / "policy.toml")
    assert loaded.earlier_files == (tmp_path / "2025.csv",)
    assert tmp_path / "2025.csv" in loaded.files


def test_files_of_the_shell_replace_those_of_the_policy_and_keep_its_rules(tmp_path):
    loaded = with_file(tmp_path / "a", stable=["condition"]).with_earlier([tmp_path / "b.csv"], "person")
    assert loaded.earlier_files == (tmp_path / "b.csv",)
    assert loaded.earlier.stable == ("condition",)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"releases": []}, "names no file"),
        ({"person": "nobody"}, "earlier.person.*'nobody'"),
        ({"stable": ["nothing"]}, "earlier.stable.*'nothing'"),
        ({"m_invariance": {"condition": 2}}, r"earlier\.m_invariance"),  # a requirement, not a key of this table
    ],
)
def test_what_cannot_be_right_is_refused(rules, words):
    with pytest.raises(ShoalError, match=words):
        load(policy(earlier={"releases": ["2025.csv"], **rules}))
