"""Tables of every working day, from file to a proven release, with the proposed policy as it is."""

from __future__ import annotations

import os
import re
import tomllib
from datetime import date

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from shoal import datasets
from shoal.datasets.reference import find_file
from survey_example import shell, write_csv

CONTROLLED = (r"\[output\]\n", '[output]\ncategories = "controlled"\n')


def proposed(policy):
    return tomllib.loads(policy.read_text(encoding="utf-8"))


def run(folder, data, release, *options, edits=()):
    """init, at most two edits of the policy, protect, verify; the policy that was proposed."""
    policy = folder / "policy.toml"
    said = shell("init", data, "-o", policy, *options)
    assert (said.code, said.err) == (0, ""), said.err
    draft = proposed(policy)
    assert len(edits) <= 2
    for pattern, replacement in edits:
        text, n = re.subn(pattern, replacement, policy.read_text(encoding="utf-8"), count=1)
        assert n == 1, pattern
        policy.write_text(text, encoding="utf-8")
    said = shell("protect", data, "-p", policy, "-o", folder / release)
    assert (said.code, said.err) == (0, ""), said.err
    assert "not used" not in said.out
    assert "in several records" not in said.out
    assert shell("verify", folder / release, "-p", policy).code == 0
    return draft


@pytest.mark.gate
def test_adult_as_uci_ships_it(tmp_path):
    if find_file("adult/adult.data") is None:
        pytest.skip("SHOAL_DATA is not set: the public reference sets are not here")
    whole = find_file("adult/adult.data").read_text().splitlines(keepends=True)
    (tmp_path / "adult.data").write_text("".join(whole[:3000]))
    draft = run(tmp_path, tmp_path / "adult.data", "release.csv")
    assert draft["source"] == {"header": False, "trim": True, "missing": ["", "?"]}
    assert draft["columns"]["column_4"]["order"][0] == "Preschool"
    kinds = [rule["kind"] for rule in draft["columns"].values()]
    assert kinds.count("numeric") == 6  # numbers with blanks before them
    assert " " not in (tmp_path / "release.csv").read_text().split("\n")[1]


@pytest.mark.gate
def test_the_hospital_extract(tmp_path):
    table = datasets.hospital_stays(2000)
    pq.write_table(table, tmp_path / "stays.parquet")
    draft = run(tmp_path, tmp_path / "stays.parquet", "release.parquet")
    columns = draft["columns"]
    assert columns["patient_id"]["role"] == "unit"
    assert '# taxonomy = {date_parts = ["month", "year", "decade"]}' in (tmp_path / "policy.toml").read_text()
    assert "# taxonomy = {prefixes = [3, 1]}" in (tmp_path / "policy.toml").read_text()
    assert "prefixes" in columns["postal_code"].get("taxonomy", {}) or "recode" in columns["postal_code"]


@pytest.mark.gate
def test_the_hospital_extract_by_safe_harbor(tmp_path):
    pq.write_table(datasets.hospital_stays(2000), tmp_path / "stays.parquet")
    draft = run(tmp_path, tmp_path / "stays.parquet", "release.parquet", "--scenario", "hipaa-safe-harbor")
    assert draft["columns"]["birth_date"]["recode"] == {"date_part": "year", "bottom": date.today().year - 89}
    assert draft["columns"]["admission_date"]["recode"] == {"date_part": "year"}
    assert draft["columns"]["postal_code"]["recode"] == {"prefix": 3}
    released = pq.read_table(tmp_path / "release.parquet")
    assert set(map(str, released["admission_date"].to_pylist())) == {"2023"}


@pytest.mark.gate
def test_the_household_survey(tmp_path):
    write_csv(datasets.synthetic_census(1500), tmp_path / "survey.csv")
    columns = run(tmp_path, tmp_path / "survey.csv", "release.csv")["columns"]
    assert columns["household_id"]["role"] == "household"
    assert columns["municipality"]["level"] == "household"
    assert columns["weight"]["role"] == "weight"


@pytest.mark.gate
def test_the_business_survey_keeps_totals_by_industry(tmp_path):
    table = datasets.business_survey(1500)
    write_csv(table, tmp_path / "firms.csv")
    draft = run(tmp_path, tmp_path / "firms.csv", "release.csv")
    assert draft["within"] == ["nace"]
    assert draft["columns"]["firm_id"]["role"] == "identifier"
    assert draft["columns"]["region"]["taxonomy"] == {"prefixes": [3, 2]}
    kinds = {"nace": pa.string()}
    released = pyarrow.csv.read_csv(
        tmp_path / "release.csv", convert_options=pyarrow.csv.ConvertOptions(column_types=kinds)
    )
    for amount in ("turnover", "wages", "investment", "employees"):
        before, after = (totals(each, amount) for each in (table, released))
        assert before.keys() == after.keys()
        assert max(abs(after[nace] / before[nace] - 1) for nace in before) < 0.1


def totals(table, amount):
    found = table.group_by("nace").aggregate([(amount, "sum")]).to_pydict()
    return dict(zip(found["nace"], found[f"{amount}_sum"], strict=True))


def labeled_survey(path, n=600):
    """An SPSS file: codes with labels, measures, user-missing codes, a weight."""
    import pandas as pd
    import pyreadstat

    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "v1": rng.integers(18, 90, n).astype(float),
            "v2": rng.choice([1.0, 2.0], n),
            "v3": rng.choice([1.0, 2.0, 3.0, 4.0, 9.0], n, p=[0.2, 0.3, 0.3, 0.15, 0.05]),
            "v4": rng.choice(np.arange(1.0, 16.0), n),
            "pw": rng.uniform(0.5, 3, n).round(4),
            "v5": rng.normal(2000, 400, n).round(2),
        }
    )
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels=["Age in years", "Sex", "Satisfaction with life", "Region", "Design weight", "Net income"],
        variable_value_labels={
            "v2": {1: "male", 2: "female"},
            "v3": {1: "very dissatisfied", 2: "dissatisfied", 3: "satisfied", 4: "very satisfied", 9: "no answer"},
            "v4": {code: f"region {code}" for code in range(1, 16)},
        },
        variable_measure={
            "v1": "scale",
            "v2": "nominal",
            "v3": "ordinal",
            "v4": "nominal",
            "pw": "scale",
            "v5": "scale",
        },
        missing_ranges={"v3": [9.0]},
    )
    return path


def test_the_spss_survey_with_labels(tmp_path):
    import pyreadstat

    data = labeled_survey(tmp_path / "survey.sav")
    columns = run(tmp_path, data, "release.sav")["columns"]
    assert {name: (rule["role"], rule["kind"]) for name, rule in columns.items()} == {
        "v1": ("quasi_identifier", "numeric"),
        "v2": ("quasi_identifier", "nominal"),
        "v3": ("quasi_identifier", "ordinal"),
        "v4": ("quasi_identifier", "nominal"),
        "pw": ("weight", "numeric"),
        "v5": ("sensitive", "numeric"),
    }
    released, _ = pyreadstat.read_sav(str(tmp_path / "release.sav"))
    assert set(released["v4"]) <= set(range(1, 16))  # codes are never averaged
    assert set(released["v3"].dropna()) <= {1, 2, 3, 4}


@pytest.mark.gate(but="modes")
@pytest.mark.parametrize(("edits", "most"), [((), 5.0), ((CONTROLLED,), 1.0)], ids=["modes", "controlled"])
def test_shares_of_labeled_categories_hardly_change(tmp_path, edits, most):
    import pyreadstat

    data = labeled_survey(tmp_path / "survey.sav", n=2000)
    run(tmp_path, data, "release.sav", edits=edits)
    (before, _), (after, _) = (pyreadstat.read_sav(str(path)) for path in (data, tmp_path / "release.sav"))
    for name in ("v2", "v3", "v4"):
        change = weighted_shares(after, name).sub(weighted_shares(before, name), fill_value=0)
        assert change.abs().max() < most, name


def weighted_shares(frame, name):
    """Percent of the persons, by code."""
    return 100 * frame.groupby(name)["pw"].sum() / frame["pw"][frame[name].notna()].sum()


@pytest.mark.gate
def test_the_excel_file(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["Name", "Geburtsdatum", "PLZ", "Gehalt", "Schicht", "Zufriedenheit"])
    rng = np.random.default_rng(3)
    for i in range(120):
        born = np.datetime64("1960-01-01") + rng.integers(0, 14000)
        book.active.append(
            [f"Person {i}", born.astype(object), f"0{rng.integers(4100, 4130)}", float(rng.integers(20000, 90000)),
             ["06:00", "14:00", "22:00"][i % 3], ["niedrig", "mittel", "hoch"][i % 3]]
        )  # fmt: skip
    book.save(tmp_path / "staff.xlsx")
    columns = run(tmp_path, tmp_path / "staff.xlsx", "release.xlsx")["columns"]
    assert columns["Name"]["role"] == "identifier"
    assert columns["Geburtsdatum"]["kind"] == "date"
    assert columns["PLZ"]["taxonomy"] == {"prefixes": [3, 2, 1]}
    assert columns["Gehalt"]["role"] == "sensitive"
    assert columns["Schicht"]["kind"] == "ordinal"
    assert columns["Zufriedenheit"]["order"] == ["niedrig", "mittel", "hoch"]


@pytest.mark.gate
def test_the_register_of_persons(tmp_path):
    table = datasets.synthetic_census(int(os.environ.get("SHOAL_REGISTER", "3000")))
    pq.write_table(table.drop_columns(["household_id"]), tmp_path / "register.parquet")
    columns = run(tmp_path, tmp_path / "register.parquet", "release.parquet")["columns"]
    assert columns["person_id"]["role"] == "identifier"
    assert columns["municipality"]["taxonomy"] == {"prefixes": [3, 2, 1]}


@pytest.mark.gate
@pytest.mark.parametrize("name", ["census", "eia", "tarragona"])
def test_reference_tables_need_no_edit(tmp_path, name):
    file = find_file(f"casc/{name}.csv")
    if file is None:
        pytest.skip("SHOAL_DATA is not set: the public reference sets are not here")
    columns = run(tmp_path, file, "release.csv")["columns"]
    dropped = [column for column, rule in columns.items() if rule["role"] == "identifier"]
    assert dropped == {"census": [], "eia": ["UTILNAME"], "tarragona": []}[name]  # no amount is dropped


@pytest.mark.gate(but="iris")
@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "diabetes"])
def test_tables_that_nobody_tuned_it_to(tmp_path, name):
    load = getattr(pytest.importorskip("sklearn.datasets"), f"load_{name}")
    load(as_frame=True).frame.to_csv(tmp_path / "table.csv", index=False)
    columns = run(tmp_path, tmp_path / "table.csv", "release.csv")["columns"]
    assert "identifier" not in {rule["role"] for rule in columns.values()}
