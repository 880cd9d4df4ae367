"""The checklist of a scenario states what the release reached, and whether that is enough."""

from datetime import date

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import shoal
from shoal.report.markdown import render
from shoal.report.outline import outline

N = 60
KEY = bytes(32)
AGES = "ages over 89 are one category, and so are the birth years that tell them"
ZIP = "ZIP codes have three digits; 000 where the area has 20,000 persons or fewer"
PATIENTS = pa.table(
    {
        "patient_name": [f"n{i}" for i in range(N)],
        "age": [20 + 3 * (i % 25) for i in range(N)],
        "zip": [f"{i % 3}4{i % 5}03" for i in range(N)],
        "admitted": [f"2024-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(N)],
        "city": ["a", "b", "c"] * (N // 3),
        "diagnosis": ["flu", "cold", "none"] * (N // 3),
        "weight": [1.0 + i / 7 for i in range(N)],
    }
)


def checklist(policy, table=PATIENTS):
    """The rows of the checklist: words -> (asked, reached, met)."""
    release = shoal.protect(table, policy, key=KEY)
    sections = outline(release.manifest, release.assessment).sections
    found = [section for section in sections if section.title == "Scenario checklist"]
    if not found:
        return {}
    table = found[0].parts[-1]
    return {row[0].text: tuple(cell.text for cell in row[1:]) for row in table.rows}


def test_no_scenario_no_checklist():
    assert checklist(shoal.propose(PATIENTS)) == {}


@pytest.mark.gate(but=("public-use-12", "scientific-use-3"))
@pytest.mark.parametrize(
    ("scenario", "k"), [("public-use", 12), ("scientific-use", 3), ("internal", 2), ("hipaa-safe-harbor", 5)]
)
def test_what_a_scenario_proposes_meets_its_own_thresholds(scenario, k):
    found = shoal.propose(PATIENTS, scenario=scenario)
    assert (found.k, found.scenario) == (k, scenario)
    rows = checklist(found)
    assert rows["records of the smallest class"] == (str(k), str(k), "yes")
    assert "no" not in [met for _, _, met in rows.values()]


@pytest.mark.parametrize(("dropped", "met"), [(["patient_name"], "yes"), ([], "check by hand")])
def test_identifiers_are_dropped_only_where_there_are_some(dropped, met):
    names = [*dropped, "age", "diagnosis"]
    rows = checklist(shoal.propose(PATIENTS.select(names), scenario="public-use"), PATIENTS.select(names))
    assert next(found for words, (_, _, found) in rows.items() if "identifier" in words) == met


def test_thresholds_that_are_missed_are_said():
    found = shoal.propose(PATIENTS).model_dump(exclude_unset=True) | {"scenario": "public-use"}
    rows = checklist(found)
    assert rows["highest risk of a correct guess"] == ("0.09", "20 %", "no")
    assert rows["records of the smallest class"] == ("12", "5", "no")
    assert rows["values of each sensitive column in every class"][1:] == ("no requirement on diagnosis", "no")
    assert rows["survey weights are not released with all digits"][1:] == ("weights are kept", "no")


@pytest.mark.gate(but="distinct_l_diversity-yes")
@pytest.mark.parametrize(
    ("requirement", "met"),
    [
        ({"name": "distinct_l_diversity", "l": 2}, "yes"),
        ({"name": "alpha_k_anonymity", "alpha": 0.9, "k": 2}, "yes"),
        ({"name": "t_closeness", "t": 0.99}, "check by hand"),
        ({"name": "beta_likeness", "beta": 50}, "check by hand"),
    ],
    ids=lambda each: each["name"] if isinstance(each, dict) else None,
)
def test_closeness_alone_does_not_promise_two_values(requirement, met):
    """With t = 0.99 a class may hold a single diagnosis: a value of a third of the records is 0.67 away."""
    found = shoal.propose(PATIENTS).model_dump(exclude_unset=True) | {"scenario": "public-use"}
    found["requirements"] = [{"name": "k_anonymity", "k": 5}, {**requirement, "column": "diagnosis"}]
    assert checklist(found)["values of each sensitive column in every class"][2] == met


def test_the_rule_of_safe_harbor_is_compared_column_by_column():
    found = shoal.propose(PATIENTS).model_dump(exclude_unset=True) | {"scenario": "hipaa-safe-harbor"}
    rows = checklist(found)
    assert rows["dates that concern a person are years"][1:] == ("not recoded: admitted", "no")
    assert rows[AGES][1:] == ("not recoded: age", "no")
    assert (
        "released: city" in rows["no geographic unit smaller than a state except the first three digits of a ZIP code"]
    )
    columns = shoal.propose(PATIENTS, scenario="hipaa-safe-harbor").columns
    assert columns["zip"].recode.prefix == 3
    assert columns["age"].recode.top == 90
    assert columns["admitted"].recode.date_part == "year"
    assert (columns["city"].role, columns["patient_name"].role) == ("identifier", "identifier")


@pytest.mark.gate(but="zip")
@pytest.mark.parametrize("name", ["zip", "PLZ", "Postleitzahl", "code_postal", "postcodes"])
def test_whatever_is_proposed_as_a_postal_code_is_on_the_checklist(name):
    table = PATIENTS.rename_columns([name if column == "zip" else column for column in PATIENTS.column_names])
    proposed = shoal.propose(table, scenario="hipaa-safe-harbor")
    assert proposed.columns[name].recode.prefix == 3
    assert checklist(proposed, table)[ZIP][1:] == (f"recoded: {name}", "check by hand")

    policy = proposed.model_dump(exclude_unset=True)
    policy["columns"][name].pop("recode")
    assert checklist(policy, table)[ZIP][1:] == (f"not recoded: {name}", "no")


BIRTHS = {
    "birth_date": [f"{1925 + i}-05-17" for i in range(N)],
    "Geburtsjahr": [1925 + i for i in range(N)],
}


@pytest.mark.gate(but="birth_date")
@pytest.mark.parametrize("name", BIRTHS)
def test_a_birth_year_that_tells_an_age_over_89_is_released_only_with_a_bottom_code(name):
    """Whoever was born in 1931 is over 89, though no age is released."""
    table = PATIENTS.drop_columns(["age"]).append_column(name, pa.array(BIRTHS[name]))
    proposed = shoal.propose(table, scenario="hipaa-safe-harbor")
    assert checklist(proposed, table)[AGES][1:] == (f"recoded: {name}", "yes")
    released = shoal.protect(table, proposed, key=KEY).table
    assert pc.min(released[name]).as_py() >= date.today().year - 90

    policy = proposed.model_dump(exclude_unset=True)
    recode = policy["columns"][name].pop("recode")
    if "date_part" in recode:
        policy["columns"][name]["recode"] = {"date_part": "year"}
    assert checklist(policy, table)[AGES][1:] == (f"not recoded: {name}", "no")


def test_a_bottom_code_too_low_is_not_enough():
    table = PATIENTS.drop_columns(["age"]).append_column("birth_year", pa.array(BIRTHS["Geburtsjahr"]))
    policy = shoal.propose(table, scenario="hipaa-safe-harbor").model_dump(exclude_unset=True)
    policy["columns"]["birth_year"]["recode"] = {"bottom": date.today().year - 91}
    assert checklist(policy, table)[AGES][1:] == ("not recoded: birth_year", "no")


def test_without_a_column_that_is_named_so_ages_are_checked_by_hand():
    table = PATIENTS.drop_columns(["age"])
    assert checklist(shoal.propose(table, scenario="hipaa-safe-harbor"), table)[AGES][2] == "check by hand"


def test_a_scenario_changes_nothing_about_the_release():
    found = shoal.propose(PATIENTS)
    named = found.model_dump(exclude_unset=True) | {"scenario": "internal"}
    one, other = shoal.protect(PATIENTS, found, key=KEY), shoal.protect(PATIENTS, named, key=KEY)
    assert one.table.equals(other.table)
    assert one.manifest.policy["sha256"] == other.manifest.policy["sha256"]


def test_no_legal_opinion():
    release = shoal.protect(PATIENTS, shoal.propose(PATIENTS, scenario="internal"), key=KEY)
    assert "no legal opinion" in render(outline(release.manifest, release.assessment))


@pytest.mark.parametrize(
    ("tolerance", "found"),
    [({}, ("what is required promises little of pay", "no")), ({"tolerance": "20%"}, ("required and proved", "yes"))],
    ids=["by equality", "by tolerance"],
)
def test_what_nearly_any_class_satisfies_is_not_said_to_be_proved(tolerance, found):
    """Amounts are nearly all different, so that two different ones are in any class."""
    table = pa.table({"age": [20 + i % 40 for i in range(240)], "pay": [900.0 * 1.013**i for i in range(240)]})
    asked = [{"name": "k_anonymity", "k": 5}, {"name": "distinct_l_diversity", "l": 2, "column": "pay", **tolerance}]
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "pay": {"role": "sensitive", "kind": "numeric"},
    }
    rows = checklist({"columns": columns, "requirements": asked, "scenario": "public-use"}, table)
    assert rows["values of each sensitive column in every class"][1:] == found
