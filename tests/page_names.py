"""What the Python blocks of the documents use without saying where it is from: arrays, tables, files of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import tomlkit

import shoal
from shoal.sources import write_table

N = 240
KEYS = ("age", "sex", "zip")


def people() -> pa.Table:
    census = shoal.datasets.synthetic_census(N, seed=3)
    towns = pa.array([f"{10 + at % 4}{at % 3}" for at in range(N)])
    regions = pa.array([("north", "south")[at % 2] for at in range(N)])
    people = census.select(["age", "sex", "income", "health_condition"])
    further = {"zip": towns, "region": regions, "town": towns, "city": towns, "surname": census["occupation"]}
    for name, values in further.items():
        people = people.append_column(name, values)
    return people


def roles(folder: Path, page: str) -> shoal.Schema:
    """Two quasi-identifiers; on pages of methods that change categories within nodes, one with a taxonomy."""
    column = shoal.Column
    others = [column(name, "other") for name in ("sex", "town", "city", "surname", "health_condition")]
    if page in ("data_swap", "pram"):
        (folder / "zip.csv").write_text("".join(f"{10 + at}{end};{10 + at};*\n" for at in range(4) for end in range(3)))
        return shoal.Schema([column("zip", "quasi_identifier", taxonomy=shoal.Taxonomy.read(folder / "zip.csv"))])
    keys = [column("age", "quasi_identifier", "numeric"), column("region", "quasi_identifier")]
    return shoal.Schema([*keys, column("income", "other", "numeric"), column("zip", "other"), *others])


def rules() -> dict[str, Any]:
    keys = {name: {"role": "quasi_identifier", "kind": "numeric" if name == "age" else "nominal"} for name in KEYS}
    others = {name: {"role": "other"} for name in ("region", "income", "town", "city", "surname")}
    others["health_condition"] = {"role": "sensitive"}
    return {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": {**keys, **others}}


def page_names(folder: Path, page: str) -> dict[str, Any]:
    """Names for the blocks of one page; files are written to ``folder``."""
    table, policy, draw = people(), rules(), np.random.default_rng(7)
    for name in ("policy.toml", "a.toml", "b.toml"):
        (folder / name).write_text(tomlkit.dumps(policy))
    write_table(table, folder / "people.csv")
    release = shoal.protect(folder / "people.csv", folder / "policy.toml", output=folder / "made.csv")
    values = draw.lognormal(size=(N, 3))
    X = shoal.standardize(values)
    labels = draw.integers(0, 60, N)
    return {
        "shoal": shoal,
        "values": values,
        "X": X,
        "masked": shoal.noise(X, alpha=0.1, seed=1),
        "codes": draw.integers(0, 2, N),
        "coded": draw.integers(0, 4, (N, 5)),
        "counts": [120, 120],
        "region": draw.integers(0, 4, N),
        "regions": np.repeat(draw.integers(0, 4, N // 4), 4),
        "households": np.repeat(np.arange(N // 4), 4),
        "age": draw.integers(0, 90, N),
        "sex": draw.integers(0, 2, N),
        "tenure": np.repeat(draw.integers(0, 2, N // 4), 4),
        "patients": labels,
        "classes": labels,
        "f": [1, 2, 5],
        "weight_sums": [10.0, 40.0, 200.0],
        "risks": draw.uniform(0, 0.1, N),
        "class_sizes": [1, 1, 1, 2, 2, 3, 5],
        "sampling_fraction": 0.1,
        "table": table,
        "original": table,
        "released": release.table,
        "before": table,
        "after": table,
        "register": table,
        "schema": roles(folder, page),
        "requirements": [shoal.KAnonymity(5)],
        "policy": policy,
        "key": bytes(32),
        "make": lambda points: shoal.twod_tree(points, limit=50, k=3),
    }
