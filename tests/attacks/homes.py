"""Households told apart by all of their members.

The intruder holds the original and the released numbers of households. What noise or exchange did to one person hides
them; every pair of an original and a released household of one size is compared by the best assignment of its members,
and then all households are assigned one to one, by the lowest sum of costs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from attacks.rates import Rate

FAR = 1e6  # cost of households of different sizes

Costs = NDArray[Any]  # (n_persons, n_records) minus the log likelihood of every pair, up to what all pairs share


def found(costs: Costs, ours: Sequence[Any], theirs: Sequence[Any], truth: NDArray[Any]) -> Rate:
    """``ours``, ``theirs``: the household of every person and of every record; ``truth``: the record of each person."""
    known, shown = _members(ours), _members(theirs)
    sums, assigned = np.full((len(known), len(shown)), FAR), {}
    for at, (persons, records) in ((at, (known[at[0]], shown[at[1]])) for at in np.ndindex(sums.shape)):
        if len(persons) == len(records):
            part = costs[np.ix_(persons, records)]
            rows, columns = linear_sum_assignment(part)
            sums[at], assigned[at] = part[rows, columns].sum(), records[columns]
    pairs = [
        (known[a], assigned[a, b]) for a, b in zip(*linear_sum_assignment(sums), strict=True) if (a, b) in assigned
    ]
    return Rate(sum(int((truth[persons] == records).sum()) for persons, records in pairs), len(truth))


def _members(households: Sequence[Any]) -> list[NDArray[Any]]:
    members: dict[Any, list[int]] = defaultdict(list)
    for at, household in enumerate(households):
        members[household].append(at)
    return [np.array(each) for each in members.values()]
