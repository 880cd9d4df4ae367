"""Who compares whole households finds no more persons than the release states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks import homes

pytestmark = pytest.mark.linkage

SIZES = np.random.default_rng(11).integers(2, 5, 170)  # a little more than 500 persons
MARGIN = 0.03
STAY = 0.7
NOISE = {"name": "noise", "alpha": 0.1, "columns": ["age", "income"]}
PRAM = {"name": "pram", "stay": STAY, "invariant": False, "columns": ["a", "b"]}


def people() -> pa.Table:
    draw, n = np.random.default_rng(12), int(SIZES.sum())
    words = {name: draw.choice([f"v{at}" for at in range(9)], n) for name in ("a", "b")}
    numbers = {"age": draw.integers(0, 90, n), "income": draw.lognormal(8, 0.6, n).round()}
    return pa.table({"hh": np.repeat(np.arange(len(SIZES)), SIZES), **numbers, **words, "person": np.arange(n)})


def costs_of_noise(original: pa.Table, released: pa.Table) -> Any:
    total: Any = 0.0
    for name in ("age", "income"):
        own, shown = (table[name].to_numpy().astype(float) for table in (original, released))
        total = total + (own[:, None] - shown) ** 2 / (2 * 0.1 * own.var())
    return total


def costs_of_exchange(original: pa.Table, released: pa.Table) -> Any:
    lost = np.log(STAY / ((1 - STAY) / 8))
    columns = [[table[name].to_numpy(zero_copy_only=False) for table in (original, released)] for name in ("a", "b")]
    return sum(lost * (own[:, None] != shown) for own, shown in columns)


CASES: dict[str, tuple[dict[str, Any], str, Any]] = {
    "noise": (NOISE, "numeric", costs_of_noise),
    "pram": (PRAM, "nominal", costs_of_exchange),
}


@pytest.mark.gate(but="household-noise")
@pytest.mark.parametrize("method", CASES)
@pytest.mark.parametrize("shown_by", ["household", "pseudonym"])
def test_whole_households_are_found_as_often_as_stated(
    method: str, shown_by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule, kind, costs = CASES[method]
    table = people().select(["hh", *rule["columns"], "person"])
    monkeypatch.chdir(tmp_path)  # draws depend on the policy: no name of a folder may be in it
    key_file = Path("pseudonyms.key")
    key_file.write_text("0" * 64, encoding="utf-8")
    numbers = {"role": "identifier", "pseudonym": str(key_file)} if shown_by == "pseudonym" else {"role": "household"}
    keys = {name: {"role": "quasi_identifier", "kind": kind} for name in rule["columns"]}
    columns = {"hh": numbers, **keys, "person": {"role": "other"}}
    rules = {"columns": columns, "method": {"name": "none"}, "perturbations": [rule]}
    made = shoal.protect(table, rules, key=bytes(range(32)))
    released = made.records
    truth = np.argsort(released["person"].to_numpy())  # of person 0, 1, ..., the intruder does not use it
    rate = homes.found(costs(table, released), table["hh"].to_pylist(), released["hh"].to_pylist(), truth)
    one_by_one, strongest = made.assessment.linkages["informed"].risk, made.assessment.strongest_linkage
    assert rate.succeeds(2 * one_by_one)
    assert strongest is not None
    assert rate.share <= strongest[1].risk + MARGIN
