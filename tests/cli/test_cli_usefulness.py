"""What shoal assess prints of usefulness."""

from __future__ import annotations

import json

import pytest

import shoal
from survey_example import desk, of_records, shell, survey_policy, write_policy

ANALYSES = [{"name": "amounts", "formula": "amount ~ age"}, {"name": "ills", "formula": "disease ~ age"}]


@pytest.mark.gate
def test_verdicts_figures_and_what_was_not_measured(tmp_path):
    at = desk(tmp_path, policy=of_records(survey_policy(analyses=ANALYSES)))
    shoal.protect(at.data, at.policy, output=at.release, key=at.policy.with_suffix(".key"))
    said = shell("assess", at.data, at.release, "--policy", at.policy).out
    section = said.split("Usefulness for analyses")[1]
    assert "amounts gives" in section
    assert "largest Kolmogorov-Smirnov distance: " in section
    assert "ills: not measured: column 'disease' has 3 values" in section.split("Not measured")[1]
    found = json.loads(shell("assess", at.data, at.release, "--policy", at.policy, "--json").out)["usefulness"]
    assert [each["name"] for each in found["analyses"]] == ["amounts", "ills"]
    assert found["analyses"][1]["estimate"] is None


def test_a_formula_that_cannot_be_read_stops_protect_before_any_work(tmp_path):
    at = desk(tmp_path)
    write_policy(survey_policy(analyses=[{"formula": "amount ~ log(age)"}]), at.policy)
    said = shell("protect", at.data, "--policy", at.policy, "--output", at.release)
    assert said.code == 2
    assert "analyses[1]: the formula 'amount ~ log(age)' cannot be read at character 13" in said.err
    assert not at.release.exists()
