"""No note is lost on the road: what source, policy, method and blanks have to say is in the manifest."""

import pyarrow as pa
import pytest

import shoal
from road import desk, survey, survey_policy


def noted(policy, table=None):
    return shoal.protect(survey() if table is None else table, policy).manifest.notes


def test_notes_of_source_policy_and_blanks_stand_together(tmp_path):
    """A CSV in cp1252, an ordinal column without an order, households, an unused taxonomy, a wildcard."""
    policy = survey_policy(3, method={"name": "none"}, local_suppression={"blanks": "wildcard"})
    policy["columns"]["grade"] = {"role": "quasi_identifier", "kind": "ordinal"}
    made = desk(tmp_path, policy=policy)
    made.data.write_bytes(made.data.read_text(encoding="utf-8").replace("é", "e").encode("cp1252"))
    release = shoal.protect(made.data, made.policy, output=made.release)
    notes = release.manifest.notes
    assert "read as cp1252: the bytes are not UTF-8" in notes
    assert "grade: ordinal without an order; its sorted values are taken." in notes
    assert any(note.startswith("household: households got new numbers") for note in notes)
    assert any("may be any value" in note for note in notes)
    blanked = {name: release.records[name].null_count for name in ("zip", "age", "grade", "born")}
    before = {name: survey()[name].null_count for name in blanked}
    for name, n in blanked.items():
        assert (f"{name}: {n - before[name]} cells were blanked." in notes) == (n > before[name])
    assert len(set(notes)) == len(notes)


@pytest.mark.parametrize(("together", "word"), [(True, "by whole households"), (False, "one by one")])
def test_who_is_protected_together_is_said(together, word):
    policy = survey_policy(3, method={"name": "mdav", "split_households": not together})
    (note,) = (note for note in noted(policy) if note.startswith("household:"))
    assert word in note


def test_imputed_values_are_counted_column_by_column():
    imputation = {"name": "imputation", "how": "hot_deck", "columns": ["age", "born"]}
    notes = noted(survey_policy(3, perturbations=[imputation]) | {"requirements": []})
    for name in ("age", "born"):
        assert f"{name}: {survey()[name].null_count} missing values were imputed." in notes


def test_a_policy_without_requirements_says_that_nothing_is_promised():
    silent = survey_policy(3, method={"name": "mdav", "k": 3}) | {"requirements": []}
    assert any("nothing promised" in note for note in noted(silent))
    assert not any("nothing promised" in note for note in noted(survey_policy(3)))


def test_a_taxonomy_that_is_not_used_is_named():
    table = pa.table({"letter": ["a", "b", "a", "b"], "x": [1.0, 2.0, 3.0, 4.0]})
    columns = {
        "letter": {"role": "other", "kind": "nominal", "taxonomy": {"prefixes": [1]}},
        "x": {"role": "quasi_identifier", "kind": "numeric"},
    }
    notes = noted({"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]}, table)
    assert any(note.startswith("letter: its taxonomy is checked but not used") for note in notes)
