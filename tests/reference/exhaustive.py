"""The optimum by looking at every partition into groups of k to 2k - 1 records. Up to a dozen records."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np


def optimum(X, k):
    """The least SSE of any partition into groups of at least k records."""
    X = np.asarray(X, dtype=float)
    n = len(X)

    def sse(group):
        members = X[list(group)]
        return float(((members - members.mean(axis=0)) ** 2).sum())

    @cache
    def best(left):
        if not left:
            return 0.0
        first, rest = left[0], left[1:]
        found = float("inf")
        for size in range(k, min(2 * k, n + 1)):
            for others in combinations(rest, size - 1):
                remaining = tuple(i for i in rest if i not in others)
                if len(remaining) >= k or not remaining:
                    found = min(found, sse((first, *others)) + best(remaining))
        return found

    return best(tuple(range(n)))
