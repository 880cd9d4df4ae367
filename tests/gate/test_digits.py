"""How far digits go, by Python's decimals; and a gate that closes on one digit more."""

import json
import shutil
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.gate.digits import digit_faults


def holds(values, decimals):
    counts = pa.table([values, pa.array([1] * len(values))], names=["x", "n"])
    return not digit_faults("x", counts, decimals)


def places_of(text):
    """Of the last digit that is not 0."""
    number = Decimal(text).normalize()
    return -number.as_tuple().exponent if number else -(10**6)


texts = st.from_regex(r"[+-]?(?:[0-9]{1,5}(?:\.[0-9]{0,5})?|\.[0-9]{1,5})(?:[eE][+-]?[0-9]{1,2})?", fullmatch=True)


@given(texts, st.integers(-6, 6))
def test_a_text_tells_how_far_its_digits_go(text, decimals):
    assert holds(pa.array([text, None]), decimals) == (places_of(text) <= decimals)
    assert holds(pa.array([text.replace(".", ",")]), decimals) == (places_of(text) <= decimals)


@given(st.integers(-(10**14), 10**14), st.integers(-4, 6), st.integers(-6, 6))
def test_so_does_a_number_of_a_file_with_types(whole, places, decimals):
    number = float(Decimal(whole).scaleb(-places))
    assert holds(pa.array([number]), decimals) == (places_of(repr(number)) <= decimals)


@pytest.mark.parametrize("text", ["", ".", "-", "e5", "about 5", "1.2.3", "0x10", "[1, 2]"])
def test_what_is_no_number_is_a_fault(text):
    assert not holds(pa.array([text]), 3)


def test_the_fault_counts_records_and_shows_no_cell():
    counts = pa.table({"x": ["20.6", "21", "33.25", None], "n": [3, 4, 5, 6]})
    assert digit_faults("x", counts, 0) == ("the column 'x' has more digits than decimals = 0, in 8 records",)


AGES = [21, 22, 22, 24, 40, 41, 43, 43, 60, 61, 64, 65]
POLICY = {
    "method": {"k": 4},
    "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}, "b": {"role": "other"}},
}


@pytest.fixture(params=["csv", "parquet"])
def release(request, tmp_path):
    table = pa.table({"age": AGES, "b": ["x"] * len(AGES)})
    shoal.protect(table, POLICY, output=tmp_path / f"out.{request.param}")
    return tmp_path / f"out.{request.param}"


def spoiled(release):
    """The same with the last digits that a mean has, in four cells, under the name of the first."""
    if release.suffix == ".csv":
        lines = release.read_text().splitlines()
        release.write_text("\n".join(lines[:1] + ["22.25,x"] * 4 + lines[5:]) + "\n")
    else:
        told = pq.read_table(release)
        ages = pa.array([22.25] * 4 + told["age"].to_pylist()[4:])
        pq.write_table(told.set_column(0, "age", ages), release)


def test_the_manifest_says_the_digits_and_verify_needs_no_original(release):
    manifest = json.loads(release.with_name("out.manifest.json").read_text())
    assert manifest["decimals"] == {"age": 0}
    proof = shoal.verify(release, POLICY)
    assert proof.holds
    assert not proof.notes


def test_a_digit_more_closes_the_gate(release):
    spoiled(release)
    faults = shoal.verify(release, POLICY).faults
    assert "the column 'age' has more digits than decimals = 0, in 4 records" in faults


def test_without_a_manifest_the_policy_says_it_or_a_note_does(release, tmp_path):
    (tmp_path / "alone").mkdir()
    alone = tmp_path / "alone" / release.name
    shutil.copy(release, alone)
    assert any("age: neither policy nor manifest says" in note for note in shoal.verify(alone, POLICY).notes)
    spoiled(alone)
    assert shoal.verify(alone, POLICY).holds
    rule = {"role": "quasi_identifier", "kind": "numeric", "decimals": 1}
    strict = {**POLICY, "columns": {**POLICY["columns"], "age": rule}}
    assert shoal.verify(alone, strict).faults == ("the column 'age' has more digits than decimals = 1, in 4 records",)


def test_of_policy_and_manifest_the_stricter_one_holds(release):
    rule = {"role": "quasi_identifier", "kind": "numeric", "decimals": -1}
    strict = {**POLICY, "columns": {**POLICY["columns"], "age": rule}}
    assert not shoal.verify(release, strict).holds
    rule = {"role": "quasi_identifier", "kind": "numeric", "decimals": 3}
    spoiled(release)
    wide = {**POLICY, "columns": {**POLICY["columns"], "age": rule}}
    assert "the column 'age' has more digits than decimals = 0, in 4 records" in shoal.verify(release, wide).faults


@pytest.mark.parametrize("text", ["1e99999999999999999999", "1e-99999999999999999999", "0e99999999999999999999"])
def test_a_power_that_no_number_has_is_a_fault(text):
    assert not holds(pa.array([text, "1"]), 3)
