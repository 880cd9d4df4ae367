"""Years of a growing population: some leave, others join, everybody else is a year older, some move, and of a few the
condition changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

REGIONS = ("north", "east", "south", "west", "center", "coast")
CONDITIONS = tuple("abcdefghijkl")  # nearly all lasting
LEAVE, JOIN, MOVE, CHANGE = 0.10, 0.15, 0.05, 0.01

COLUMNS: dict[str, Any] = {
    "person": {"role": "identifier", "kind": "nominal"},
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "region": {"role": "quasi_identifier", "kind": "nominal"},
    "schooling": {"role": "quasi_identifier", "kind": "numeric"},
    "condition": {"role": "sensitive", "kind": "nominal"},
    "visits": {"role": "other", "kind": "numeric"},
}


def policy(k: int = 5, method: str = "mdav", **more: Any) -> dict[str, Any]:
    """Records are suppressed where nothing else protects them."""
    return {
        "columns": COLUMNS,
        "method": {"name": method, "k": k},
        "requirements": [{"name": "k_anonymity", "k": k}],
        "suppression": {"limit": 0.2},
        **more,
    }


def population(n: int = 2000, n_years: int = 2, seed: int = 17) -> list[pa.Table]:
    """The tables of all years, the first one with ``n`` persons. More years leave the first ones as they are."""
    rng = np.random.default_rng(seed)
    persons, n_known = _persons(rng, 0, n), n
    tables = [pa.table(persons)]
    for _ in range(n_years - 1):
        joined = round(JOIN * n)
        persons = _next_year(rng, persons, _persons(rng, n_known, joined))
        n_known += joined
        tables.append(pa.table(persons))
    return tables


def two_years(n: int = 2000, seed: int = 17) -> tuple[pa.Table, pa.Table]:
    """The population of the first year and that of the second."""
    first, second = population(n, 2, seed)
    return first, second


def _next_year(rng: np.random.Generator, persons: dict[str, Any], joined: dict[str, Any]) -> dict[str, Any]:
    """Those who stay, a year older, with others who joined, in a new order."""
    stay = rng.random(persons["age"].size) >= LEAVE
    kept = {name: values[stay] for name, values in persons.items()}
    n = int(stay.sum())
    kept["age"] = kept["age"] + 1
    kept["region"] = np.where(rng.random(n) < MOVE, rng.choice(REGIONS, n), kept["region"])
    kept["condition"] = np.where(rng.random(n) < CHANGE, rng.choice(CONDITIONS, n), kept["condition"])
    kept["visits"] = rng.poisson(3, n)
    order = rng.permutation(n + joined["age"].size)
    return {name: np.concatenate([kept[name], joined[name]])[order] for name in persons}


def _persons(rng: np.random.Generator, first: int, n: int) -> dict[str, Any]:
    shares = np.linspace(3, 1, len(CONDITIONS))
    return {
        "person": np.array([f"P{number:06d}" for number in rng.permutation(n) + first]),
        "age": rng.integers(18, 90, n),
        "region": rng.choice(REGIONS, n),
        "schooling": rng.integers(6, 20, n),
        "condition": rng.choice(CONDITIONS, n, p=shares / shares.sum()),
        "visits": rng.poisson(3, n),
    }


def write_years(folder: Path, n: int = 2000, seed: int = 17, n_years: int = 2) -> tuple[Path, ...]:
    """All years as files."""
    files = tuple(folder / f"year{year + 1}.csv" for year in range(n_years))
    for table, file in zip(population(n, n_years, seed), files, strict=True):
        pacsv.write_csv(table, file)
    return files
