"""A household survey and its policy, and what a reader counts in its release."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from shoal import datasets

K = 5
PERSON = ("sex", "age", "activity", "education")
KEYS = ("region", *PERSON)
KEY = {"role": "quasi_identifier"}
COLUMNS = {
    "hid": {"role": "household"},
    "pid": {"role": "other", "kind": "numeric"},
    "region": KEY | {"level": "household"},
    "relation": {"role": "other"},
    "sex": KEY,
    "age": KEY | {"kind": "numeric"},
    "activity": KEY,
    "education": KEY | {"kind": "ordinal", "order": list(datasets.CENSUS_EDUCATION_ORDER)},
    "income": {"role": "sensitive", "kind": "numeric"},
}


def household_policy(k: int = K, **more: Any) -> dict[str, Any]:
    """The policy of ``datasets.household_survey``; a new one at every call. Records stay in order, to be compared."""
    policy = {"requirements": [{"name": "k_anonymity", "k": k}], "columns": COLUMNS} | more
    return copy.deepcopy(policy | {"output": {"shuffle": False, **policy.get("output", {})}})


def vectors(table: pa.Table, columns: Sequence[str], household: str = "hid") -> dict[Any, tuple[Any, ...]]:
    """The sorted values of all members, by household; records without a number are left out."""
    members = defaultdict(list)
    for record in table.select([household, *columns]).to_pylist():
        if record[household] is not None:
            members[record[household]].append(tuple(str(record[name]) for name in columns))
    return {number: tuple(sorted(each)) for number, each in members.items()}


def fewest_alike(table: pa.Table, columns: Sequence[str]) -> int:
    """The fewest households that share all values of all their members."""
    return min(Counter(vectors(table, columns).values()).values())


def fewest_households(released: pa.Table, households: Sequence[Any], columns: Sequence[str]) -> int:
    """The fewest different households that have a record in a class. ``households``: that of every record."""
    found = defaultdict(set)
    for record, household in zip(released.select(list(columns)).to_pylist(), households, strict=True):
        found[tuple(record.values())].add(household)
    return min(map(len, found.values()))
