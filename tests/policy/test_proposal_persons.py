"""Numbers of persons are units where they repeat, and only they are said to repeat."""

import tomllib

import pyarrow as pa
import pytest

import shoal
from shoal.schema.suggest import suggest
from shoal.schema.suggest.single_roles import N_TRIED

N = 60
KEY = bytes(32)
TWICE = [1000 + i // 2 for i in range(N)]
ONCE = [1000 + 7 * i for i in range(N)]
NUMBERS = [
    "Patienten-Nr", "Patienten Nr.", "Kundennr", "KundenNr", "Fallnummer", "Versicherten_ID", "Personalnr", "KV-Nr",
    "Mitglieds-Nr", "Pseudonym", "ID", "Kennung", "SSN", "patient_id", "customer no",
]  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_of_persons_is_a_unit_where_it_repeats_and_an_identifier_where_not(name):
    assert suggest(pa.table({name: TWICE}))[0].role == "unit"
    assert suggest(pa.table({name: ONCE}))[0].role == "identifier"


@pytest.mark.parametrize("name", ["Personen", "Anzahl Personen", "hospital_id", "Falltyp", "Kundenzufriedenheit"])
def test_what_is_no_number_of_persons_is_no_unit(name):
    assert suggest(pa.table({name: TWICE}))[0].role != "unit"


def test_few_different_ids_number_no_persons():
    (found,) = suggest(pa.table({"id": [i % 4 for i in range(N)]}))
    assert (found.role, found.is_named) == ("quasi_identifier", False)
    assert found.questions[0].startswith("it may number somebody, but 4 different values are few for 60 records: ")


def test_a_patient_counts_and_not_each_of_his_cases():
    table = pa.table({"Fallnr": [i // 2 for i in range(N)], "Patienten-Nr": [i // 4 for i in range(N)]})
    assert [found.role for found in suggest(table)] == ["identifier", "unit"]
    plants = pa.table({"firm_id": [i // 4 for i in range(N)], "employee_id": [i // 2 for i in range(N)]})
    assert [found.role for found in suggest(plants)] == ["identifier", "unit"]


def told(name):
    """The notes of a release that drops a repeated column of this name."""
    table = pa.table({"age": [20 + i % 5 for i in range(N)], name: TWICE})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, name: {"role": "identifier"}}
    policy = {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": columns}
    return [note for note in shoal.protect(table, policy, key=KEY).manifest.notes if "in several records" in note]


@pytest.mark.parametrize("name", ["Patienten-Nr", "Patienten Nr.", "Kundennr", 'a "pat" id', "person_id"])
def test_the_line_that_a_note_proposes_is_toml_of_that_column(name):
    (note,) = told(name)
    line = note.partition("with ")[2].partition(" these")[0]
    assert tomllib.loads(line) == {"columns": {name: {"role": "unit"}}}


@pytest.mark.parametrize("name", ["Geburtsdatum", "city", "Bemerkung", "Nachname"])
def test_other_columns_that_are_dropped_are_not_said_to_repeat(name):
    assert told(name) == []


def test_a_hospital_extract_in_german_runs_as_proposed():
    table = pa.table(
        {
            "Patienten-Nr": [f"P{i // 3}" for i in range(4 * N)],
            "Geburtsdatum": [f"19{40 + i // 3 % 50}-05-17" for i in range(4 * N)],
            "Geschlecht": ["m", "w"] * (2 * N),
        }
    )
    proposed = shoal.propose(table)
    assert [rule.role for rule in proposed.columns.values()] == ["unit", "quasi_identifier", "quasi_identifier"]
    notes = shoal.protect(table, proposed, key=KEY).manifest.notes
    assert not any("in several records" in note or "not used" in note for note in notes)


@pytest.mark.parametrize("n_other", [0, 1])
def test_a_value_is_of_the_household_only_if_no_household_has_two(n_other):
    n = N_TRIED + 40
    regions = [f"region {at // 4 % 9}" for at in range(n)]
    table = pa.table(
        {"household_id": [at // 4 for at in range(n)], "region": regions[: n - n_other] + ["far"] * n_other}
    )
    found = {each.name: each for each in suggest(table)}
    assert found["household_id"].role == "household"
    assert ("level" in found["region"].settings) is (n_other == 0)
