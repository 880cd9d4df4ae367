"""The least SSE of all partitions into groups of at least k records, by listing them."""

from __future__ import annotations

from reference.mdav import centroid, squared_distance


def partitions(records, k):
    """All partitions of a list of records into groups of at least k."""
    if not records:
        yield []
        return
    first, others = records[0], records[1:]
    for chosen in range(1 << len(others)):
        group = [first, *(each for at, each in enumerate(others) if chosen >> at & 1)]
        if len(group) >= k:
            rest = [each for at, each in enumerate(others) if not chosen >> at & 1]
            for parts in partitions(rest, k):
                yield [group, *parts]


def least_sse(X, k):
    X = [list(map(float, row)) for row in X]

    def sse(group):
        middle = centroid([X[i] for i in group])
        return sum(squared_distance(X[i], middle) for i in group)

    return min(sum(map(sse, parts)) for parts in partitions(list(range(len(X))), k))
