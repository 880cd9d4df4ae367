"""MDAV as the paper tells it, record by record."""

from __future__ import annotations

from math import fsum


def squared_distance(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += (x - y) * (x - y)
    return total


def centroid(records):
    return [fsum(column) / len(records) for column in zip(*records, strict=True)]


def mdav(X, k):
    """Groups as lists of records, in the order they are formed."""
    X = [list(map(float, row)) for row in X]
    left = list(range(len(X)))
    groups = []

    def farthest(point):
        return max(left, key=lambda i: (squared_distance(X[i], point), -i))

    def take_around(record):
        members = sorted(left, key=lambda i: (squared_distance(X[i], X[record]), i))[:k]
        groups.append(sorted(members))
        for i in members:
            left.remove(i)

    while len(left) >= 3 * k:
        r = farthest(centroid([X[i] for i in left]))
        take_around(r)
        take_around(farthest(X[r]))
    if len(left) >= 2 * k:
        take_around(farthest(centroid([X[i] for i in left])))
    if left:
        groups.append(left)
    return groups
