"""Tables as they come: sorted, skewed, clustered, labeled, nested. Even draws hide what these show.

Every table has the same columns and is told by one policy, so that any law can be tested on all of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from survey_example import in_order

Chance = np.random.Generator
Points = NDArray[np.float64]

GRADES = ["low", "middle", "high"]
DISEASES = np.array(["none", "cold", "flu", "rare"])


def sorted_points(chance: Chance, n: int, d: int) -> Points:
    """Lognormal, by their first column: a batch of neighbors sees one corner of the space."""
    drawn = skewed_points(chance, n, d)
    return drawn[np.argsort(drawn[:, 0], kind="stable")]


def skewed_points(chance: Chance, n: int, d: int) -> Points:
    """Lognormal: nearly all records in one cell, a few very far out."""
    return chance.lognormal(0, 3, (n, d))


def clustered_points(chance: Chance, n: int, d: int) -> Points:
    """Far clusters of a narrow width, one after the other."""
    centers = chance.normal(0, 100, (4, d))
    return centers[np.sort(chance.integers(0, 4, n))] + chance.normal(0, 0.1, (n, d))


def labeled_points(chance: Chance, n: int, d: int) -> Points:
    """Codes of labels, the frequent ones very frequent: nearly all records are alike."""
    return np.minimum(chance.geometric(0.5, (n, d)), 9).astype(float)


def nested_points(chance: Chance, n: int, d: int) -> Points:
    """Clusters inside of clusters, each a hundred times narrower than the one around it."""
    return sum(chance.integers(0, 3, (n, d)) * 100.0**-level for level in range(3))


POINTS: dict[str, Callable[[Chance, int, int], Points]] = {
    "sorted": sorted_points,
    "skewed": skewed_points,
    "clustered": clustered_points,
    "labeled": labeled_points,
    "nested": nested_points,
}


def points(shape: str, n: int, d: int, seed: int = 0) -> Points:
    return np.ascontiguousarray(POINTS[shape](np.random.default_rng(seed), n, d))


def table(shape: str, n: int = 400, seed: int = 0) -> pa.Table:
    """``income`` and ``age`` of the shape, ``region`` a code inside of codes, ``grade`` and ``disease`` of labels."""
    chance = np.random.default_rng(seed)
    drawn = POINTS[shape](chance, n, 2)
    codes = nested_codes(chance, n) if shape in ("nested", "clustered") else skewed_codes(chance, n)
    grades = np.minimum(chance.geometric(0.6, n), 3) - 1
    made = pa.table(
        {
            "income": np.round(drawn[:, 0], 6),
            "age": np.round(drawn[:, 1], 3),
            "region": codes,
            "grade": [GRADES[grade] for grade in grades],
            "disease": DISEASES[np.minimum(chance.geometric(0.5, n), len(DISEASES)) - 1],
        }
    )
    return made.sort_by(ORDERS[shape]) if shape in ORDERS else made


ORDERS = {"sorted": "income", "labeled": "region", "nested": "region"}  # the records of a label come together


def nested_codes(chance: Chance, n: int) -> list[str]:
    """Land, county and town in one code, as 0123: towns of a county share their first two signs."""
    return [f"{land:02}{county}{town}" for land, county, town in chance.integers(0, 3, (n, 3))]


def skewed_codes(chance: Chance, n: int) -> list[str]:
    return [f"0{code}00" for code in np.minimum(chance.geometric(0.4, n), 9)]


def policy(k: int = 3, **more: Any) -> dict[str, Any]:
    """What an intruder can do with the columns; a new dictionary at every call."""
    return in_order(
        {
            "requirements": [{"name": "k_anonymity", "k": k}],
            "columns": {
                "income": {"role": "quasi_identifier", "kind": "numeric"},
                "age": {"role": "quasi_identifier", "kind": "numeric"},
                "region": {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"prefixes": [3, 2]}},
                "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": GRADES.copy()},
                "disease": {"role": "sensitive"},
            },
        }
        | copy.deepcopy(more)
    )
