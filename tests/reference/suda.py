"""Minimal sample uniques by looking at every set of columns, the smaller ones first."""

from __future__ import annotations

from collections import Counter
from itertools import combinations


def minimal_sample_uniques(records, max_size):
    """For every record the sets of columns on which it is alone, and on no part of which it is."""
    d = len(records[0])
    found = [[] for _ in records]
    for size in range(1, max_size + 1):
        for columns in combinations(range(d), size):
            keys = [tuple(record[j] for j in columns) for record in records]
            counts = Counter(keys)
            for at, key in enumerate(keys):
                if counts[key] == 1 and not any(set(smaller) < set(columns) for smaller in found[at]):
                    found[at].append(columns)
    return found
