"""A hospital extract: birth year, two digits of the postal code, three characters of the diagnosis, then few blanks."""

from collections import defaultdict

import pyarrow.csv as arrow_csv
import pytest

import shoal
from shoal import datasets
from survey_example import read_cells

QUASI_IDENTIFIERS = ("birth_date", "sex", "postal_code")


def policy(k, patient="identifier"):
    return {
        "requirements": [{"name": "k_anonymity", "k": k}],
        "method": {"name": "none"},
        "local_suppression": {},
        "columns": {
            "patient_id": {"role": patient},
            "birth_date": {"role": "quasi_identifier", "kind": "date", "recode": {"date_part": "year"}},
            "sex": {"role": "quasi_identifier"},
            "postal_code": {"role": "quasi_identifier", "recode": {"prefix": 2}},
            "admission_date": {"role": "other", "kind": "date", "recode": {"date_part": "quarter"}},
            "icd10": {"role": "sensitive", "recode": {"prefix": 3}},
            "length_of_stay": {"role": "other", "kind": "numeric", "recode": {"top": 30}},
            "ward": {"role": "other"},
            "discharge": {"role": "other"},
        },
    }


def share_of_blanks(path):
    """Share of the cells of quasi-identifiers that are empty; the original has no empty cell."""
    cells = [row[name] for row in read_cells(path) for name in QUASI_IDENTIFIERS]
    return cells.count("") / len(cells)


@pytest.mark.gate
@pytest.mark.parametrize(
    ("k", "n_stays", "patient"),
    [
        pytest.param(3, 5_000, "identifier", marks=pytest.mark.long),
        pytest.param(5, 5_000, "identifier", marks=pytest.mark.long),
        (3, 5_000, "unit"),
        pytest.param(5, 10_000, "unit", marks=pytest.mark.long),
    ],
)
def test_fewer_than_five_percent_of_the_cells_are_blanked(tmp_path, k, n_stays, patient):
    original, out = tmp_path / "stays.csv", tmp_path / "release.csv"
    arrow_csv.write_csv(datasets.hospital_stays(n_stays, seed=1), original)
    release = shoal.protect(original, policy(k, patient), output=out)
    proof = shoal.verify(out, policy(k, patient))
    assert proof.holds
    assert release.manifest.k_reached >= k
    assert proof.k_reached >= k
    assert release.manifest.counts["n_suppressed"] == 0
    assert share_of_blanks(out) < 0.05
    assert {len(row["birth_date"]) for row in read_cells(out)} <= {0, 4}
    assert all(row["icd10"][3:] == "*" for row in read_cells(out))


DIVERSE = {"name": "distinct_l_diversity", "l": 2, "column": "icd10"}


@pytest.mark.gate
@pytest.mark.parametrize("requirements", [pytest.param([], marks=pytest.mark.long), [DIVERSE]])
def test_every_class_has_stays_of_k_patients_on_every_engine(tmp_path, requirements):
    stays, original = datasets.hospital_stays(2_000, seed=2), tmp_path / "stays.csv"
    arrow_csv.write_csv(stays, original)
    asked = policy(3, "unit") | {"output": {"shuffle": False}}
    asked["requirements"] = [*asked["requirements"], *requirements]
    written = []
    for engine in ("memory", "duckdb"):
        out = tmp_path / f"{engine}.csv"
        release = shoal.protect(original, asked, output=out, engine=engine, key=b"k" * 32)
        assert release.manifest.counts["n_suppressed"] == 0
        written.append(out.read_bytes())
    assert written[0] == written[1]
    patients, diagnoses = defaultdict(set), defaultdict(set)
    for row, patient in zip(read_cells(tmp_path / "memory.csv"), stays["patient_id"].to_pylist(), strict=True):
        shown = tuple(row[name] for name in QUASI_IDENTIFIERS)
        patients[shown].add(patient)
        diagnoses[shown].add(row["icd10"])
    assert min(map(len, patients.values())) >= 3
    assert min(map(len, diagnoses.values())) >= (2 if requirements else 1)


def test_without_recoding_most_birth_dates_would_be_blanked(tmp_path):
    original, out, plain = tmp_path / "stays.csv", tmp_path / "release.csv", policy(3)
    arrow_csv.write_csv(datasets.hospital_stays(2_000, seed=1), original)
    for rule in plain["columns"].values():
        rule.pop("recode", None)
    shoal.protect(original, plain, output=out)
    assert share_of_blanks(out) > 0.3
