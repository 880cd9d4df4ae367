"""What names and values speak for."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from shoal.schema.suggest import ColumnEvidence, Suggestion, suggest, suggestion

REALS = [i + 0.5 for i in range(30)]
CODES = [i % 15 + 1000 for i in range(30)]


def suggested(name: str, values: list[object]) -> Suggestion:
    return suggest(pa.table({name: values}))[0]


@pytest.mark.parametrize(
    "name", ["weight", "Weights", "sample_weight", "survey weight", "fnlwgt", "wgt", "pweight", "Gewichtungsfaktor",
             "pondération", "factor de expansión", "design_wt", "instance weight"]
)  # fmt: skip
def test_a_weight_of_a_survey(name: str) -> None:
    found = suggested(name, REALS)
    assert found.role == "weight"
    assert "released unchanged" in found.reason
    assert suggested(name, [str(x) for x in REALS]).role != "weight"


@pytest.mark.parametrize("name", ["weight_kg", "birth_weight", "body weight", "Gewicht", "poids", "peso", "bodyWeight"])
def test_what_a_person_weighs(name: str) -> None:
    assert suggested(name, REALS).role == "quasi_identifier"


@pytest.mark.parametrize(
    "name", ["zip", "zip_code", "ZipCode", "postcode", "postal code", "PLZ", "code postal", "area_code", "code"]
)
def test_codes_are_no_amounts(name: str) -> None:
    found = suggested(name, CODES)
    assert (found.role, found.kind) == ("quasi_identifier", "nominal")
    assert "codes" in found.reason


def test_other_integers_are_amounts() -> None:
    for name in ("height", "encoded", "barcodes_n"):
        assert suggested(name, CODES).kind == "numeric"


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("identifier", ["Nachname", "Straße", "Prénom", "nom", "apellidos", "DNI", "Teléfono", "courriel"]),
        ("sensitive", ["Einkommen", "Krankheit", "revenu", "salaire", "ingresos", "Diagnóstico", "Erkrankung",
                       "Vermögen", "condamnations", "enfermedades"]),
        ("quasi_identifier", ["Geburtsdatum", "Alter", "Geschlecht", "date de naissance", "sexe", "âge", "Edad",
                              "fecha_nacimiento", "año", "Staatsangehörigkeit"]),
        ("household", ["Haushalt", "ménage", "hogar", "household_id", "hhid"]),
    ],
)  # fmt: skip
def test_names_in_other_languages(role: str, names: list[str]) -> None:
    for name in names:
        found = suggested(name, CODES)
        assert (found.role, re.split("[;,]", found.reason)[0]) == (role, f"its name suggests {role}"), name


@pytest.mark.parametrize(
    "name", ["illness", "Illnesses", "diagnosis", "main_diagnoses", "disease", "chronicDisease", "icd10",
             "blood_pressure", "mental health", "smoker", "medications", "annual_income", "incomes", "wages",
             "religion", "religious_group", "criminal record",
             "convictions", "arrested", "voted_for", "trade union", "cause of death", "hiv_status"]
)  # fmt: skip
def test_what_must_not_be_learned_of_a_person(name: str) -> None:
    found = suggested(name, ["x", "y", "z"] * 10)
    assert found.role == "sensitive"
    assert "released unchanged" in found.reason


@pytest.mark.parametrize("name", ["height", "town", "children", "apartment", "paying_guest", "creditable", "sickle"])
def test_what_only_sounds_like_it_is_none(name: str) -> None:
    assert suggested(name, ["x", "y", "z"] * 10).role == "quasi_identifier"


def test_a_household_is_who_lives_together() -> None:
    assert suggested("household_income", REALS).role == "sensitive"
    assert suggested("household_size", CODES).role == "quasi_identifier"


def test_one_weight_and_one_household() -> None:
    found = suggest(pa.table(dict.fromkeys(("weight", "fnlwgt", "x"), REALS) | dict.fromkeys(("hhid", "hh_id"), CODES)))
    assert [s.role for s in found] == ["weight", "identifier", "quasi_identifier", "household", "identifier"]
    assert "another column already has the role weight" in found[1].reason


def test_texts_that_write_dates() -> None:
    born = suggestion(ColumnEvidence("born", pa.chunked_array([["31.12.1980", "1.2.1990"]]), date_format="%d.%m.%Y"))
    assert (born.role, born.kind) == ("quasi_identifier", "date")
    assert born.reason.endswith("; dates written %d.%m.%Y")
    torn = suggestion(ColumnEvidence("born", pa.chunked_array([["31.12.1980"] * 3]), date_format="%d", n_misfits=2))
    assert (torn.role, torn.questions) == ("identifier", (torn.questions[0],))
    assert torn.questions[0].startswith("2 cells are not written %d")
