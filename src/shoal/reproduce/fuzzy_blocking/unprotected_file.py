"""Linkage blocking under accidental errors, which the paper leaves as future work.

A roster of names and addresses is blocked against a copy with typing errors. All methods leave about one pair in
twenty; results are means over the thirty quantifiers for fuzzy blocking, over the five columns for the others.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from shoal import datasets
from shoal.linkage.fuzzy_blocking import FuzzyBlocking
from shoal.linkage.linkage_blocking import LinkageBlocking
from shoal.linkage.linkage_tables import LinkageTables, encode_linkage_tables
from shoal.linkage.quantifiers import published_quantifiers
from shoal.linkage.sorted_neighborhood import SortedNeighborhood
from shoal.linkage.standard_blocking import StandardBlocking
from shoal.schema import Column, Schema

FIELDS = ("given_name", "surname", "street", "town", "birth_year")
N_BLOCKS = 20
NONE: dict[str, float] = {"typos": 0.0, "misspellings": 0.0, "missing": 0.0, "swaps": 0.0}
NOISES: dict[str, dict[str, float]] = {
    "typos in 10 %": {**NONE, "typos": 0.1},
    "misspellings in 10 %": {**NONE, "misspellings": 0.1},
    "missing 10 %": {**NONE, "missing": 0.1},
    "given name and surname swapped in 20 %": {**NONE, "swaps": 0.2},
    "a little of all": {"typos": 0.05, "misspellings": 0.05, "missing": 0.02, "swaps": 0.05},
}


def files(n_persons: int) -> dict[str, str]:
    rows = recalls(n_persons)
    return {"unprotected.json": json.dumps(rows, indent=2), "unprotected.md": _markdown(rows)}


def recalls(n_persons: int) -> list[dict[str, Any]]:
    """Recall and share of pairs, in %, by kind of error and blocking method."""
    roster = datasets.roster(n_persons, seed=0)
    schema = Schema(Column(name, "quasi_identifier", "nominal") for name in FIELDS)
    ways: dict[str, LinkageBlocking] = {
        "fuzzy": FuzzyBlocking([q for family in published_quantifiers().values() for q in family], n_blocks=N_BLOCKS),
        "standard": StandardBlocking(FIELDS),
        "sorted": SortedNeighborhood(FIELDS, window=1 / N_BLOCKS),
    }
    rows = []
    for noise, shares in NOISES.items():
        twin = datasets.corrupt(roster, columns=FIELDS, swapped=[("given_name", "surname")], seed=0, **shares)
        sides = encode_linkage_tables(roster, twin, schema)
        rows += [{"noise": noise, "blocking": name, **_means(way, sides)} for name, way in ways.items()]
    return rows


def _means(blocking: LinkageBlocking, sides: LinkageTables) -> dict[str, float]:
    """Means (and the best recall) over the passes, each evaluated separately."""
    everybody = np.arange(sides.n_original)
    passes = blocking.candidates(sides).passes
    found = [runs.contains(everybody, everybody).mean() for runs in passes]
    pairs = [runs.sizes.sum() / (sides.n_original * sides.n_released) for runs in passes]
    return {
        "recall": 100 * float(np.mean(found)),
        "best_recall": 100 * float(np.max(found)),
        "pairs": 100 * float(np.mean(pairs)),
    }


def _markdown(rows: list[dict[str, Any]]) -> str:
    head = "| noise | blocking | mean recall, % | best recall, % | pairs, % |\n|---|---|---:|---:|---:|\n"
    body = "".join(
        f"| {row['noise']} | {row['blocking']} "
        f"| {row['recall']:.1f} | {row['best_recall']:.1f} | {row['pairs']:.1f} |\n"
        for row in rows
    )
    return f"# Blocking under accidental noise\n\n{head}{body}"
