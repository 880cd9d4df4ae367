"""The best partition by trying all of them, and the best cut of a sequence by trying every cut."""

from __future__ import annotations

from fractions import Fraction
from functools import cache


def squared_error(records):
    """Exact, as a fraction."""
    total = Fraction(0)
    for column in zip(*records, strict=True):
        exact = [Fraction(value) for value in column]
        mean = sum(exact) / len(exact)
        total += sum((value - mean) ** 2 for value in exact)
    return total


def partitions(records, k):
    """All partitions of a list into groups of k or more."""

    def extend(left, groups):
        if not left:
            if all(len(group) >= k for group in groups):
                yield [list(group) for group in groups]
            return
        first, *others = left
        lacking = sum(max(0, k - len(group)) for group in groups)
        if lacking > len(left):
            return
        for group in groups:
            group.append(first)
            yield from extend(others, groups)
            group.pop()
        yield from extend(others, [*groups, [first]])

    yield from extend(list(records), [])


def least_error(X, k):
    """Of all partitions into groups of k or more."""

    @cache
    def error(group):
        return float(squared_error([X[i] for i in group]))

    return min(sum(error(tuple(group)) for group in found) for found in partitions(range(len(X)), k))


def least_error_of_a_cut(X, path, k):
    """Of all ways to cut the path into runs of k or more."""

    @cache
    def cost(end):
        if end == 0:
            return Fraction(0)
        found = [
            cost(start) + squared_error([X[i] for i in path[start:end]])
            for start in range(end - k + 1)
            if cost(start) is not None
        ]
        return min(found) if found else None

    return cost(len(path))
