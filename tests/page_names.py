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
    return census.select(["age", "sex", "region", "income", "health_condition"]).append_column("zip", towns)


def rules() -> dict[str, Any]:
    keys = {name: {"role": "quasi_identifier", "kind": "numeric" if name == "age" else "nominal"} for name in KEYS}
    others = {"region": {"role": "other"}, "income": {"role": "other"}, "health_condition": {"role": "sensitive"}}
    return {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": {**keys, **others}}


def page_names(folder: Path) -> dict[str, Any]:
    """Names for the blocks of one page; files are written to ``folder``."""
    table, policy, draw = people(), rules(), np.random.default_rng(7)
    for name in ("policy.toml", "a.toml", "b.toml"):
        (folder / name).write_text(tomlkit.dumps(policy))
    write_table(table, folder / "people.csv")
    roles = shoal.Schema(
        [shoal.Column("age", "quasi_identifier", "numeric"), shoal.Column("region", "quasi_identifier")]
    )
    release = shoal.protect(table, policy, key=bytes(32))
    values = draw.lognormal(size=(N, 3))
    X = shoal.standardize(values)
    labels = draw.integers(0, 60, N)
    return {
        "shoal": shoal,
        "values": values,
        "X": X,
        "masked": shoal.noise(X, alpha=0.1, seed=1),
        "codes": draw.integers(0, 2, (N, 3)),
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
        "risks": [0.1, 0.02, 0.005],
        "class_sizes": release.findings,
        "sampling_fraction": 0.1,
        "table": table,
        "original": table,
        "released": release.table,
        "before": table,
        "after": table,
        "register": table,
        "schema": roles,
        "requirements": [shoal.KAnonymity(5)],
        "policy": policy,
        "key": bytes(32),
    }
