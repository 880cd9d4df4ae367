"""An anatomy hides sensitive values, not persons: findings, report and shell say so, with one k, and name its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.report import render_markdown
from survey_example import desk, shell, survey, survey_policy

L_DIVERSITY = {"name": "distinct_l_diversity", "l": 2, "column": "disease"}


def rules(role: str = "identifier", **more: Any) -> dict[str, Any]:
    """The survey as an anatomy; ``role`` of the column of households, which decides what is counted."""
    found = survey_policy(
        method={"name": "mdav"}, output={"representation": "anatomy"}, suppression={"limit": 0.1}, **more
    )
    found["requirements"] = [*found["requirements"], L_DIVERSITY]
    found["columns"]["household"] = {"role": role}
    return found


def release(role: str = "identifier", **more: Any) -> Any:
    return shoal.protect(survey(60), rules(role, **more))


@pytest.mark.gate(but="identifier-record")
@pytest.mark.parametrize(("role", "noun"), [("identifier", "record"), ("unit", "unit"), ("household", "unit")])
def test_there_is_one_k_the_size_of_the_groups(role: str, noun: str) -> None:
    """In the manifest, the finding, the tile and the text; nobody is said to share quasi-identifiers with others."""
    made = release(role)
    found = made.findings["k reached"]
    assert found.estimate == made.manifest.k_reached >= 3
    assert found.goal == 3
    assert "group of the anatomy" in found.meaning
    assert f"at least {made.manifest.k_reached} {noun}s" in found.meaning
    page = render_markdown(made.manifest, made.assessment)
    assert f"k reached: **{made.manifest.k_reached}**, {noun}s in the smallest group" in page
    assert f"among the {made.manifest.k_reached} {noun}s or more of the group" in page


def test_the_report_does_not_contradict_itself() -> None:
    page = render_markdown(*((made := release()).manifest, made.assessment))
    assert "at least 0 others" not in page
    assert "less precise" not in page
    assert "a class of at least" not in page
    assert "finds a person's record as in the original" in page
    assert "distinct l-diversity of 'disease' with l = 2" in page
    assert "60 records in" in page
    assert "Failing groups" in page


def test_no_goal_is_set_for_finding_persons() -> None:
    """k is required of groups: an anatomy promises nothing about classes of equal quasi-identifiers."""
    found = release().findings
    assert found["highest prosecutor risk"].estimate == 100
    assert found["highest prosecutor risk"].goal is None
    assert found["unique records"].goal is None


@pytest.mark.gate(but="identifier")
@pytest.mark.parametrize("role", ["identifier", "unit", "household"])
def test_assess_finds_the_same_k(role: str) -> None:
    table, made = survey(60), release(role)
    assert shoal.assess(table, made.table, rules(role)).findings["k reached"].estimate == made.manifest.k_reached


@pytest.mark.gate
def test_shell_and_report_name_the_second_file(tmp_path: Path) -> None:
    place = desk(tmp_path, policy=rules())
    page = tmp_path / "page.html"
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, "--report", page)
    second = place.release.with_name(f"release.sensitive{place.release.suffix}")
    assert second.exists()
    assert f"{second} and" in said.out
    assert "in groups" in said.out
    assert second.name in page.read_text(encoding="utf-8")
