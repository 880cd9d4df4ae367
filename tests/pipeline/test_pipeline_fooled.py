"""Releases that only look protected: what a recipient can tell apart, the gate tells apart."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.errors import PolicyError

COLUMNS = {"zip": {"role": "quasi_identifier"}, "d": {"role": "sensitive"}}
K5 = {"columns": COLUMNS, "requirements": [{"name": "k_anonymity", "k": 5}]}
L2 = {"columns": COLUMNS, "requirements": [{"name": "distinct_l_diversity", "l": 2, "column": "d"}]}


def test_quotes_of_another_kind_are_part_of_the_value(tmp_path):
    file = tmp_path / "release.csv"
    file.write_text("zip,d\n" + "A,x\n" * 3 + "'A',y\n" * 2)
    assert shoal.verify(file, K5).k_reached == 2


@pytest.mark.parametrize("other", ["HIV ", " HIV", "Cafe\u0301", "H\u200bIV", "\uff28IV", "HIV\u00a0"])
def test_spellings_are_not_diverse(tmp_path, other):
    value = "Caf\u00e9" if other.startswith("Caf") else "HIV"
    table = pa.table({"zip": ["A"] * 5, "d": [value] * 4 + [other]})
    assert not shoal.verify(table, L2)
    file = tmp_path / "release.parquet"
    pq.write_table(table, file)
    assert not shoal.verify(file, L2)


def test_a_word_for_missing_is_no_value(tmp_path):
    file = tmp_path / "release.csv"
    file.write_text("zip,d\n" + "A,HIV\n" * 4 + "A,NA\n")
    assert not shoal.verify(file, L2 | {"source": {"missing": ["", "NA"]}})


def test_a_file_that_carries_an_index_is_refused(tmp_path):
    frame = pd.DataFrame({"zip": ["A"] * 5, "d": list("xyxyx")}, index=["anna", "bob", "carl", "dora", "emil"])
    file = tmp_path / "release.parquet"
    frame.to_parquet(file)
    for release in (frame, file):
        proof = shoal.verify(release, K5)
        assert not proof
        assert any("index" in fault for fault in proof.faults)
    assert shoal.verify(frame.reset_index(drop=True), K5)


def test_without_quasi_identifiers_nothing_is_proved():
    columns = {"zip": {"role": "other"}, "d": {"role": "sensitive"}}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]}
    with pytest.raises(PolicyError, match="no column has role 'quasi_identifier'"):
        shoal.verify({"zip": ["A", "B"], "d": ["x", "y"]}, policy)


@pytest.mark.parametrize("role", ["household", "weight"])
def test_only_one_household_and_one_weight(role):
    columns = COLUMNS | {"one": {"role": role}, "two": {"role": role}}
    with pytest.raises(PolicyError, match="one, two all have role"):
        shoal.protect({}, {"columns": columns})
