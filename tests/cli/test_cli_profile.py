"""shoal profile."""

import json
import re

import pytest

import shoal
from survey_example import desk, shell, survey, write_csv


def test_the_shell_profiles_as_python_does(tmp_path):
    there = desk(tmp_path, survey(120))
    said = shell("profile", there.data, "--policy", there.policy, "--json")
    assert said.code == 0
    found = json.loads(said.out)
    assert found == json.loads(json.dumps(shoal.profile(there.data, there.policy).to_dict()))
    assert found["internal"] is True


def test_the_keys_of_the_json_are_documented(tmp_path):
    there = desk(tmp_path)
    found = json.loads(shell("profile", there.data, "--policy", there.policy, "--json").out)
    page = (shoal_docs() / "profile.md").read_text()
    names = {*found, *(key for value in found.values() for key in inner_keys(value))}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def shoal_docs():
    from pathlib import Path

    return Path(__file__).parents[2] / "docs"


def inner_keys(value):
    if isinstance(value, dict):
        return list(value)
    return list(value[0]) if isinstance(value, list) and value and isinstance(value[0], dict) else []


def test_the_screen_says_what_was_guessed(tmp_path):
    data = write_csv(survey(), tmp_path / "survey.csv")
    said = shell("profile", data)
    assert said.code == 0
    words = re.sub(r"\s+", " ", said.out)
    for shown in (
        "Internal: do not publish",
        "Keys guessed from names and values: zip, age",
        "2-anonymity",
        "individual risk",
        "Which keys single people out",
        "Special uniques",
        "age left out",
        "quasi-identifier",
    ):
        assert shown in words
    assert not re.search(r"[│┃]", said.out)  # tables without frames
    assert list(tmp_path.iterdir()) == [data]


def test_keys_can_be_chosen(tmp_path):
    data = write_csv(survey(), tmp_path / "survey.csv")
    said = shell("profile", data, "--keys", "age, zip")
    assert "is assumed to know: age, zip." in said.out
    assert "guessed" not in said.out


def test_wrong_words_are_told(tmp_path):
    there = desk(tmp_path)
    said = shell("profile", there.data, "--keys", "agee,zip")
    assert said.code == 2
    assert "keys: the table has no column 'agee'. Did you mean 'age'? It has: person, household, zip" in said.err
    for wrong in (tmp_path / "none.csv", tmp_path, there.policy):
        said = shell("profile", wrong)
        assert (said.code, said.err.startswith("error: "), said.out) == (2, True, "")
        assert "this should not happen" not in said.err


@pytest.mark.gate
def test_a_report_is_written(tmp_path):
    there = desk(tmp_path, survey(120))
    page = tmp_path / "profile.html"
    said = shell("profile", there.data, "--policy", there.policy, "--report", page)
    assert (said.code, f"The report was written to {page}." in said.out) == (0, True)
    text = page.read_text(encoding="utf-8")
    for title in ("Violations of k-anonymity", "Pairs of keys", "Contribution of every key", "What each key costs"):
        assert title in text
    assert text.count("<svg") >= 4
    assert shell("profile", there.data, "--report", page).code == 2
    assert shell("profile", there.data, "--report", page, "--force").code == 0
