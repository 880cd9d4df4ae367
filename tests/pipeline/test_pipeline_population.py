"""Journalist and marketer risk against a table of the population (k-map): the search, the gate and an intruder agree
with a twin that compares every person with every written record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pytest

import shoal
from reference.population import persons_of_records
from shoal.errors import PolicyError, RequirementError, TableError

NAMES = ("age", "zip", "sex", "grade", "born")
ORDER = ("low", "mid", "high")
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "zip": {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"prefixes": [2, 1]}},
    "sex": {"role": "quasi_identifier", "kind": "nominal"},
    "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": list(ORDER)},
    "born": {"role": "quasi_identifier", "kind": "date"},
    "illness": {"role": "sensitive", "kind": "nominal"},
}
Policy = dict[str, Any]
METHODS: dict[str, dict[str, Any]] = {
    "levels": {"name": "global_recoding"},
    "suppressing": {"name": "global_recoding", "suppression": 0.2},
    "cuts": {"name": "global_recoding", "scheme": "cuts", "loss": "certainty"},
    "strict": {"name": "mondrian"},
    "greedy": {"name": "mondrian", "mode": "greedy"},
    "subsets": {"name": "mondrian", "unordered": "subsets"},
}
MAXIMUM = 0.1
LEAST = 10  # persons: 1 / MAXIMUM
JOURNALIST = {"name": "journalist_risk", "maximum": MAXIMUM}
MARKETER = {"name": "marketer_risk", "average": MAXIMUM}
AT_RISK = {"name": "records_at_risk", "share": 0.1, "threshold": MAXIMUM}


def population_of(seed: int, n: int = 200) -> pa.Table:
    """Persons; the sample that is released lacks many of their combinations, and some of their values."""
    rng = np.random.default_rng(seed)
    first = date(1950, 1, 1)
    return pa.table(
        {
            "age": pa.array(rng.integers(18, 70, n), mask=rng.random(n) < 0.05),
            "zip": rng.choice(["1011", "1012", "1021", "2011", "2012", "3033"], n),
            "sex": rng.choice(["f", "m", "x"], n, p=[0.5, 0.45, 0.05]),
            "grade": rng.choice(list(ORDER), n),
            "born": [first + timedelta(int(days)) for days in rng.integers(0, 900, n) * 20],
        }
    )


def sample_of(population: pa.Table, n: int = 40) -> pa.Table:
    rng = np.random.default_rng(7)
    some = population.take(rng.choice(len(population), n, replace=False))
    return some.append_column("illness", pa.array(rng.choice(list("abc"), n)))


def policy_of(folder: Path, population: pa.Table, *asked: Policy, method: str = "strict", **more: Any) -> Policy:
    """A policy that names the population, whose file is written."""
    pc.write_csv(population, folder / "population.csv")
    requirements = [{**each, "population": str(folder / "population.csv")} for each in asked]
    limit = METHODS[method].get("suppression", 0.0)
    return {
        "columns": COLUMNS,
        "requirements": requirements,
        "method": METHODS[method],
        "suppression": {"limit": limit},
        **more,
    }


def labels_of(population: pa.Table) -> dict[str, dict[str, list[str]]]:
    """The nodes above every postcode, as its taxonomy of prefixes has them."""
    codes = population["zip"].unique().to_pylist()
    return {"zip": {code: [code, f"{code[:2]}**", f"{code[:1]}***", "*"] for code in codes}}


def persons(records: pa.Table, population: pa.Table, columns: tuple[str, ...] = NAMES) -> list[int]:
    labels = labels_of(population)
    return persons_of_records(records.to_pylist(), population.to_pylist(), {"grade": ORDER}, labels, columns)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.gate(but=[f"{method}-0" for method in METHODS])
def test_every_released_record_may_be_that_of_enough_persons(tmp_path, method, seed):
    """An intruder who holds the population finds at least 1 / maximum persons for every record, also where a class has
    a single record: the persons outside the sample count."""
    population = population_of(seed)
    policy = policy_of(tmp_path, population, JOURNALIST, method=method)
    release = shoal.protect(sample_of(population), policy, key=b"1" * 32)
    assert release.records is not None
    found = persons(release.records, population)
    assert min(found) >= LEAST
    sizes = release.records.group_by(list(NAMES)).aggregate([([], "count_all")])["count_all"].to_pylist()
    assert len(sizes) > 1 and min(sizes) < LEAST
