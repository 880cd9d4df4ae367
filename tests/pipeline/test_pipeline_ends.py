"""Where intervals end: on a grid that the manifest tells, and the gate sees it in the written file."""

import json
from datetime import date, datetime, timedelta
from functools import reduce
from operator import add

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.encode.tails import Tails

NUMBER = {"role": "quasi_identifier", "kind": "numeric"}
DATE = {"role": "quasi_identifier", "kind": "date"}


def table(n=240):
    draw = np.random.default_rng(0)
    return pa.table(
        {
            "age": draw.integers(18, 80, n),
            "income": np.rint(draw.lognormal(10, 0.7, n)).astype(int),
            "cost": np.round(draw.normal(300, 80, n), 2),
            "born": pa.array(np.datetime64("1950-01-01") + draw.integers(0, 20000, n)),
            "disease": draw.choice(["flu", "cold", "none"], n),
        }
    )


def policy(method="mdav", **changes):
    columns = {"age": NUMBER, "income": NUMBER, "cost": NUMBER, "born": DATE, "disease": {"role": "sensitive"}}
    return {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"name": method},
        "output": {"representation": "extents", "ends": True, "shuffle": False},
        "columns": {name: {**rule, **changes.get(name, {})} for name, rule in columns.items()},
    }


def grids(**changes):
    return shoal.protect(table(), policy(**changes)).manifest.grids


def test_the_manifest_says_where_intervals_end():
    told = grids()
    assert {name: grid["step"] for name, grid in told.items()} == {
        "age": 5,
        "income": 1000,
        "cost": 2.0,
        "born": "quarter",
    }
    assert all(grid["low"] < grid["high"] for grid in told.values())


def test_the_policy_and_taxonomies_decide_before_the_spread():
    told = grids(age={"grid": 7}, income={"taxonomy": {"intervals": [2500, 5000]}}, born={"grid": "decade"})
    assert [told[name]["step"] for name in ("age", "income", "born")] == [7, 2500, "decade"]
    assert grids(born={"taxonomy": {"date_parts": ["year"]}})["born"]["step"] == "year"


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([0, 1] * 20, 1),  # two values, which many share
        (list(range(6)) * 10, 1),
        (list(range(12)) * 10, 1),
        (list(range(20)) * 10, 2),
        (list(range(18, 90)), 5),
        ([7] * 30, 1),
        ([0] * 30, 1),
        ([float(at) / 3 for at in range(60)], 0.2),
        ([1e9 + at / 3 for at in range(60)], 1.0),
        ([100 * at for at in range(40)], 500),
    ],
)
def test_the_default_step_of_numbers(values, step):
    release = shoal.protect(
        pa.table({"x": values}),
        {"columns": {"x": NUMBER}, "method": {"k": 3}, "output": {"representation": "extents"}},
    )
    assert release.manifest.grids["x"]["step"] == step


@pytest.mark.parametrize(
    ("moments", "step"),
    [
        ([date(2020, 1, 1) + timedelta(days=at) for at in range(5)] * 4, "day"),
        ([date(2020, 1, 1) + timedelta(days=at) for at in range(200)], "week"),
        ([date(2000, 1, 1) + timedelta(days=100 * at) for at in range(90)], "quarter"),
        ([date(1920, 1, 1) + timedelta(days=300 * at) for at in range(120)], "year"),
        ([datetime(2020, 1, 1) + timedelta(minutes=17 * at) for at in range(100)], "hour"),
    ],
)
def test_the_default_step_of_dates(moments, step):
    release = shoal.protect(
        pa.table({"x": moments}), {"columns": {"x": DATE}, "method": {"k": 3}, "output": {"representation": "extents"}}
    )
    assert release.manifest.grids["x"]["step"] == step


@pytest.mark.gate(but=("mdav", "mondrian"))
@pytest.mark.parametrize("method", ["mdav", "mondrian", "gensearch"])
def test_every_record_lies_in_what_is_told_and_no_end_is_beside_the_grid(method):
    original = table()
    release = shoal.protect(original, policy(method))
    for name, grid in release.manifest.grids.items():
        step = {"quarter": 1}.get(grid["step"], grid["step"])
        low, high = (as_numbers(release.records[f"{name}{end}"]) for end in ("_min", "_max"))
        values = as_numbers(original[name])
        assert (~(low > values) & ~(high <= values)).all(), name
        told = np.concatenate([low, high])
        told = told[~np.isnan(told)]
        assert np.allclose(told / step, np.rint(told / step)), name
        assert values.min() < grid["low"] <= told.min(), name
        assert told.max() <= grid["high"] <= values.max(), name


def as_numbers(cells):
    plain = cells.cast(pa.int32()) if pa.types.is_date(cells.type) else cells
    return plain.cast(pa.float64()).to_numpy(zero_copy_only=False)


@pytest.mark.gate
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_both_engines_tell_the_same_ends(method, tmp_path):
    pyarrow.csv.write_csv(table(), tmp_path / "original.csv")
    made = []
    for name in ("memory", "duckdb"):
        target = tmp_path / f"{name}.csv"
        manifest = shoal.protect(tmp_path / "original.csv", policy(method), output=target, engine=name).manifest
        made.append((target.read_bytes(), manifest.grids))
    assert made[0] == made[1]


def changed(folder, name, old, new):
    """A release, one text of it changed, with a manifest that knows the new bytes."""
    path = folder / "release.parquet"
    records = pq.read_table(path)
    cells = [new(each) if old(each) else each for each in records[name].to_pylist()]
    assert cells != records[name].to_pylist()
    pq.write_table(records.set_column(records.column_names.index(name), name, pa.array(cells)), path)
    return shoal.verify(path, policy())


@pytest.fixture
def release(tmp_path):
    pq.write_table(table(), tmp_path / "original.parquet")
    shoal.protect(tmp_path / "original.parquet", policy(), output=tmp_path / "release.parquet")
    assert shoal.verify(tmp_path / "release.parquet", policy()).holds
    return tmp_path


def test_an_end_beside_the_grid_is_found_out(release):
    proof = changed(release, "income", lambda text: text.startswith("[2"), lambda text: text.replace("000,", "471,"))
    assert any("'income' has" in fault and "off the grid of 1000" in fault for fault in proof.faults)


def test_an_end_where_few_records_are_is_found_out(release):
    proof = changed(release, "income", lambda text: text.endswith("inf)"), lambda text: text.replace("inf", "900000"))
    assert any("'income' has" in fault and "few records" in fault for fault in proof.faults)


def test_an_interval_that_is_closed_by_a_value_is_found_out(release):
    proof = changed(release, "age", lambda text: not text.endswith("inf)"), lambda text: text.replace(")", "]"))
    assert any("'age' has" in fault and "closed by a value" in fault for fault in proof.faults)


def test_ends_that_are_others_in_their_columns_are_found_out(release):
    proof = changed(release, "age_min", lambda end: end is not None, lambda end: end + 5)
    assert any("'age' has" in fault and "differ from those in the columns" in fault for fault in proof.faults)
    proof = changed(release, "age_min", lambda end: end is None, lambda end: 18)
    assert any("'age' has" in fault and "differ from those in the columns" in fault for fault in proof.faults)


def test_without_a_manifest_the_grid_of_the_policy_is_proved():
    exact = shoal.protect(table(), policy(age={"grid": 1})).records
    assert shoal.verify(exact, policy(age={"grid": 1})).holds
    assert any("grid of 5" in fault for fault in shoal.verify(exact, policy(age={"grid": 5})).faults)


@pytest.mark.gate(but="told0-does not say where intervals of 'age' may end")
@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({}, "does not say where intervals of 'age' may end"),
        ({"age": {"step": "far", "low": None, "high": None}}, "does not say where intervals of 'age' may end"),
        ({"age": {"step": 1, "low": None, "high": None}}, "end on a grid of 1, the policy says 5"),
    ],
)
def test_a_manifest_that_tells_no_grid_or_another_is_found_out(tmp_path, told, words):
    asked = policy(age={"grid": 5})
    pq.write_table(table(), tmp_path / "original.parquet")
    shoal.protect(tmp_path / "original.parquet", asked, output=tmp_path / "release.parquet")
    path = tmp_path / "release.manifest.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "grids": told}))
    assert any(words in fault for fault in shoal.verify(tmp_path / "release.parquet", asked).faults)


def test_centroids_have_no_grid():
    asked = policy() | {"output": {"shuffle": False}}
    assert shoal.protect(table(), asked).manifest.grids == {}
    with_grid = policy(age={"grid": 10}) | {"output": {"shuffle": False}}
    assert shoal.protect(table(), with_grid).manifest.grids == {}


def test_cuts_of_the_policy_stay_where_they_are():
    asked = policy("mondrian")
    asked["method"]["cuts"] = {"age": [33, 47]}
    release = shoal.protect(table(), asked)
    assert "age" not in release.manifest.grids
    assert set(release.records["age_min"].to_pylist()) <= {None, 33, 47}


TABLES = {
    "spread": lambda draw, n: draw.normal(0, 1, n),
    "even": lambda draw, n: draw.uniform(0, 1, n),
    "few values": lambda draw, n: draw.integers(0, 4, n),
    "one far away": lambda draw, n: np.append(draw.normal(0, 1, n - 1), 1e6),
    "one value": lambda draw, n: np.full(n, 7.0),
}


@pytest.mark.gate(but=("spread-2", "spread-3", "spread-10"))
@pytest.mark.parametrize("k", [2, 3, 10])
@pytest.mark.parametrize("shape", TABLES)
def test_k_records_lie_beyond_the_last_told_end_on_each_side(shape, k):
    for n in (k, 2 * k - 1, 2 * k, 60):
        values = TABLES[shape](np.random.default_rng(n), n).astype(float)
        asked = {"columns": {"x": NUMBER}, "method": {"k": k}, "output": {"representation": "extents"}}
        grid = shoal.protect(pa.table({"x": values}), asked).manifest.grids["x"]
        if grid["low"] <= grid["high"]:
            assert (values < grid["low"]).sum() >= k
            assert (values >= grid["high"]).sum() >= k


@pytest.mark.parametrize("n", [3, 5])
def test_where_too_few_values_are_known_the_bounds_are_the_same_whatever_they_are(n):
    asked = {"columns": {"x": {**NUMBER, "grid": 10}}, "method": {"k": 3}, "output": {"representation": "extents"}}
    told = [
        shoal.protect(pa.table({"x": values}), asked).manifest.grids["x"] for values in (range(n), range(700, 700 + n))
    ]
    assert told[0] == told[1]
    assert told[0]["low"] > told[0]["high"]


@pytest.mark.parametrize("n", [1, 3, 7])
def test_tails_are_the_same_in_pieces_of_any_size(n):
    values = np.random.default_rng(0).permutation(np.arange(40.0))
    table = pa.table({"x": pa.array([*values, None, None])})
    for size in (1, 5, 42):
        tails = reduce(add, [Tails.of("x", n, None, table.slice(start, size)) for start in range(0, 42, size)])
        assert tails.inner == (n - 1, 40 - n)


@pytest.mark.parametrize("size", [1, 5, 42])
def test_tails_count_every_unit_once(size):
    values = [*np.arange(34.0), 99, 99, 99, -7, -7, None]
    units = [*(f"u{i}" for i in range(30)), None, None, None, None, "a", "a", "a", "b", "b", "c"]
    table = pa.table({"x": pa.array(values), "who": pa.array(units)}).take(np.random.default_rng(1).permutation(40))
    tails = reduce(add, [Tails.of("x", 3, "who", table.slice(start, size)) for start in range(0, 40, size)])
    assert tails.inner == (1, 32)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_k_patients_lie_beyond_the_last_told_end_not_k_stays_of_one(tmp_path, engine):
    """One patient's three stays are the oldest and another's the youngest: neither age is told within a step."""
    patients, ages = [*range(60), 60, 60, 60, 61, 61, 61], [*range(20, 80), 95, 95, 95, 3, 3, 3]
    stays = pa.table({"patient": patients, "age": ages})
    asked = {
        "columns": {"patient": {"role": "unit"}, "age": {**NUMBER, "grid": 1}},
        "method": {"k": 3},
        "output": {"representation": "extents"},
    }
    pq.write_table(stays, tmp_path / "stays.parquet")
    release = shoal.protect(tmp_path / "stays.parquet", asked, engine=engine, output=tmp_path / "released.csv")
    grid = release.manifest.grids["age"]
    assert (grid["low"], grid["high"]) == (22, 78)
