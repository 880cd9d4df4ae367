"""No note is lost in the pipeline: what source, policy, method and blanks have to say is in the manifest."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.errors import SourceError
from survey_example import desk, of_records, survey, survey_policy


def noted(policy, table=None):
    return shoal.protect(survey() if table is None else table, policy).manifest.notes


def test_notes_of_source_policy_and_blanks_stand_together(tmp_path):
    """A CSV in cp1252, an ordinal column without an order, an unused taxonomy, a wildcard."""
    policy = of_records(survey_policy(3, method={"name": "none"}, local_suppression={"blanks": "wildcard"}))
    policy["columns"]["grade"] = {"role": "quasi_identifier", "kind": "ordinal"}
    made = desk(tmp_path, policy=policy)
    made.data.write_bytes(made.data.read_text(encoding="utf-8").replace("é", "e").encode("cp1252"))
    release = shoal.protect(made.data, made.policy, output=made.release)
    notes = release.manifest.notes
    assert "read as cp1252: the bytes are not UTF-8" in notes
    assert "grade: ordinal without an order; its values are taken in sorted order." in notes
    assert any("may be any value" in note for note in notes)
    blanked = {name: release.records[name].null_count for name in ("zip", "age", "grade", "born")}
    before = {name: survey()[name].null_count for name in blanked}
    for name, n in blanked.items():
        assert (f"{name}: {n - before[name]} cells were blanked." in notes) == (n > before[name])
    assert len(set(notes)) == len(notes)


@pytest.mark.parametrize(("together", "word"), [(True, "by whole households"), (False, "one by one")])
def test_who_is_protected_together_is_said(together, word):
    policy = survey_policy(3, method={"name": "mdav", "split_households": not together}, suppression={"limit": 0.9})
    policy["requirements"] = []
    policy["method"]["k"] = 3
    (note,) = (note for note in noted(policy) if note.startswith("household:"))
    assert word in note


def test_imputed_values_are_counted_column_by_column():
    imputation = {"name": "imputation", "how": "hot_deck", "columns": ["age", "born"]}
    notes = noted(survey_policy(3, perturbations=[imputation]) | {"requirements": []})
    for name in ("age", "born"):
        assert f"{name}: {survey()[name].null_count} missing values were imputed." in notes


def test_a_policy_without_requirements_says_that_nothing_is_promised():
    silent = survey_policy(3, method={"name": "mdav", "k": 3}) | {"requirements": []}
    assert any("nothing was proved" in note for note in noted(silent))
    assert not any("nothing was proved" in note for note in noted(survey_policy(3)))


def test_a_taxonomy_that_is_not_used_is_named():
    table = pa.table({"letter": ["a", "b", "a", "b"], "x": [1.0, 2.0, 3.0, 4.0]})
    columns = {
        "letter": {"role": "other", "kind": "nominal", "taxonomy": {"prefixes": [1]}},
        "x": {"role": "quasi_identifier", "kind": "numeric"},
    }
    notes = noted({"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]}, table)
    assert any(note.startswith("letter: its taxonomy is checked but not used") for note in notes)


@pytest.mark.parametrize("taxonomy", [{"prefixes": [2, 1]}, "letters.csv"])
def test_a_taxonomy_of_a_recoding_is_used(taxonomy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letters.csv").write_text("aaa;aa*;*\nbbb;bb*;*\n")
    table = pa.table({"letters": ["aaa", "bbb", "aaa", "bbb"], "x": [1.0, 2.0, 3.0, 4.0]})
    columns = {
        "letters": {"role": "quasi_identifier", "taxonomy": taxonomy, "recode": {"level": 1}},
        "x": {"role": "other", "kind": "numeric"},
    }
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}], "local_suppression": {}}
    assert not any("taxonomy" in note for note in noted(policy, table))


def ordered_categories():
    """Twelve records whose categories go from lo over mid to hi: sorted, hi comes first."""
    codes = pa.array([0] * 6 + [1] * 3 + [2] * 3, pa.int32())
    return pa.table({"edu": pa.DictionaryArray.from_arrays(codes, ["lo", "mid", "hi"], ordered=True)})


OWN = (
    "edu: ordinal without an order in the policy. Groups, cuts and proofs use its sorted values; medians and ranks "
    "use the order of its categories. Declare columns.edu.order, so that all use one."
)


@pytest.mark.parametrize(("method", "notes"), [("mondrian", [OWN]), ("mdav", [OWN])])
def test_of_ordered_categories_the_note_says_which_order_is_taken(tmp_path, method, notes):
    """Sorted, no cut leaves 6 records on both sides, so a cut column is ``*``; in their own order one does."""
    rules = {"columns": {"edu": {"role": "quasi_identifier", "kind": "ordinal"}}, "method": {"name": method}}
    rules |= {"requirements": [{"name": "k_anonymity", "k": 6}]}
    path = tmp_path / "edu.parquet"
    pq.write_table(ordered_categories(), path)
    for source in (path, ordered_categories()):
        release = shoal.protect(source, rules)
        assert [note for note in release.manifest.notes if "edu" in note] == notes
        assert len(set(release.records["edu"].to_pylist())) == 1
    rules["columns"]["edu"]["order"] = ["lo", "mid", "hi"]
    release = shoal.protect(path, rules)
    assert not [note for note in release.manifest.notes if "edu" in note]
    assert len(set(release.records["edu"].to_pylist())) == 2


def test_what_cannot_come_in_pieces_is_told_with_a_remedy_that_helps(tmp_path):
    path = tmp_path / "edu.parquet"
    pq.write_table(ordered_categories(), path)
    rules = {"columns": {"edu": {"role": "quasi_identifier", "kind": "ordinal"}}, "method": {"name": "mdav", "k": 3}}
    with pytest.raises(SourceError, match="its categories have an order") as caught:
        shoal.protect(path, rules, output=tmp_path / "out.parquet", engine="duckdb")
    assert "convert it to Parquet" not in str(caught.value)
    assert str(caught.value).endswith(
        "or write the column as text and give its order in the policy, as columns.edu.order."
    )
    pq.write_table(pa.table({"edu": ordered_categories()["edu"].cast(pa.string())}), path)
    rules["columns"]["edu"]["order"] = ["lo", "mid", "hi"]
    assert shoal.protect(path, rules, output=tmp_path / "out.parquet", engine="duckdb").manifest.engine == "duckdb"
