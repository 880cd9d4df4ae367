"""Two years of a growing population: some leave, others join, everybody else is a year older, and some move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

REGIONS = ("north", "east", "south", "west", "center", "coast")
CONDITIONS = tuple("abcdefghijkl")  # lasting ones
LEAVE, JOIN, MOVE = 0.10, 0.15, 0.05

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


def two_years(n: int = 2000, seed: int = 17) -> tuple[pa.Table, pa.Table]:
    """The population of the first year and that of the second."""
    rng = np.random.default_rng(seed)
    first = _persons(rng, 0, n)
    stay = rng.random(n) >= LEAVE
    second = {name: values[stay] for name, values in first.items()}
    second["age"] = second["age"] + 1
    moves = rng.random(stay.sum()) < MOVE
    second["region"] = np.where(moves, rng.choice(REGIONS, moves.size), second["region"])
    second["visits"] = rng.poisson(3, moves.size)
    joined = _persons(rng, n, round(JOIN * n))
    both = {name: np.concatenate([second[name], joined[name]]) for name in first}
    return pa.table(first), pa.table(both).take(rng.permutation(len(both["age"])))


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


def write_years(folder: Path, n: int = 2000, seed: int = 17) -> tuple[Path, Path]:
    """Both years as files."""
    files = folder / "year1.csv", folder / "year2.csv"
    for table, file in zip(two_years(n, seed), files, strict=True):
        pacsv.write_csv(table, file)
    return files
