"""A small table of firms for tests of business microdata: skewed turnover, industries, holdings of several firms."""

from __future__ import annotations

import copy
import random
from typing import Any

import pyarrow as pa

INDUSTRIES = ["A", "C", "F", "G"]


def firms(n: int = 160, seed: int = 11) -> pa.Table:
    draw = random.Random(seed)
    holding = [f"H{i // 2:03}" if i < 20 else f"S{i:03}" for i in range(n)]
    staff = [max(1, round(draw.lognormvariate(2.5, 1.2))) for _ in range(n)]
    return pa.table(
        {
            "firm": [f"F{i:04}" for i in range(n)],
            "holding": holding,
            "nace": [INDUSTRIES[i % len(INDUSTRIES)] for i in range(n)],
            "staff": staff,
            "turnover": [round(people * draw.lognormvariate(4, 0.8), 1) for people in staff],
            "weight": [draw.choice([1.0, 2.5, 10.0]) for _ in range(n)],
        }
    )


def firm_policy(*requirements: dict[str, Any], turnover: str = "quasi_identifier", **more: Any) -> dict[str, Any]:
    return {
        "requirements": [{"name": "k_anonymity", "k": 3}, *requirements],
        "columns": {
            "firm": {"role": "identifier"},
            "holding": {"role": "identifier"},
            "nace": {"role": "quasi_identifier"},
            "staff": {"role": "quasi_identifier", "kind": "numeric"},
            "turnover": {"role": turnover, "kind": "numeric"},
            "weight": {"role": "other", "kind": "numeric"},
        },
        "output": {"shuffle": False},
    } | copy.deepcopy(more)
