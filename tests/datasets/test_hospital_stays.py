"""The synthetic hospital: the same seed, the same stays, and distributions that a hospital has."""

from collections import defaultdict
from datetime import date

import pyarrow as pa
import pyarrow.compute as pc

from shoal import datasets

STAYS = datasets.hospital_stays(5000, seed=1)


def test_stays_are_made_in_any_batches():
    batches = datasets.hospital_stays_batches(5000, seed=1, batch_size=700)
    assert pa.Table.from_batches(batches).equals(STAYS)
    assert not datasets.hospital_stays(5000, seed=2).equals(STAYS)


def test_a_patient_has_one_birth_date_sex_and_postal_code():
    known = defaultdict(set)
    for row in STAYS.select(["patient_id", "birth_date", "sex", "postal_code"]).to_pylist():
        known[row["patient_id"]].add((row["birth_date"], row["sex"], row["postal_code"]))
    assert all(len(each) == 1 for each in known.values())
    assert 0.70 < len(known) / len(STAYS) < 0.80


def test_nobody_is_admitted_before_birth_and_all_in_one_year():
    assert pc.all(pc.less_equal(STAYS["birth_date"], STAYS["admission_date"])).as_py()
    assert pc.min(STAYS["admission_date"]).as_py() >= date(2023, 1, 1)
    assert pc.max(STAYS["admission_date"]).as_py() <= date(2023, 12, 31)


def test_the_old_and_the_newborn_are_frequent():
    ages = [(row["admission_date"] - row["birth_date"]).days / 365.25 for row in STAYS.to_pylist()]
    assert 0.35 < sum(age >= 70 for age in ages) / len(ages) < 0.50
    assert 0.03 < sum(age < 1 for age in ages) / len(ages) < 0.08


def test_only_women_give_birth():
    births = [row for row in STAYS.to_pylist() if row["icd10"].startswith("O80")]
    assert births
    assert {row["sex"] for row in births} == {"female"}


def test_a_fracture_of_the_hip_takes_longer_than_a_birth():
    def mean(code):
        return pc.mean(STAYS.filter(pc.starts_with(STAYS["icd10"], code))["length_of_stay"]).as_py()

    assert mean("S72") > 2 * mean("O80")
