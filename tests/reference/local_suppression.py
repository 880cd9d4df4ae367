"""Slow, obvious twins of local suppression: the optimum of tiny tables, and counting record against record.

A record is a tuple of values, None for a missing one; ``prices`` are what a blank of every column costs.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product


def group_cost(records, prices):
    """What it costs to make records alike: a column in which they differ is blanked, where it is not missing anyway."""
    differs = [len({record[j] for record in records}) > 1 for j in range(len(prices))]
    return sum(prices[j] for record in records for j, value in enumerate(record) if differs[j] and value is not None)


def fewest_blanks(records, prices, k):
    """A blank equals only a blank: the best division into groups. One of 2k records is no better than two of k."""

    @cache
    def best(left):
        if not left:
            return 0
        first, *others = left
        found = float("inf")
        for size in range(k - 1, min(2 * k - 1, len(left))):
            for chosen in combinations(others, size):
                rest = tuple(i for i in others if i not in chosen)
                cost = group_cost([records[i] for i in (first, *chosen)], prices)
                found = min(found, cost + best(rest))
        return found

    return best(tuple(range(len(records))))


def matches(a, b):
    return all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))


def wildcard_sizes(records):
    return [sum(matches(a, b) for b in records) for a in records]


def fewest_wildcards(records, prices, k):
    """A blank matches every value: the best of all choices of cells."""
    choices = list(product([False, True], repeat=len(prices)))
    found = float("inf")
    for cells in product(choices, repeat=len(records)):
        cost = sum(
            prices[j]
            for r, c in zip(records, cells, strict=True)
            for j in range(len(prices))
            if c[j] and r[j] is not None
        )
        if cost < found:
            released = [
                tuple(None if b else v for v, b in zip(r, c, strict=True)) for r, c in zip(records, cells, strict=True)
            ]
            if min(wildcard_sizes(released)) >= k:
                found = cost
    return found


def distinct_units(units):
    """How many units there are; a record without one (None) is a unit of its own."""
    listed = list(units)
    return len(set(listed) - {None}) + listed.count(None)


def partitions(items):
    """All divisions of a list into groups."""
    if not items:
        yield []
        return
    first, *others = items
    for division in partitions(others):
        yield [[first], *division]
        for at, group in enumerate(division):
            yield [*division[:at], [first, *group], *division[at + 1 :]]


def fewest_blanks_of_units(records, units, prices, k):
    """A blank equals only a blank: the best of all divisions into groups of k different units and more."""
    return min(
        sum(group_cost([records[i] for i in group], prices) for group in division)
        for division in partitions(list(range(len(records))))
        if all(distinct_units(units[i] for i in group) >= k for group in division)
    )
