"""The profile of a file or dataframe: engines, policies, keys, and what cannot be counted."""

import json
from datetime import date

import pandas as pd
import pyarrow as pa
import pytest

import shoal
from reference import profile as twin
from shoal.engines.memory import MemoryEngine
from shoal.errors import SourceError
from shoal.pipeline.profile import ProfiledTable, profile
from shoal.policy import load
from shoal.report.profile_outline import profile_outline
from survey_example import as_parquet, carrier, desk, of_records, survey, survey_policy, write_csv

KEYS = ("zip", "age", "grade", "born")


def records_of(table, *, unit=None, weight=None):
    renamed = {unit: "unit", weight: "weight"}
    return [{renamed.get(name, name): cell for name, cell in record.items()} for record in table.to_pylist()]


@pytest.mark.gate(but="all-households")
@pytest.mark.parametrize("policy", [survey_policy(), of_records(survey_policy())], ids=["households", "records"])
@pytest.mark.parametrize("keys", [None, ["age"], ["zip", "grade"]], ids=["all", "age", "two"])
def test_engines_agree(tmp_path, policy, keys):
    found = []
    for name in ("memory", "duckdb"):
        with carrier(name, tmp_path) as engine:
            data = as_parquet(survey(200), tmp_path / f"{name}.parquet")
            found.append(ProfiledTable.read(engine, data, load(policy), keys).profile(guessed=False))
    assert found[0] == found[1]  # every digit of every figure


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_file_and_its_table_have_one_profile(tmp_path, engine):
    there = desk(tmp_path, survey(100))
    assert profile(there.data, there.policy, engine=engine) == profile(survey(100), survey_policy())


@pytest.mark.parametrize(("role", "risk"), [("unit", 100), ("household", 20)])
def test_the_stays_of_a_patient_do_not_hide_each_other(role, risk):
    """Forty patients of five stays each, nobody else has their age: everyone is found. Members of a household, who are
    persons of their own, are found with a chance of one in five."""
    table = pa.table({"patient": [at // 5 for at in range(200)], "age": [20 + at // 5 for at in range(200)]})
    columns = {"patient": {"role": role}, "age": {"role": "quasi_identifier", "kind": "numeric"}}
    found = shoal.profile(table, {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]})
    assert (found.risk.highest, found.risk.mean) == (risk, risk)
    assert "violate 2-anonymity: 200 (100 %)" in repr(found)
    tiles = profile_outline(found, "x").sections[0].parts[1].tiles
    assert ("Sample uniques", "200") in [(tile.label, tile.figure) for tile in tiles]


def test_a_report_is_a_page_or_markdown(tmp_path):
    with pytest.raises(SourceError, match="html"):
        shoal.profile(survey(40), survey_policy(), report=tmp_path / "profile.pdf")
    assert not list(tmp_path.iterdir())


def test_the_survey_agrees_with_its_twin():
    found = shoal.profile(survey(80), survey_policy())
    records = records_of(survey(80), unit="household", weight="weight")
    for each in found.violations:
        assert (each.n_records, each.by_units, each.below_map) == twin.violations(records, KEYS, each.k)
    assert found.risk.expected == pytest.approx(sum(twin.risks(records, KEYS)), rel=1e-6)
    assert found.unit_risk.expected == pytest.approx(sum(twin.unit_risks(records, KEYS)), rel=1e-6)
    assert (found.roles.weight, found.roles.unit, found.roles.guessed) == ("weight", "household", False)


def test_a_taxonomy_says_what_one_level_costs():
    policy = of_records(survey_policy())
    policy["columns"]["born"]["taxonomy"] = {"date_parts": ["year"]}
    costs = {cost.key: cost for cost in shoal.profile(survey(300), policy).key_costs}
    coarser = records_of(survey(300))
    for record in coarser:
        record["zip"] = record["zip"][:3]
        record["born"] = record["born"] and record["born"].year
    of_zip = [{**record, "born": own["born"]} for record, own in zip(coarser, records_of(survey(300)), strict=True)]
    of_born = [{**record, "zip": own["zip"]} for record, own in zip(coarser, records_of(survey(300)), strict=True)]
    assert costs["zip"].coarser == tuple(twin.violations(of_zip, KEYS, k)[0] for k in (2, 3, 5))
    assert costs["born"].coarser == tuple(twin.violations(of_born, KEYS, k)[0] for k in (2, 3, 5))
    assert costs["age"].coarser is None


def test_values_are_counted_after_recoding():
    policy = of_records(survey_policy())
    policy["columns"]["zip"] = {"role": "quasi_identifier", "recode": {"prefix": 3}}
    policy["columns"]["born"]["recode"] = {"date_part": "year"}
    found, recoded = shoal.profile(survey(300), policy), records_of(survey(300), weight="weight")
    for record in recoded:
        record["zip"] = record["zip"] and record["zip"][:3]
        record["born"] = record["born"] and record["born"].year
    for each in found.violations:
        assert each.n_records == twin.violations(recoded, KEYS, each.k)[0]


def test_a_taxonomy_without_some_values_is_left_out(tmp_path):
    (tmp_path / "zips.csv").write_text("01067;010;*\n01069;010;*\n")
    policy = survey_policy()
    policy["columns"]["zip"]["taxonomy"] = str(tmp_path / "zips.csv")
    found = shoal.profile(survey(), policy)
    assert next(cost for cost in found.key_costs if cost.key == "zip").coarser is None
    assert "The taxonomy of 'zip' lacks values that occur, so it was not recoded." in found.notes


def test_guessed_keys_are_those_of_init():
    found = shoal.profile(survey())
    proposed = [each.name for each in shoal.propose(survey()).suggestions if each.role == "quasi_identifier"]
    assert (list(found.roles.keys), found.roles.guessed) == (proposed, True)
    assert shoal.profile(survey(), keys=["age"]).roles.guessed is False


def test_one_spelling_of_a_household_is_as_good_as_another():
    table = pa.table({"a": [1, 1, 2], "home": ["H1", " h1", "H2"]})
    policy = {"columns": {"a": {"role": "quasi_identifier"}, "home": {"role": "household"}}}
    assert [v.by_units for v in shoal.profile(table, policy).violations] == [3, 3, 3]


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_key_without_values_distinguishes_nobody(tmp_path, engine):
    table = survey(50).set_column(3, "age", pa.nulls(50, pa.int64()))
    data = as_parquet(table, tmp_path / "s.parquet")
    found = profile(data, of_records(survey_policy()), keys=["zip", "age"], engine=engine)
    assert [c.n_missing for c in found.columns if c.name == "age"] == [50]
    alone = profile(data, of_records(survey_policy()), keys=["zip"], engine=engine)
    assert found.violations == alone.violations
    assert next(cost for cost in found.key_costs if cost.key == "age").left_out == tuple(
        each.n_records for each in found.violations
    )


def test_a_table_without_records_is_refused(tmp_path):
    for empty in (survey().slice(0, 0), pd.DataFrame({name: [] for name in survey().column_names})):
        with pytest.raises(shoal.ShoalError, match="no records"):
            shoal.profile(empty, survey_policy())
    header = tmp_path / "empty.csv"
    header.write_text("a,b\n")
    with pytest.raises(shoal.errors.SourceError, match="no records"):
        shoal.profile(header)


def test_an_unknown_key_is_named_with_all_columns():
    with pytest.raises(
        shoal.errors.PolicyError, match=r"keys: the table has no column 'agee'. Did you mean 'age'\? It"
    ):
        shoal.profile(survey(), survey_policy(), keys=["zip", "agee"])
    with pytest.raises(shoal.errors.PolicyError, match="quasi_identifier"):
        shoal.profile(survey(), survey_policy(), keys=[])


def test_weights_that_are_none_are_not_used():
    table = survey().set_column(9, "weight", pa.array([0.0, -1.0, None, *[2.0] * 37]))
    found = shoal.profile(table, survey_policy())
    assert found.roles.weight is None
    assert found.violations[0].below_map is None
    assert any("missing, zero or negative in 3 records" in note for note in found.notes)
    assert found.risk.expected == found.n_classes  # 1 / f for every record


def test_cells_that_are_lists():
    table = survey().append_column("tags", pa.array([["x"]] * 39 + [None]))
    policy = survey_policy()
    policy["columns"]["tags"] = {"role": "identifier"}
    found = shoal.profile(table, policy)
    assert [(c.n_missing, c.n_distinct) for c in found.columns if c.name == "tags"] == [(1, None)]
    with pytest.raises(shoal.errors.TableError, match="not single values"):
        shoal.profile(table, policy, keys=["tags"])


def test_no_cell_is_in_the_figures():
    """Canaries: an extreme age, a rare place, a rare day. Text, repr and JSON show none of them."""
    table = pa.table(
        {
            "age": [*range(20, 60)] * 5 + [73519],
            "city": ["a", "b", "c", "d"] * 50 + ["Kanarienstadt"],
            "day": [date(2020, 1, 1 + at % 20) for at in range(200)] + [date(1931, 7, 23)],
        }
    )
    found = shoal.profile(table, keys=["age", "city", "day"])
    from shoal.report import render_profile

    pages = [render_profile(found, "t", is_markdown=markdown) for markdown in (True, False)]
    for shown in (repr(found), json.dumps(found.to_dict()), *pages):
        assert not [canary for canary in ("73519", "73,519", "Kanarien", "1931") if canary in shown]


@pytest.mark.parametrize("name", ["p.html", "p.md"])
def test_the_report_is_private_and_replaces_nothing(tmp_path, name):
    there = desk(tmp_path)
    page = tmp_path / name
    shoal.profile(there.data, there.policy, report=page)
    text = page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o777 == 0o600
    assert "Internal: do not publish" in text
    with pytest.raises(shoal.errors.SourceError):
        shoal.profile(there.data, there.policy, report=page)
    with pytest.raises(shoal.errors.SourceError):
        shoal.profile(there.data, there.policy, report=there.data, force=True)
    assert page.read_text(encoding="utf-8") == text


def test_a_policy_of_another_table_is_refused(tmp_path):
    data = write_csv(pa.table({"x": [1, 2, 3], "y": [1, 2, 3]}), tmp_path / "other.csv")
    with pytest.raises(shoal.errors.PolicyError, match="none of the 11 columns"):
        shoal.profile(data, survey_policy())


def test_every_column_is_counted_once(monkeypatch):
    """The keys are counted once; all other figures follow from that table."""
    counted = []
    count = MemoryEngine.group_counts
    monkeypatch.setattr(
        MemoryEngine, "group_counts", lambda self, frame, by: (counted.append(tuple(by)), count(self, frame, by))[1]
    )
    shoal.profile(survey(), of_records(survey_policy()))
    assert counted[0] == (*KEYS, "weight")
    assert sorted(counted[1:]) == sorted((name,) for name in survey().column_names if name not in KEYS)
