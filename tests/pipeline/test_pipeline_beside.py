"""Another release of the same table beside a new one is said, and nothing else in the folder is minded."""

from __future__ import annotations

import json
import os

import pytest

import shoal
from shoal.pipeline.files import sibling_releases
from shoal.pipeline.files.sibling_releases import same_input
from survey_example import desk, shell, survey, survey_policy, write_csv, write_policy

SAID = "of the same table"


def said(release):
    return [note for note in release.manifest.notes if SAID in note]


@pytest.fixture
def table(tmp_path):
    made = desk(tmp_path)
    shoal.protect(made.data, made.policy, output=made.release)
    return made


def test_two_releases_of_one_table_are_noted_in_manifest_and_shell(table):
    rules = write_policy(survey_policy(k=4), table.folder / "other.toml")
    words = shell("protect", table.data, "--policy", rules, "--output", table.folder / "second.csv")
    assert "note: 1 other release of the same table is in this folder" in words.out
    manifest = json.loads((table.folder / "second.manifest.json").read_text())
    assert [note for note in manifest["notes"] if SAID in note]


@pytest.mark.gate
def test_a_third_counts_two(table):
    for k in (4, 5):
        third = shoal.protect(table.data, survey_policy(k=k), output=table.folder / f"release {k}.csv")
    assert said(third)[0].startswith("2 other releases of the same table are in this folder")


def test_the_one_that_is_replaced_is_not_meant(table):
    assert not said(shoal.protect(table.data, survey_policy(k=4), output=table.release, force=True))


def test_the_same_release_once_more_is_not_meant(table):
    assert not said(shoal.protect(table.data, table.policy, output=table.folder / "copy.csv"))


def test_a_release_of_another_table_is_not_meant(table):
    other = write_csv(survey(seed=1), table.folder / "other.csv")
    assert not said(shoal.protect(other, survey_policy(k=4), output=table.folder / "second.csv"))


def test_a_release_in_another_folder_is_not_looked_for(table, tmp_path_factory):
    assert not said(shoal.protect(table.data, survey_policy(k=4), output=tmp_path_factory.mktemp("far") / "second.csv"))


@pytest.mark.gate
def test_what_is_written_from_python_is_looked_at_too(table):
    folder = table.folder / "both"
    folder.mkdir()
    shoal.protect(table.data, table.policy, output=folder / "first.csv")
    made = shoal.protect(table.data, survey_policy(k=4))
    assert not said(made)
    made.write(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [note for note in manifest["notes"] if SAID in note]


@pytest.mark.gate(but="empty")
@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"7", b'{"input": 7}', b'{"input": {"sha256": null}}', b"\xff\xfe", b"[" * 100_000],
    ids=["empty", "torn", "a list", "a number", "no input", "no hash", "no text", "deep"],
)
def test_foreign_files_are_passed_over(content, table):
    (table.folder / "a.manifest.json").write_bytes(content)
    (table.folder / "b.manifest.json").mkdir()
    os.mkfifo(table.folder / "c.manifest.json")
    assert len(said(shoal.protect(table.data, survey_policy(k=4), output=table.folder / "second.csv"))) == 1


def test_no_more_files_are_looked_at_than_so_many(table, monkeypatch):
    monkeypatch.setattr(sibling_releases, "MOST_FILES", 2)
    for name in "abc":
        (table.folder / f"a{name}.manifest.json").write_text("{}")
    assert not said(shoal.protect(table.data, survey_policy(k=4), output=table.folder / "second.csv"))


def test_a_large_file_is_not_read(table, monkeypatch):
    monkeypatch.setattr(sibling_releases, "MOST_BYTES", 100)
    assert not said(shoal.protect(table.data, survey_policy(k=4), output=table.folder / "second.csv"))


def test_inputs_are_compared_by_what_both_have():
    assert same_input({"input": {"hmac": "a"}}, {"input": {"hmac": "a"}})
    assert same_input({"private": {"input_sha256": "a"}}, {"private": {"input_sha256": "a"}})
    assert not same_input({"input": {"hmac": "a"}}, {"private": {"input_sha256": "a"}})
    assert not same_input({"input": {}}, {"input": {}})


@pytest.mark.gate
@pytest.mark.new_keys
def test_another_key_does_not_hide_that_it_is_the_same_table(table):
    first, second = (
        shoal.protect(table.data, survey_policy(k=k), output=table.folder / f"release {k}.csv") for k in (4, 5)
    )
    assert first.manifest.input.hmac != second.manifest.input.hmac
    assert said(second)[0].startswith("2 other releases")
