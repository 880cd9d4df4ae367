"""Chance drawn again: the intruder has the tool, the policy with its seed, and guesses of the key.

Two things are undone. New numbers of households: a made-up table with as many households, numbered in their order, is
protected by the same policy, and shows which new number belongs to which household. Noise: a made-up table that has one
and the same candidate in every stratum is protected, for every candidate; where a released stratum is met, it is known.
``protect`` is the tool that made the release.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

import shoal
from attacks.published import Protect, Published
from attacks.rates import Rate

VALUES = (1000.1234567, 1001.2345678, 1002.3456789, 1003.4567891)  # of one range of digits, whichever two there are


def households_numbered(published: Published, key: bytes, protect: Protect = shoal.protect) -> dict[int, int]:
    """The original number of every new one, where original numbers are 0, 1, ... of the same width."""
    n = max(map(int, published.records["household"].to_pylist()))
    dummy = pa.table(
        {
            "household": [f"{at:06}" for at in range(n)],
            "x": np.zeros(n),
            "illness": ["a", "b"] * (n // 2),
            "name": ["nobody"] * n,
        }
    )
    released = protect(dummy, published.policy, key=key).records
    return dict(zip(map(int, released["household"].to_pylist()), range(n), strict=True))


def household_rate(published: Published, truth: dict[str, str], key: bytes, protect: Protect = shoal.protect) -> Rate:
    """``truth``: the original household of every person, who is told by a column that stays."""
    guessed = households_numbered(published, key, protect)
    records = published.records.to_pylist()
    right = [f"{guessed.get(int(record['household']), -1):06}" == truth[record["name"]] for record in records]
    return Rate(sum(right), len(right))


def noisy_pairs(published: Published, key: bytes, protect: Protect) -> dict[str, list[tuple[float, float]]]:
    """Of every stratum of two, the pairs of values that give what was released."""
    seen: dict[str, list[str]] = {}
    for record in published.records.to_pylist():
        seen.setdefault(record["stratum"], []).append(record["x"])
    found: dict[str, list[tuple[float, float]]] = {stratum: [] for stratum in seen}
    for pair in product(VALUES, repeat=2):
        if pair[0] == pair[1]:
            continue  # noise needs two values that differ
        for stratum, values in _released(published.policy, sorted(seen), pair, partial(protect, key=key)).items():
            if sorted(values) == sorted(map(float, seen[stratum])):
                found[stratum].append(pair)
    return found


def _released(
    policy: dict[str, Any], strata: list[str], pair: tuple[float, float], protect: Protect
) -> dict[str, list[float]]:
    dummy = pa.table({"stratum": np.repeat(strata, 2), "x": list(pair) * len(strata)})
    released = protect(dummy, policy).records.to_pydict()
    values: dict[str, list[float]] = {}
    for stratum, value in zip(released["stratum"], released["x"], strict=True):
        values.setdefault(stratum, []).append(float(value))
    return values


def noise_rate(
    published: Published, truth: dict[str, tuple[float, float]], key: bytes, protect: Protect = shoal.protect
) -> Rate:
    guessed = noisy_pairs(published, key, protect)
    return Rate(sum(guessed[stratum] == [truth[stratum]] for stratum in truth), len(truth))
