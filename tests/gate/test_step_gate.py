"""A gate that closes on means beside the step that was promised, by Python's fractions."""

import json
from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.gate.step_of_means import StepOfMeans, step_faults

RENTS = [25, 25, 75, 75, 175, 175, 225, 225, 575, 625, 675, 725]
POLICY = {
    "method": {"k": 4},
    "columns": {"rent": {"role": "quasi_identifier", "kind": "numeric"}, "b": {"role": "other"}},
}


def holds(values, on):
    counts = pa.table([values, pa.array([1] * len(values))], names=["x", "n"])
    return not step_faults("x", counts, on)


@given(st.integers(-(10**8), 10**8), st.integers(1, 500), st.integers(0, 499), st.integers(-3, 5))
def test_a_mean_is_the_offset_and_a_whole_number_of_steps(n, step, offset, places):
    on = StepOfMeans(Fraction(step) / Fraction(10) ** places, Fraction(offset % step) / Fraction(10) ** places)
    number = Decimal(n).scaleb(-places)
    wanted = ((Fraction(number) - on.offset) / on.step).denominator == 1
    assert holds(pa.array([str(number), None]), on) == wanted
    assert holds(pa.array([float(number)]), on) == wanted
    assert holds(pa.array([str(number).replace(".", ",")]), on) == wanted


@given(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(0, 6))
def test_a_manifest_tells_it_exactly(step, offset, places):
    on = StepOfMeans(Fraction(step, 10**places), Fraction(offset % step, 10**places))
    assert StepOfMeans.read(json.loads(json.dumps(on.to_dict()))) == on


@pytest.mark.parametrize(
    "told", [None, 5, {}, {"step": "0", "offset": "0"}, {"step": "5", "offset": "7"}, {"step": [], "offset": "x"}]
)
def test_what_tells_no_step_is_none(told):
    assert StepOfMeans.read(told) is None


@pytest.mark.parametrize("text", ["", ".", "e5", "about 5", "nan", "[5, 10]"])
def test_what_is_no_number_is_a_fault(text):
    assert not holds(pa.array([text]), StepOfMeans(Fraction(5)))


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_mean_between_two_steps_closes_the_gate(kind, tmp_path):
    file = tmp_path / f"out.{kind}"
    shoal.protect(pa.table({"rent": RENTS, "b": ["x"] * len(RENTS)}), POLICY, output=file)
    manifest = json.loads(file.with_name("out.manifest.json").read_text())
    assert manifest["steps"] == {"rent": {"step": "50", "offset": "25"}}  # and nothing of who pays least
    assert shoal.verify(file, POLICY).holds
    spoil(file)
    fault = "the column 'rent' has numbers off the steps of 50 from 25, in 4 records"
    assert fault in shoal.verify(file, POLICY).faults


def spoil(file):
    """A mean of 50, in four cells."""
    if file.suffix == ".csv":
        lines = file.read_text().splitlines()
        file.write_text("\n".join(lines[:1] + ["50,x"] * 4 + lines[5:]) + "\n")
    else:
        told = pq.read_table(file)
        pq.write_table(told.set_column(0, "rent", pa.array([50] * 4 + told["rent"].to_pylist()[4:])), file)


TIMES = {"method": {"k": 4}, "columns": {"t": {"role": "quasi_identifier", "kind": "date"}, "b": {"role": "other"}}}


@pytest.mark.parametrize("zone", [None, "UTC"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_mean_of_times_between_two_days_closes_the_gate(kind, zone, tmp_path):
    file, days = tmp_path / f"out.{kind}", [0, 0, 1, 1, 3, 4, 40, 41, 42, 44, 90, 99]
    times = pa.array([day * 86_400 for day in days]).cast(pa.timestamp("s", zone))
    release = shoal.protect(pa.table({"t": times, "b": ["x"] * len(days)}), TIMES, output=file)
    assert release.manifest.steps == {"t": {"step": "86400000000", "offset": "0", "unit": "microseconds"}}
    assert shoal.verify(file, TIMES).holds
    told = release.records.set_column(0, "t", pa.array([86_400 * 10**6 + 1] * len(days)).cast(pa.timestamp("us", zone)))
    (pq.write_table if kind == "parquet" else pyarrow.csv.write_csv)(told, file)
    fault = "the column 't' has numbers off the steps of 86400000000 microseconds, in 12 records"
    assert fault in shoal.verify(file, TIMES).faults


@pytest.mark.parametrize("text", ["", "5", "1970-01-01 00:00:00.0000001", "1970-13-01", "tomorrow"])
def test_what_is_no_time_is_a_fault(text):
    on = StepOfMeans(Fraction(1), of_times=True)
    assert not holds(pa.array([text]), on)
    assert holds(pa.array(["1970-01-01 00:00:00.000001", "2300-01-01T00:00:00Z", None]), on)
