"""Random tables with policies, for pages that may leave the house: rare categories, extreme numbers, odd names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

NAMES = ("age", "Wohnort", "a b", "income 2019", "1", "k", "unit", "class", "x%", "n/a", "<b>", "größe", "risk", "l")
WORDS = ("red", "blue", "no", "yes", "other", "unit", "class", "none", "k", "5", "12", "N/A", "Basel-Stadt", "a, b")
METHODS = ({"name": "mdav"}, {"name": "mondrian"}, {"name": "vmdav"}, {"name": "none"})


@dataclass(frozen=True)
class PageCase:
    table: pa.Table
    policy: dict[str, Any]


def random_case(seed: int) -> PageCase:
    chance = np.random.default_rng(seed)
    n, k = int(chance.integers(12, 400)), int(chance.integers(2, 7))
    names = [str(name) for name in chance.permutation(np.array(NAMES, dtype=object))[: int(chance.integers(3, 8))]]
    roles = ["quasi_identifier", "quasi_identifier", *chance.choice(["quasi_identifier", "sensitive", "other"], 8)]
    columns = {name: _cells(n, chance) for name in names}
    rules = {
        name: {"role": str(role), "kind": cells.kind}
        for (name, cells), role in zip(columns.items(), roles, strict=False)
    }
    table = pa.table(
        {"secret_number": [f"P{at:05}" for at in range(n)]} | {name: c.cells for name, c in columns.items()}
    )
    method = dict(METHODS[int(chance.integers(len(METHODS)))])
    asked = [{"name": "k_anonymity", "k": k}] if method["name"] != "none" else []
    output = {"representation": str(chance.choice(["centroids", "extents"]))} if method["name"] != "none" else {}
    policy = {
        "seed": int(chance.integers(10_000)),
        "method": method,
        "requirements": asked,
        "output": output,
        "suppression": {"limit": 1.0},
        "columns": {"secret_number": {"role": "identifier"}, **rules},
    }
    return PageCase(table, policy)


@dataclass(frozen=True)
class _Cells:
    kind: str
    cells: pa.Array[Any]


def _cells(n: int, chance: np.random.Generator) -> _Cells:
    """A column with frequent, rare and missing values."""
    kind = str(chance.choice(["numeric", "numeric", "nominal", "nominal", "date"]))
    gaps = chance.random(n) < chance.choice([0, 0.1])
    if kind == "date":
        days = chance.integers(0, int(chance.choice([30, 20_000])), n)
        values: list[Any] = [date(1950, 1, 1) + timedelta(days=int(day)) for day in days]
    elif kind == "nominal":
        shares = chance.dirichlet(np.full(len(WORDS), 0.3))
        values = [str(word) for word in chance.choice(np.array(WORDS, dtype=object), n, p=shares)]
    else:
        values = _numbers(n, chance)
    known = [None if gap else value for gap, value in zip(gaps, values, strict=True)]
    types = {"date": pa.date32(), "nominal": pa.string()}
    return _Cells(kind, pa.array(known, types.get(kind)))


def _numbers(n: int, chance: np.random.Generator) -> list[Any]:
    match int(chance.integers(4)):
        case 0:
            return [int(value) for value in chance.integers(0, 100, n)]
        case 1:
            return [round(float(value), 1) for value in chance.lognormal(3, 2, n)]
        case 2:
            return [int(value) for value in chance.poisson(2, n)]
        case _:
            return [int(value) * 5 for value in chance.geometric(0.05, n)]
