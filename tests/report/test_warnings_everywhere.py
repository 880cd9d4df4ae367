"""A warning is given wherever a release is shown: in JSON, in Python, by a comparison and by an assessment."""

from __future__ import annotations

import json
import random
from typing import Any

import pyarrow as pa
import pytest

import shoal
from shoal.report.exposure_words import exposure_sentence
from survey_example import shell, write_csv, write_policy


def persons(n: int = 60) -> pa.Table:
    draw = random.Random(5)
    return pa.table(
        {
            "age": [draw.randint(18, 80) for _ in range(n)],
            "pay": [round(draw.uniform(1, 5000), 2) for _ in range(n)],
        }
    )


def policy(**more: Any) -> dict[str, Any]:
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "pay": {"role": "other", "kind": "numeric"}}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]} | more


@pytest.fixture(scope="module")
def warned() -> Any:
    release = shoal.protect(persons(), policy(), key=b"k" * 32)
    assert [each.kind for each in release.assessment.exposures] == ["unique"]  # all of pay
    return release


def test_a_release_in_python_shows_it(warned):
    assert f"\n  warning: {exposure_sentence(warned.assessment.exposures[0])}" in repr(warned)


def test_json_of_protect_has_it(tmp_path, warned):
    data, rules = write_csv(persons(), tmp_path / "p.csv"), write_policy(policy(), tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "r.csv", "--json")
    (warning,) = json.loads(said.out)["warnings"]
    assert (warning["kind"], warning["share"], warning["columns"]) == ("unique", 100.0, ["pay"])
    assert warning["remedy"] == warned.assessment.exposures[0].remedy


def test_no_warning_is_an_empty_list(tmp_path):
    quiet = policy(warn={"unique": 1, "determined": 1})
    data, rules = write_csv(persons(), tmp_path / "p.csv"), write_policy(quiet, tmp_path / "policy.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "r.csv", "--json")
    assert json.loads(said.out)["warnings"] == []
    assert "warning" not in repr(shoal.protect(persons(), quiet))


def test_a_comparison_lists_it_once_with_the_numbers_of_its_releases(tmp_path):
    found = shoal.compare(persons(), policy(), grid={"requirements.0.k": [3, 4]})
    assert [entry["release"]["warnings"][0]["kind"] for entry in found.to_list()] == ["unique", "unique"]
    data, rules = write_csv(persons(), tmp_path / "p.csv"), write_policy(policy(), tmp_path / "policy.toml")
    said = shell("compare", data, "--policy", rules, "--grid", "requirements.0.k=3,4")
    assert said.out.count("are unique on columns") == 1
    assert "1 and 2: 100" in said.out


def test_an_assessment_shows_what_it_measured(tmp_path):
    """A mean at the end of its range is the value of every record of the class."""
    table = pa.table({"age": [20, 20, 42, 42], "pay": [1.0, 1.0, 1.0, 1.0]})
    rules = policy(requirements=[{"name": "k_anonymity", "k": 2}], output={"shuffle": False})
    data, file = write_csv(table, tmp_path / "p.csv"), write_policy(rules, tmp_path / "policy.toml")
    shell("protect", data, "--policy", file, "--output", tmp_path / "r.csv")
    found = shoal.assess(data, tmp_path / "r.csv", file)
    said = shell("assess", data, tmp_path / "r.csv", "--policy", file)
    assert said.out.count("warning: ") == len(found.exposures)
    assert len(found.to_dict()["warnings"]) == len(found.exposures) > 0


def test_pages_that_compare_with_the_original_begin_with_it(tmp_path, warned):
    """Neither edition shows only the figures of quasi-identifiers where everybody is unique on another column."""
    rules = policy(limits={"linked_persons": 1.0})
    table, page = persons(), tmp_path / "page.md"
    for edition, words in (("internal", "100 % of the released records are unique"), ("external", "up to 100 %")):
        shoal.assess(table, warned.table, rules, key=b"k" * 32, report=page, edition=edition, force=True)
        head = page.read_text().split("## ")[0]
        assert "The release discloses more than the policy accepts" in head
        assert words in head


def test_a_recommended_release_with_a_warning_is_called_one(tmp_path):
    rules, page = policy(limits={"linked_persons": 1.0}), tmp_path / "page.md"
    found = shoal.compare(persons(), rules, grid={"requirements.0.k": [3, 4]}, report=page)
    assert found.recommended is not None
    assert "**! Recommended" in page.read_text()
    assert "read them below before it is released" in page.read_text().split("## ")[0]
    shoal.compare(persons(), rules, grid={"requirements.0.k": [3, 4]}, report=page, edition="external", force=True)
    assert page.read_text().count("Records that are unique on columns released unchanged: up to 100 %.") == 2
    quiet = rules | {"warn": {"unique": 1, "determined": 1}}
    shoal.compare(persons(), quiet, report=page, force=True)
    assert "**\u2713 Recommended" in page.read_text()
    assert "Only " in page.read_text().split("## ")[0]


def test_protect_and_assess_warn_of_the_same(tmp_path):
    """Among other things of classes whose records all have one illness."""
    table = persons().append_column("ill", pa.array(["flu"] * 50 + ["cold"] * 10))
    rules = policy()
    rules["columns"] = rules["columns"] | {"ill": {"role": "sensitive"}}
    release = shoal.protect(table, rules, key=b"k" * 32)
    found = shoal.assess(table, release.table, rules, key=b"k" * 32)
    assert {"unique", "homogeneous"} <= {each.kind for each in found.exposures}
    assert found.exposures == release.assessment.exposures
