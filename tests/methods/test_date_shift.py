"""Date shift: all dates of a unit move together, no two units by a common rule, and nobody without the key can tell."""

from datetime import date, datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.errors import PerturbationError
from shoal.rng import Rng
from shoal.schema import Column, Schema

SCHEMA = Schema([Column("patient", "unit"), Column("in", "quasi_identifier", "date"), Column("out", "other", "date")])
KEY = b"k" * 32
RULE = shoal.DateShift(columns=("in", "out"), days=10)


def stays(n_patients: int = 200, n_stays: int = 3) -> pa.Table:
    draw = np.random.default_rng(3)
    n = n_patients * n_stays
    start = [date(2020, 1, 1) + timedelta(int(day)) for day in draw.integers(0, 700, n)]
    return pa.table(
        {
            "patient": [f"P{at // n_stays}" for at in range(n)],
            "in": start,
            "out": [each + timedelta(int(day)) for each, day in zip(start, draw.integers(1, 20, n), strict=True)],
        }
    )


def days_moved(table: pa.Table, shifted: pa.Table, name: str) -> np.ndarray:
    return (shifted[name].to_numpy() - table[name].to_numpy()).astype(int)


def test_all_dates_of_a_unit_move_by_the_same_number_of_days():
    table = stays()
    shifted = RULE.perturb(table, SCHEMA, Rng(b"key", 0))
    moved = np.column_stack([days_moved(table, shifted, name) for name in ("in", "out")]).reshape(200, -1)
    assert (moved == moved[:, :1]).all()
    assert np.abs(moved).max() == 10
    assert len(np.unique(moved[:, 0])) == 21  # every number of days occurs
    assert shifted["in"].type == table["in"].type


def test_records_without_a_unit_move_one_by_one():
    table = stays(1, 500).set_column(0, "patient", pa.nulls(500, pa.string()))
    moved = days_moved(table, RULE.perturb(table, SCHEMA, Rng(b"key", 0)), "in")
    assert len(np.unique(moved)) == 21


def test_another_key_or_another_seed_moves_otherwise():
    table = stays()
    moved = {
        days_moved(table, RULE.perturb(table, SCHEMA, Rng(key, seed)), "in").tobytes()
        for key, seed in ((b"key", 0), (b"other", 0), (b"key", 1))
    }
    assert len(moved) == 3


def test_times_keep_their_time_of_the_day_and_gaps_stay():
    times = pa.array([datetime(2020, 5, 1, 13, 45), None, datetime(2020, 5, 3, 8)], pa.timestamp("s"))
    table = pa.table({"patient": ["a", "a", "a"], "in": times})
    shifted = shoal.DateShift(columns=("in",)).perturb(table, SCHEMA, Rng(b"key", 0))["in"].to_pylist()
    assert [each and each.time() for each in shifted] == [
        datetime(2020, 5, 1, 13, 45).time(),
        None,
        datetime(1, 1, 1, 8).time(),
    ]
    assert shifted[2] - shifted[0] == timedelta(days=1, hours=18, minutes=15)


def test_mondays_stay_mondays():
    table = stays()
    first = date(2020, 1, 6)
    mondays = [first + timedelta(7 * at) for at in np.random.default_rng(1).integers(0, 90, len(table)).tolist()]
    columns = {"patient": {"role": "unit"}, "in": {"role": "quasi_identifier", "kind": "date"}}
    policy = {"columns": columns, "perturbations": [{"name": "date_shift", "columns": ["in"], "days": 30}]}
    original = pa.table({"patient": table["patient"], "in": mondays})
    release = shoal.protect(original, policy | {"output": {"shuffle": False}})
    moved = days_moved(original, release.records, "in").reshape(200, -1)
    assert (moved % 7 == 0).all()
    assert (moved == moved[:, :1]).all()
    assert len(np.unique(moved)) > 5
    assert "patient" not in release.records.column_names


def test_the_function_shifts_rows_by_their_unit():
    X = np.zeros((6, 2))
    shifted = shoal.date_shift(X, [0, 0, 1, 1, -1, -1], days=1000, seed=4)
    assert (shifted[:, 0] == shifted[:, 1]).all()
    assert len(np.unique(shifted)) == 4
    with pytest.raises(PerturbationError, match="same number of records"):
        shoal.date_shift(X, [0, 1])


@pytest.mark.parametrize("days", [0, -3])
def test_a_shift_of_no_days_is_refused(days):
    with pytest.raises(PerturbationError, match=r"date_shift.days must be 1 or more"):
        shoal.DateShift(days=days)


def policy_within_wards(perturbations, **further):
    """A policy that perturbs stays ward by ward and forms no groups."""
    columns = {
        "patient": {"role": "unit"},
        "in": {"role": "quasi_identifier", "kind": "date"},
        "out": {"role": "other", "kind": "date"},
        "ward": {"role": "quasi_identifier"},
    }
    method = {"method": {"name": "none"}, "within": ["ward"]}
    return {"columns": columns | further, "perturbations": perturbations, **method}


SHIFT = {"name": "date_shift", "columns": ["in", "out"], "days": 10}


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_unit_in_several_strata_has_one_shift(engine, tmp_path):
    wards, rows = pa.array(["north", "south", "south"] * 60), pa.array(range(180))
    table = stays(60).append_column("ward", wards).append_column("row", rows)
    policy = policy_within_wards([{"name": "pram", "columns": ["ward"], "stay": 1.0}, SHIFT], row={"role": "other"})
    original, release = tmp_path / "original.parquet", tmp_path / "release.parquet"
    pq.write_table(table, original)
    shoal.protect(original, policy, output=release, key=KEY, engine=engine)
    released = pq.read_table(release).sort_by("row")
    moved = days_moved(table, released, "in").reshape(60, 3)
    assert (moved == moved[:, :1]).all()
    assert len(np.unique(moved)) > 10


def test_what_follows_a_shift_of_dates_stays_in_its_stratum():
    wards, ages = ([f"w{at % 2}" for at in range(200)], [at % 2 * 1000 + at % 40 for at in range(200)])
    table = stays(200, 1).append_column("ward", pa.array(wards)).append_column("age", pa.array(ages))
    swap = {"name": "rank_swap", "columns": ["age"], "p": 100}
    policy = policy_within_wards([SHIFT, swap], age={"role": "quasi_identifier", "kind": "numeric"})
    released = shoal.protect(table, policy, key=KEY).records.select(["ward", "age"]).to_pylist()
    assert {(record["ward"], record["age"] >= 1000) for record in released} == {("w0", False), ("w1", True)}
