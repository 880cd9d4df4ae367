"""The two paths of MHM, step by step."""

from __future__ import annotations

from reference.mdav import centroid, mdav, squared_distance


def nearest_next(X, start, among):
    """From the point ``start`` always on to the nearest of ``among`` not yet visited."""
    path, left, here = [], set(among), start
    while left:
        _, record = min((squared_distance(X[i], here), i) for i in left)
        path.append(record)
        left.remove(record)
        here = X[record]
    return path


def npn_path(X):
    X = [list(map(float, row)) for row in X]
    middle = centroid(X)
    first = max(range(len(X)), key=lambda i: (squared_distance(X[i], middle), -i))
    return [first, *nearest_next(X, X[first], set(range(len(X))) - {first})]


def mdav_path(X, k):
    X = [list(map(float, row)) for row in X]
    middle = centroid(X)
    first = max(range(len(X)), key=lambda i: (squared_distance(X[i], middle), -i))
    groups = mdav(X, k)
    centroids = [centroid([X[i] for i in group]) for group in groups]
    start = next(g for g, group in enumerate(groups) if first in group)
    others = set(range(len(groups))) - {start}
    path = []
    for g in [start, *nearest_next(centroids, centroids[start], others)]:
        path += nearest_next(X, X[path[-1]] if path else X[first], groups[g])
    return path
