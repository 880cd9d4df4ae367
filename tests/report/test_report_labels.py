"""The report of a file with value labels shows these next to the codes."""

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import shoal

LABELS = {1: "Grundschule", 2: "Realschule", 3: "Gymnasium"}
POLICY = {
    "requirements": [{"name": "k_anonymity", "k": 3}],
    "columns": {
        "school": {"role": "quasi_identifier", "kind": "nominal"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
    },
}


@pytest.fixture
def survey_file(tmp_path):
    chance = np.random.default_rng(4)
    frame = pd.DataFrame({"school": chance.integers(1, 4, 60).astype(float), "age": chance.integers(20, 60, 60) * 1.0})
    pyreadstat.write_sav(frame, tmp_path / "s.sav", variable_value_labels={"school": LABELS})
    return tmp_path / "s.sav"


def bins(release, column):
    (found,) = (each for each in release.assessment.distributions if each.column == column)
    return found.bins


def test_codes_are_shown_with_their_labels(survey_file, tmp_path):
    release = shoal.protect(survey_file, POLICY, output=tmp_path / "r.sav", report=tmp_path / "r.html")
    assert bins(release, "school")[:3] == ("Grundschule (1)", "Realschule (2)", "Gymnasium (3)")
    assert "Gymnasium (3)" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert not any("(" in name for name in bins(release, "age"))


def test_a_recoded_column_has_no_labels(survey_file):
    """What it shows are no codes any more, even where they look alike."""
    recoded = {**POLICY["columns"], "school": {**POLICY["columns"]["school"], "recode": {"merge": {"1": ["2", "3"]}}}}
    assert bins(shoal.protect(survey_file, POLICY | {"columns": recoded}), "school")[:1] == ("1",)
