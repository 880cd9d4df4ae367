"""What is noted in the pipeline stands in the manifest and is said by the shell: not one note is lost."""

import json
from dataclasses import replace

import pytest

import shoal
import shoal.pipeline.protect.protect
from shoal.pipeline.files.manifest_content import IN_ORDER
from survey_example import desk, of_records, shell, survey, survey_policy

pytestmark = [pytest.mark.linkage]


def grouped():
    """Read with a guess, imputed, divided into blocks and repaired; an ordinal column has no order."""
    policy = survey_policy(
        method={"name": "mdav", "split_households": True},
        blocking={"method": "twod_tree", "limit": 60, "repair": True},
        perturbations=[{"name": "imputation", "how": "median", "columns": ["age"]}],
        source={"encoding": "cp1252"},
    )
    del policy["columns"]["grade"]["order"]
    return policy


def blanked():
    policy = of_records(survey_policy(local_suppression={"blanks": "wildcard"}))
    return policy | {"requirements": [{"name": "k_anonymity", "k": 2}]}


def two_tables():
    policy = survey_policy(output={"representation": "anatomy"}, requirements=[], method={"name": "mdav", "k": 3})
    policy["columns"]["disease"]["taxonomy"] = {"prefixes": [1]}
    return policy


NOTED = {
    grouped: [
        "the release is written as UTF-8",
        "age: {n} missing values were imputed.",
        "grade: ordinal without an order; its values are taken in sorted order.",
        "households lost their number in household: too few others have the same size and composition",
        "200 records were grouped within ",
        "Across the borders of the blocks groups have exchanged records",
        "Informed linkage was not tried: values were changed at random before classes were formed.",
    ],
    blanked: [
        "A blank cell may be any value",
        "zip: its taxonomy is checked but not used.",
        "cells were blanked.",
        "right guesses of disease: not measured: a blank cell may be any value",
    ],
    two_tables: [
        "disease: its taxonomy is checked but not used.",
        "Anatomy: quasi-identifiers are released as they are",
        "household: households got new numbers",
        "household: the sensitive table counts records",
        "The policy sets no requirement",
    ],
}


@pytest.mark.gate(but="blanked")
@pytest.mark.parametrize("policy", NOTED, ids=lambda policy: policy.__name__)
def test_no_note_is_lost(tmp_path, policy):
    table = survey(200)
    place = desk(tmp_path, table, policy())
    if policy is grouped:
        place.data.write_bytes(place.data.read_text().encode("cp1252"))
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, said.err) == (0, "")
    notes = [note for note in json.loads(place.manifest.read_text())["notes"] if note != IN_ORDER]
    wanted = [words.format(n=table["age"].null_count) for words in NOTED[policy]]
    assert [words for words in wanted if not any(words in note for note in notes)] == []
    assert [note for note in notes if not any(words in note for words in wanted)] == []
    assert all(f"note: {note}" in said.out for note in notes)


def test_a_note_of_the_assessment_is_not_lost_either(monkeypatch):
    assessed = shoal.pipeline.protect.protect.assess_release

    def with_a_note(*of):
        return replace(assessed(*of), notes=("Every second record was looked at.",))

    monkeypatch.setattr(shoal.pipeline.protect.protect, "assess_release", with_a_note)
    assert "Every second record was looked at." in shoal.protect(survey(), survey_policy()).manifest.notes
