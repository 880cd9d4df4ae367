"""MDAV as the paper tells it, record by record."""

from __future__ import annotations

from math import fsum


def squared_distance(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += (x - y) * (x - y)
    return total


def centroid(records, members=None):
    members = members or [1] * len(records)
    n = sum(members)
    return [fsum(m * x for m, x in zip(members, column, strict=True)) / n for column in zip(*records, strict=True)]


def mdav(X, k, members=None):
    """Groups as sorted lists of units, in the order they are formed. Records are units of one member."""
    X = [list(map(float, row)) for row in X]
    members = members or [1] * len(X)
    left = list(range(len(X)))
    groups = []

    def size(units):
        return sum(members[i] for i in units)

    def farthest(point):
        return max(left, key=lambda i: (squared_distance(X[i], point), -i))

    def farthest_from_centroid():
        return farthest(centroid([X[i] for i in left], [members[i] for i in left]))

    def take_around(unit):
        group = []
        for i in sorted(left, key=lambda i: (squared_distance(X[i], X[unit]), i)):
            if size(group) < k:
                group.append(i)
        rest = [i for i in left if i not in group]
        if size(rest) < k:
            group, rest = group + rest, []
        groups.append(sorted(group))
        left[:] = rest

    while size(left) >= 2 * k:
        r = farthest_from_centroid()
        two = size(left) >= 3 * k
        take_around(r)
        if two and size(left) >= 2 * k:
            take_around(farthest(X[r]))
    if left:
        groups.append(left)
    return groups
