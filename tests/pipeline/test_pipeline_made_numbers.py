"""Numbers that a perturbation makes lie on the steps of their column, whatever its role, and the gate sees it."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal

N, KEY = 240, bytes(range(32))
DAY = 86_400 * 10**6
MAKERS = [
    {"name": "noise", "alpha": 0.3},
    {"name": "noise", "alpha": 0.3, "corrected": True, "kind": "correlated"},
    {"name": "mic", "v": 2, "k": 3},
    {"name": "lossy_image", "quality": 20},
]
STEPS = {"rent": (50, 25), "share": (0.01, 0), "moved": (7, 3), "seen": (3600 * 10**6, 0)}  # and their offsets


def table(n=N):
    draw = np.random.default_rng(6)
    days = (7 * draw.integers(0, 900, n) + 3).astype("datetime64[D]")
    hours = (draw.integers(400_000, 430_000, n) * 3600 * 10**6).astype("datetime64[us]")
    return pa.table(
        {
            "zip": draw.choice(["a", "b"], n),
            "rent": pa.array(50 * draw.integers(4, 30, n) + 25, mask=draw.random(n) < 0.05),
            "share": np.round(draw.random(n), 2),
            "real": draw.gamma(2, 1000, n),
            "moved": pa.array(days, pa.date32()),
            "seen": pa.array(hours, pa.timestamp("us")),
        }
    )


def policy(role, *perturbations, **more):
    kinds = dict.fromkeys(("rent", "share", "real"), "numeric") | dict.fromkeys(("moved", "seen"), "date")
    columns = {name: {"role": role, "kind": kind} for name, kind in kinds.items()}
    rules = [each if "columns" in each else each | {"columns": list(kinds)} for each in perturbations]
    return {"columns": {"zip": {"role": "quasi_identifier"}} | columns, "perturbations": rules} | more


def ticks(cells):
    """Days or microseconds of dates and times."""
    if pa.types.is_date(cells.type):
        return cells.cast(pa.int32())
    return cells.cast(pa.int64()) if pa.types.is_timestamp(cells.type) else cells


@pytest.mark.gate(but=("noise-sensitive", "noise-quasi_identifier", "noise-other"))
@pytest.mark.parametrize("role", ["quasi_identifier", "sensitive", "other"])
@pytest.mark.parametrize("maker", MAKERS, ids=["noise", "corrected", "mic", "image"])
def test_new_numbers_lie_on_the_steps_of_their_column(role, maker):
    release = shoal.protect(table(), policy(role, maker), key=KEY)
    for name, (step, offset) in STEPS.items():
        found = np.array(ticks(release.records[name]).drop_null().to_pylist())
        steps = (found - offset) / step
        assert np.abs(steps - np.rint(steps)).max() < 1e-9, name
        assert found.tolist() == np.round(found, 2).tolist()
    reals = np.array(release.records["real"].to_pylist())
    assert (reals == np.rint(reals)).all()  # four digits of a range of thousands


def test_more_digits_than_the_column_has_are_asked_for():
    fine = policy("quasi_identifier", {"name": "noise", "columns": ["rent"]})
    fine["columns"]["rent"]["decimals"] = 1
    release = shoal.protect(table(), fine, key=KEY)
    found = np.array(release.records["rent"].drop_null().to_pylist())
    assert (found == np.round(found, 1)).all()
    assert not (found == np.rint(found)).all()
    assert release.manifest.decimals["rent"] == 1


@pytest.mark.gate(but=("csv-quasi_identifier", "csv-other"))
@pytest.mark.parametrize("role", ["quasi_identifier", "sensitive", "other"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_manifest_promises_it_and_the_gate_closes_on_what_is_finer(tmp_path, role, suffix):
    rules, target = policy(role, MAKERS[0]), tmp_path / f"release.{suffix}"
    pq.write_table(table(), tmp_path / "original.parquet")
    release = shoal.protect(tmp_path / "original.parquet", rules, output=target)
    assert shoal.verify(target, rules).holds
    told = json.loads((tmp_path / "release.manifest.json").read_text())
    assert told["decimals"] == {"rent": 0, "share": 2, "real": 0}
    assert told["steps"] == {
        "rent": {"step": "50", "offset": "25"},
        "share": {"step": "0.01", "offset": "0"},
        "real": {"step": "1", "offset": "0"},
        "moved": {"step": str(7 * DAY), "offset": str(3 * DAY), "unit": "microseconds"},
        "seen": {"step": str(3600 * 10**6), "offset": "0", "unit": "microseconds"},
    }
    day, moment = pa.array([5], pa.int32()).cast(pa.date32())[0], pa.array([1]).cast(pa.timestamp("us"))[0]
    for name, cell in {"rent": 76, "share": 0.123, "real": 1.5, "moved": day.as_py(), "seen": moment.as_py()}.items():
        at, cells = release.records.column_names.index(name), release.records[name].to_pylist()
        spoiled = pa.array([cell, *cells[1:]], pa.float64() if name == "real" else None)
        assert_fault(release.records.set_column(at, name, spoiled), target, rules, name)


def assert_fault(records, target, rules, name):
    """Written in the place of the release, beside its manifest."""
    kept = target.read_bytes()
    if target.suffix == ".csv":
        pa.csv.write_csv(records, target)
    else:
        pq.write_table(records, target)
    faults = shoal.verify(target, rules).faults
    assert any(f"'{name}' has numbers" in fault and fault.endswith("in 1 records") for fault in faults), (name, faults)
    target.write_bytes(kept)


@pytest.mark.parametrize("role", ["quasi_identifier", "other"])
def test_a_promise_stands_as_long_as_nothing_leaves_the_steps(role):
    kept = [
        {"name": "rank_swap", "p": 20, "columns": ["rent"]},
        {"name": "top_bottom_code", "top_share": 0.1, "put": "mean", "columns": ["rent"]},
        {"name": "imputation", "how": "mean", "columns": ["rent"]},
    ]
    left = [
        {"name": "rounding", "base": 40, "columns": ["rent"]},
        {"name": "top_bottom_code", "top": 333, "columns": ["rent"]},
    ]
    noise = {"name": "noise", "columns": ["rent"]}
    release = shoal.protect(table(), policy(role, noise, *kept), key=KEY)
    assert release.manifest.steps["rent"] == {"step": "50", "offset": "25"}
    assert release.records["rent"].null_count == 0
    for each in left:
        assert "rent" not in shoal.protect(table(), policy(role, noise, each), key=KEY).manifest.steps
        assert "rent" in shoal.protect(table(), policy(role, each, noise), key=KEY).manifest.steps


@pytest.mark.gate
@pytest.mark.parametrize("role", ["quasi_identifier", "sensitive"])
def test_both_engines_make_the_same_numbers(tmp_path, role):
    pq.write_table(table(), tmp_path / "original.parquet")
    rules = policy(role, MAKERS[0], within=["zip"])
    made = [
        shoal.protect(tmp_path / "original.parquet", rules, key=KEY, engine=engine, output=tmp_path / f"{engine}.csv")
        for engine in ("memory", "duckdb")
    ]
    assert (tmp_path / "memory.csv").read_bytes() == (tmp_path / "duckdb.csv").read_bytes()
    assert made[0].manifest.steps == made[1].manifest.steps
