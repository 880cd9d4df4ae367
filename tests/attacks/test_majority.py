"""Members of a household do not undo together what chance does to the value that they share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from attacks import majority
from attacks.published import publish
from attacks.rates import Rate

N_HOUSEHOLDS = 600
NEAR = 75.0
METHODS: dict[str, tuple[dict[str, Any], str]] = {
    "pram": ({"name": "pram", "stay": 0.7}, "nominal"),
    "data_swap": ({"name": "data_swap", "rate": 0.5}, "nominal"),
    "noise": ({"name": "noise", "alpha": 0.1}, "numeric"),
    "rank_swap": ({"name": "rank_swap", "p": 20}, "numeric"),
    "rounding": ({"name": "rounding", "base": 700, "unbiased": True}, "numeric"),
    "mic": ({"name": "mic", "v": 1, "k": 20}, "numeric"),
}


def members(kind: str, n_households: int = N_HOUSEHOLDS) -> tuple[pa.Table, Any]:
    """Households of five, and what all of their members have."""
    draw = np.random.default_rng(0)
    value = draw.choice(list("abcd"), n_households) if kind == "nominal" else draw.integers(200, 3000, n_households)
    of = np.repeat(np.arange(n_households), 5)
    table = pa.table({"hh": [f"H{at:03}" for at in of], "tag": [f"t{at}" for at in of], "x": value[of]})
    return table.append_column("sex", pa.array(draw.choice(["f", "m"], len(of)))), value


def policy(method: str, level: dict[str, str]) -> dict[str, Any]:
    rule, kind = METHODS[method]
    columns = {"hh": {"role": "household"}, "tag": {"role": "other"}, "sex": {"role": "quasi_identifier"}}
    return {
        "columns": columns | {"x": {"role": "sensitive", "kind": kind} | level},
        "perturbations": [rule | {"columns": ["x"]}],
    }


def attacked(method: str, level: dict[str, str], folder: Path) -> tuple[Rate, float]:
    """The rate of all members together, and that of the first alone."""
    kind = METHODS[method][1]
    table, value = members(kind)
    published = publish(table, policy(method, level), folder, key=bytes(range(32)))
    records = published.records.to_pylist()
    truth = {record["hh"]: value[int(record["tag"][1:])] for record in records}
    alone = {record["hh"]: float(record["x"]) if kind == "numeric" else record["x"] for record in reversed(records)}
    together = majority.guesses(published, "x", "hh", are_numbers=kind == "numeric")
    return majority.rate(together, truth, NEAR), majority.rate(alone, truth, NEAR).share


SELDOM = ("data_swap", "rank_swap", "rounding")


def with_marks(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.long] * (name in SELDOM)) for name in names]


@pytest.mark.gate(but="pram")
@pytest.mark.parametrize("method", with_marks(["pram", "data_swap", "noise", "rank_swap", "rounding"]))
def test_members_together_know_no_more_than_one_of_them(tmp_path: Path, method: str) -> None:
    together, alone = attacked(method, {}, tmp_path / "weak")
    assert together.succeeds(alone)
    together, alone = attacked(method, {"level": "household"}, tmp_path / "made")
    assert together.fails(alone)


@pytest.mark.gate(but="pram")
@pytest.mark.parametrize("method", with_marks(METHODS))
def test_members_of_a_household_get_one_value_on_both_engines(tmp_path: Path, method: str) -> None:
    table, _ = members(METHODS[method][1], n_households=100)
    pq.write_table(table, tmp_path / "original.parquet")
    for engine in ("memory", "duckdb"):
        target = tmp_path / f"{engine}.parquet"
        rules = policy(method, {"level": "household"})
        shoal.protect(tmp_path / "original.parquet", rules, engine=engine, output=target, key=bytes(32))
    one, other = (pq.read_table(tmp_path / f"{engine}.parquet") for engine in ("memory", "duckdb"))
    assert one.equals(other)
    assert len(set(zip(one["hh"].to_pylist(), one["x"].to_pylist(), strict=True))) == 100


def test_columns_of_persons_and_of_households_have_no_noise_in_common() -> None:
    table, _ = members("numeric")
    table = table.append_column("y", pa.array(np.random.default_rng(1).integers(0, 1000, len(table))))
    rules = policy("noise", {"level": "household"})
    rules["columns"]["y"] = {"role": "sensitive", "kind": "numeric"}
    rules["output"] = {"shuffle": False}
    rules["perturbations"][0]["columns"] = ["x", "y"]
    made = shoal.protect(table, rules, key=bytes(32)).records
    added = [np.array(made[name].to_pylist()) - np.array(table[name].to_pylist()) for name in ("x", "y")]
    first = np.arange(0, len(table), 5)
    assert abs(np.corrcoef(added[0][first], added[1][: len(first)])[0, 1]) < 0.2
    assert abs(np.corrcoef(added[0][first], added[1][first])[0, 1]) < 0.2
    rules["perturbations"][0]["kind"] = "correlated"
    with pytest.raises(shoal.ShoalError, match="of households and of persons"):
        shoal.protect(table, rules, key=bytes(32))
