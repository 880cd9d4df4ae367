"""What a plan costs: the intruder solves the figures of a search, stratum by stratum, for values that are not released.

Classification costs a record for everybody who is not of the majority of a block: a plan of one block that costs
nothing says that its stratum has one value. Certainty costs, for every block, its records times its width over the
range of the stratum: as a fraction, its denominator divides the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from attacks.published import Published
from attacks.rates import Rate

MOST_WIDE = 300_000
EXACT = 1e-14


def rate_of_targets(published: Published, truth: dict[str, Sequence[str]], column: str, likeliest: str) -> Rate:
    """Everybody of a stratum that is told to have one value is taken for ``likeliest``; without costs, everybody.
    ``truth``: what the records of every stratum have."""
    sure = [true for true, plan in _strata(published, truth, column) if plan["n_blocks"] == 1 and not plan.get("cost")]
    return Rate(sum(value == likeliest for values in sure for value in values), sum(map(len, sure)))


def rate_of_ranges(published: Published, truth: dict[str, Sequence[int]], column: str, least: int) -> Rate:
    """From the lowest to the highest value of a stratum, exactly. ``least``: ranges below are rare."""
    found = [(_range(plan, least), int(np.ptp(true))) for true, plan in _strata(published, truth, column)]
    return Rate(sum(guess == true for guess, true in found), len(found))


def _strata(published: Published, truth: dict[str, Any], column: str) -> list[tuple[Any, dict[str, Any]]]:
    """What is true and told of each, in the order of the manifest: that of the sorted names."""
    names, plans = sorted(set(published.records[column].to_pylist())), published.manifest["plans"]
    return [(truth[name], plan) for name, plan in zip(names, plans, strict=True)]


def _range(plan: dict[str, Any], least: int) -> int | None:
    if plan["n_blocks"] < 2 or "cost" not in plan:
        return None
    cost = Fraction(plan["cost"]).limit_denominator(MOST_WIDE)
    if abs(float(cost) - plan["cost"]) > EXACT * plan["cost"]:
        return None
    return cost.denominator * -(-least // cost.denominator)
