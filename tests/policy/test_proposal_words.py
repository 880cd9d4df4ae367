"""What a draft says about compounds, odd values, missing codes, firms and dates."""

import tomllib
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

import shoal
from shoal.schema.suggest import ColumnEvidence, suggest, suggestion
from shoal.schema.suggest.known_orders import known_order
from shoal.schema.suggest.value_questions import value_questions
from shoal.sources import ReadOptions, read
from survey_example import shell

N = 60
KEY = bytes(32)


def column(name, values):
    return ColumnEvidence(name, pa.chunked_array([values]))


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("sensitive", ["Hauptdiagnose", "Nettoeinkommen", "Haushaltsnettoeinkommen", "Krankheitstage",
                       "Schwerbehinderung", "Bruttoverdienst", "Entgeltgruppe", "Stundenlohn", "Altersrente",
                       "Jahresgehalt", "Vermoegen"]),
        ("quasi_identifier", ["Höchster Schulabschluss", "Hoechster Schulabschluss", "Aufnahmedatum", "Altersgruppe",
                              "Eintrittsjahr", "Wohnortgröße", "Geburtsort"]),
        ("identifier", ["Telefonnummer", "Patientenname", "E-Mailadresse"]),
    ],
)  # fmt: skip
def test_compounds_are_known_by_their_parts(role, names):
    for name in names:
        found = suggest(pa.table({name: [1000 + i % 15 for i in range(N)]}))[0]
        assert (found.role, found.is_named) == (role, True), name


@pytest.mark.parametrize("name", ["Belohnung", "gehalten", "Inhalt", "cigarette", "network", "torrent", "calendarium"])
def test_words_that_only_contain_the_letters_are_none(name):
    assert not suggest(pa.table({name: [1000 + i % 15 for i in range(N)]}))[0].is_named


def test_a_column_dropped_for_its_values_is_not_named():
    dropped = suggest(pa.table({"basket": [[i] for i in range(N)], "mail": [f"p{i}@example.org" for i in range(N)]}))
    assert [(each.role, each.is_named) for each in dropped] == [("identifier", False)] * 2


MIXED_DATES = [f"19{40 + i}-05-17" if i % 2 else f"17.05.19{40 + i}" for i in range(40)]


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("Geburtsdatum", MIXED_DATES, "written in several ways (year-month-day, day.month.year)"),
        ("icd10", ["I21.4", "I214", "J45"] * 20, "with and without a dot"),
        ("Hauptdiagnose", ["I21.4", "I214", "J45"] * 20, "with and without a dot"),
        ("PLZ", ["4103", "10115", "99084"] * 20, "lost a leading zero"),
        ("plz", [4103, 10115, 99084] * 20, "lost a leading zero"),
    ],
)
def test_what_is_odd_about_values_is_asked_without_showing_one(name, values, words):
    (question,) = value_questions(column(name, values))
    assert words in question
    assert not any(str(value) in question for value in values)
    assert suggestion(column(name, values)).questions == (question,)
    assert f"# please decide: {question}" in shoal.propose({name: values}).text


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Geburtsdatum", [f"17.05.19{40 + i}" for i in range(40)]),
        ("icd10", ["I21.4", "J45", "J45.0"] * 20),
        ("PLZ", ["4103", "1010", "8001"] * 20),  # of Austria and Switzerland
        ("PLZ", ["04103", "10115", "99084"] * 20),
        ("note", ["4103", "10115", "99084"] * 20),
    ],
)
def test_what_is_written_in_one_way_is_not_asked(name, values):
    assert value_questions(column(name, values)) == ()


@pytest.mark.parametrize(
    "values",
    [
        ("none", "primary", "lower secondary", "upper secondary", "bachelor", "master or higher"),
        ("no qualification", "primary", "secondary", "bachelor's degree", "master's degree", "doctorate"),
        ("ohne Abschluss", "Hauptschulabschluss", "Realschulabschluss", "Abitur", "Hochschulabschluss", "Promotion"),
    ],
)
def test_orders_of_education(values):
    assert known_order(values[::-1]) == values


def survey(path):
    rng = np.random.default_rng(3)
    income = rng.normal(2000, 400, 300).round()
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 300).astype(float),
            "mood": np.resize([1.0, 2.0, 3.0, 8.0, 2.0], 300),
            "income": np.where(np.arange(300) % 20 == 0, -99.0, income),
        }
    )
    labels = {"mood": {1: "bad", 2: "fair", 3: "good", 8: "weiß nicht"}, "income": {-99: "keine Angabe"}}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels)
    return path


def test_codes_whose_label_says_missing_are_pointed_out_and_can_be_declared(tmp_path):
    data, policy = survey(tmp_path / "s.sav"), tmp_path / "p.toml"
    said = shell("init", data, "-o", policy)
    assert "hint: income: -99 (about 5 % of its values) has the label of a missing value" in said.out
    assert 'write missing = ["", "-99"] in [source], for all columns' in said.out
    assert "hint: mood: 8 (about 20 % of its values) has the label of a missing value" in said.out
    assert "source" not in tomllib.loads(policy.read_text())
    declared = read(data, ReadOptions(missing=("", "-99"))).table["income"]
    assert declared.null_count == 15
    assert min(declared.drop_null().to_pylist()) > 0


def test_numbers_of_excel_can_be_declared_missing(tmp_path):
    pd.DataFrame({"age": [30, -99, 41], "open": [True, False, True]}).to_excel(tmp_path / "t.xlsx", index=False)
    table = read(tmp_path / "t.xlsx", ReadOptions(missing=("", "-99", "1"))).table
    assert table.to_pydict() == {"age": [30, None, 41], "open": [True, False, True]}


def firms(n=200):
    return {
        "nace": [f"{10 + i % 4}" for i in range(n)],
        "Umsatz": [100 + 31 * i * i % 9973 for i in range(n)],
        "employees": [1 + 7 * i % 500 for i in range(n)],
    }


def uncommented(text, start):
    """The text with the lines after ``start`` as TOML."""
    head, _, tail = text.partition(start)
    return head + start + "\n".join(line.removeprefix("# ") for line in tail.split("\n"))


def test_rules_for_totals_of_firms_are_ready_to_be_used():
    found = shoal.propose(firms())
    assert {each.name: each.reason for each in found.suggestions}["Umsatz"] == "competitors may know amounts of firms"
    start = "# To limit what one firm has of the total of a class, and how few firms it may be of; also for employees:"
    rules = tomllib.loads(uncommented(found.text, start))
    assert [rule["name"] for rule in rules["requirements"]] == ["k_anonymity", "dominance", "minimum_contributors"]
    release = shoal.protect(firms(), rules, key=KEY)
    assert release.manifest.proof
    persons = firms() | {"sex": ["f", "m"] * 100}
    assert "dominance" not in shoal.propose(persons).text


def test_the_hint_of_diversity_names_all_sensitive_columns():
    table = {
        "age": [20 + i % 13 for i in range(N)],
        "income": [1000.5 * i for i in range(N)],
        "religion": ["a", "b"] * 30,
    }
    rules = tomllib.loads(uncommented(shoal.propose(table).text, "sensitive columns in every class:"))
    assert [rule.get("column") for rule in rules["requirements"]] == [None, "income", "religion"]


def test_the_first_looks_name_few_columns():
    table = {f"income {i}": [1000.5 * j + i for j in range(N)] for i in range(9)} | {
        "age": [20 + i % 13 for i in range(N)]
    }
    (look,) = shoal.propose(table).first_looks
    assert look.endswith(": income 0, income 1, income 2 and 6 more")


def test_a_file_for_everybody_has_no_days():
    days = [date(1940, 1, 1) + timedelta(300 * i) for i in range(N)]
    table = pa.table({"birth_date": days, "visit": [date(2024, 1, 1) + timedelta(5 * i) for i in range(N)]})
    columns = shoal.propose(table, scenario="public-use").columns
    assert columns["birth_date"].recode.date_part == "year"
    assert columns["visit"].recode.date_part == "month"
    assert all(rule.recode is None for rule in shoal.propose(table, scenario="scientific-use").columns.values())
