"""The ends of intervals are nobody's values, whatever made the intervals."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from attacks import tables
from attacks.ends import WHO, Counted, extremes, rate, richest, risk
from attacks.published import Published, publish
from attacks.rates import FEWEST_TARGETS, Rate

K, N_INCOMES = 3, 2000
COUNTED: dict[str, Counted] = {
    "incomes": {"income": 1},
    "hospital": {"age": 1, "cost": 0.01, "admitted": 1},
    "adult": {"age": 1},
    "census": dict.fromkeys(("AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX"), 1),
    "survey": {"age": 1},
}
GROUPING = ("mdav", "vmdav", "mu_approx", "micro_som", "microaggregate")
CUTTING: dict[str, dict[str, Any]] = {
    "mondrian": {},
    "greedy mondrian": {"name": "mondrian", "mode": "greedy"},
    "mondrian of quarters": {"name": "mondrian", "cuts": {"age": 40}},
    "gensearch": {"nodes": 500},
    "global_recoding": {},
    "global_recoding by cuts": {"name": "global_recoding", "scheme": "cuts"},
}


def incomes() -> pa.Table:
    """Everybody's is another, and a few are very rich."""
    draw = np.random.default_rng(0)
    income = np.rint(draw.lognormal(10.3, 0.6, N_INCOMES)).astype(int)
    return pa.table({"income": income, "disease": draw.choice(["flu", "cold", "none"], N_INCOMES)})


def table_of(name: str) -> tuple[pa.Table, tables.Roles]:
    match name:
        case "incomes":
            table, roles = incomes(), {"income": tables.NUMBER, "disease": {"role": "sensitive"}}
        case "adult":
            table, roles = tables.adult(2500), tables.ADULT
        case "census":
            table = tables.census()
            roles = tables.census_roles(table)
        case "survey":
            table, roles = tables.survey(1500), tables.SURVEY | {"household_id": {"role": "identifier"}}
        case _:
            table, roles = tables.hospital(400), tables.HOSPITAL
    numbered = table.append_column(WHO, pa.array(np.arange(len(table))))
    return numbered, {**{name: dict(role) for name, role in roles.items()}, WHO: {"role": "other"}}


def published(
    name: str, folder: Path, method: dict[str, Any], *, k: int = K, ends: bool = False
) -> tuple[pa.Table, Published]:
    table, roles = table_of(name)
    policy = {
        "requirements": [{"name": "k_anonymity", "k": k}],
        "columns": roles,
        "method": method,
        "output": {"representation": "extents", "ends": ends},
    }
    return table, publish(table, policy, folder)


def tightest(release: Published, table: pa.Table, name: str) -> Published:
    """The same classes, told from the least to the greatest value of their records: weak on purpose."""
    known = [name for name, rule in release.policy["columns"].items() if rule["role"] == "quasi_identifier"]
    classes = [tuple(row.values()) for row in release.records.select(known).to_pylist()]
    members: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, who in zip(classes, release.records[WHO].to_pylist(), strict=True):
        members[row].append(int(who))
    records = release.records
    for column in COUNTED[name]:
        values = table[column].to_pylist()
        ends = {row: [end(values[who] for who in of) for end in (min, max)] for row, of in members.items()}
        texts = [f"[{ends[row][0]}, {ends[row][1]}]" for row in classes]
        records = records.set_column(records.column_names.index(column), column, pa.array(texts))
    kept = [column for column in records.column_names if not column.endswith(("_min", "_max"))]
    return replace(release, records=records.select(kept))


def beaten(release: Published, table: pa.Table, name: str, k: int = K) -> bool:
    """It is shown that ends are better guesses than the stated risk."""
    return rate(release, table, COUNTED[name], k).succeeds(risk(release, table, COUNTED[name], k))


@pytest.mark.gate(but="mdav-texts")
@pytest.mark.parametrize("ends", [False, True], ids=["texts", "columns of ends"])
@pytest.mark.parametrize("method", GROUPING)
def test_no_end_of_a_group_is_a_value_of_somebody(method, ends, tmp_path):
    table, release = published("hospital", tmp_path, {"name": method}, ends=ends)
    assert beaten(tightest(release, table, "hospital"), table, "hospital")
    assert not beaten(release, table, "hospital")
    assert rate(release, table, COUNTED["hospital"], K).n_targets >= FEWEST_TARGETS


@pytest.mark.gate(but="greedy mondrian")
@pytest.mark.parametrize("method", CUTTING)
def test_no_cut_is_a_value_of_somebody(method, tmp_path):
    table, release = published("hospital", tmp_path, {"name": method, **CUTTING[method]})
    assert not beaten(release, table, "hospital")


def test_cuts_at_values_would_be_values_of_somebody(tmp_path):
    """As the search makes them where columns have no grid finer than their values."""
    table, roles = table_of("incomes")
    policy = {
        "requirements": [{"name": "k_anonymity", "k": K}],
        "columns": {**roles, "income": {**tables.NUMBER, "grid": 1}},
        "method": {"name": "mondrian"},
    }
    assert beaten(publish(table, policy, tmp_path), table, "incomes")


@pytest.mark.gate(but="adult-mdav")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
@pytest.mark.parametrize(
    "name", ["adult", *(pytest.param(name, marks=pytest.mark.long) for name in ("census", "survey"))]
)
@pytest.mark.usefixtures("reference_data")
def test_no_end_of_the_reference_sets_is_a_value_of_somebody(name, method, tmp_path):
    table, release = published(name, tmp_path, {"name": method})
    assert not beaten(release, table, name)
    assert rate(release, table, COUNTED[name], K).n_targets >= FEWEST_TARGETS


@pytest.mark.gate(but="2-mondrian")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
@pytest.mark.parametrize("k", [2, pytest.param(10, marks=pytest.mark.long)])
def test_nor_for_other_sizes_of_classes(k, method, tmp_path):
    table, release = published("hospital", tmp_path, {"name": method}, k=k)
    assert not beaten(release, table, "hospital", k)


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", [*GROUPING, "mondrian"])
def test_incomes_and_that_of_the_richest_are_not_told(method, tmp_path):
    table, release = published("incomes", tmp_path, {"name": method}, ends=True)
    weak, most = tightest(release, table, "incomes"), max(table["income"].to_pylist())
    assert richest(weak, "income", COUNTED["incomes"]) == most
    assert richest(release, "income", COUNTED["incomes"]) < 0.9 * most
    assert beaten(weak, table, "incomes")
    assert not beaten(release, table, "incomes")


def salaries(seed: int, n: int = 300, n_columns: int = 50) -> pa.Table:
    """Of as many years: everybody's is another."""
    draw = np.random.default_rng(seed)
    return pa.table({f"y{at}": np.rint(draw.normal(50_000, 12_000, n)).astype(int) for at in range(n_columns)})


def from_end_to_end(grids: dict[str, Any], table: pa.Table) -> dict[str, Any]:
    """The same steps, told as far as the values go: weak on purpose."""
    return {
        name: {
            "step": grid["step"],
            "low": (min(table[name].to_pylist()) // grid["step"] + 1) * grid["step"],
            "high": max(table[name].to_pylist()) // grid["step"] * grid["step"],
        }
        for name, grid in grids.items()
    }


@pytest.mark.gate
@pytest.mark.parametrize("k", [K, pytest.param(5, marks=pytest.mark.long)])
def test_the_bounds_of_the_grid_tell_no_extreme(k, tmp_path):
    strong, weak = Rate(0, 0), Rate(0, 0)
    for seed in range(5):
        table = salaries(seed)
        policy = {
            "requirements": [{"name": "k_anonymity", "k": k}],
            "columns": dict.fromkeys(table.column_names, tables.NUMBER),
            "method": {"name": "mondrian"},
            "output": {"representation": "extents"},
        }
        manifest = publish(table, policy, tmp_path / str(seed)).manifest
        strong += extremes(manifest, table)
        weak += extremes({"grids": from_end_to_end(manifest["grids"], table)}, table)
    assert not weak.fails(1 / k)
    assert strong.fails(1 / k)
