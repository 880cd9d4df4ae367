"""The minimum spanning tree and its cut, on lists of edges."""

from __future__ import annotations

from reference.mdav import squared_distance
from reference.vmdav import split_large


def spanning_tree(X):
    """(squared length, record, parent) of every record but the first."""
    nearest = {i: (squared_distance(X[i], X[0]), 0) for i in range(1, len(X))}
    edges = []
    while nearest:
        record = min(nearest, key=lambda i: (nearest[i][0], i))
        edges.append((nearest[record][0], record, nearest[record][1]))
        del nearest[record]
        for i, (known, _) in nearest.items():
            if squared_distance(X[i], X[record]) < known:
                nearest[i] = (squared_distance(X[i], X[record]), record)
    return edges


def reached(edges, start):
    """Records connected with the start."""
    found, new = {start}, [start]
    while new:
        node = new.pop()
        for _, a, b in edges:
            for x, y in ((a, b), (b, a)):
                if x == node and y not in found:
                    found.add(y)
                    new.append(y)
    return found


def mst_partition(X, k):
    """Groups as sorted lists of records."""
    X = [list(map(float, row)) for row in X]
    edges = spanning_tree(X)
    for edge in sorted(edges, key=lambda edge: (-edge[0], edge[1])):
        rest = [other for other in edges if other is not edge]
        if len(reached(rest, edge[1])) >= k and len(reached(rest, edge[2])) >= k:
            edges = rest
    parts = {tuple(sorted(reached(edges, i))) for i in range(len(X))}
    return split_large(X, [list(part) for part in sorted(parts)], k)
