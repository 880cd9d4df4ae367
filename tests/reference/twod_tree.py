"""A 2^d-tree as the paper tells it: nodes divided one by one, small leaves joined one by one."""

from __future__ import annotations

UNITS = 2**32


def shares(X, dimensions=None):
    """Where every value lies in the range of its column, 0 to 1."""
    columns = [list(map(float, column)) for column in zip(*X, strict=True)]
    found = []
    for column in columns:
        low, high = min(column), max(column)
        found.append([(x - low) / (high - low) if high > low else 0.0 for x in column])
    return [[found[j][i] for j in dimensions or range(len(columns))] for i in range(len(X))]


def leaves(X, limit, dimensions=None):
    """Records of every leaf that holds any, in the order of the children: upper half of the first dimension last."""
    places = shares(X, dimensions)
    d = len(places[0])

    def divide(records, low, size, level):
        if len(records) <= limit or level == 32:
            return [records] if records else []
        found = []
        for child in range(2**d):
            corner = [low[j] + size / 2 * (child >> (d - 1 - j) & 1) for j in range(d)]
            inside = [i for i in records if all(is_in(places[i][j], corner[j], size / 2) for j in range(d))]
            found += divide(inside, corner, size / 2, level + 1)
        return found

    return divide(list(range(len(X))), [0.0] * d, 1.0, 0)


def is_in(share, low, size):
    return low <= share < low + size or (share == 1.0 and low + size == 1.0)


def fused(X, parts, k):
    """Every small leaf joins the nearest centroid, all at once, until none is small."""
    positions = [[min(int(share * UNITS), UNITS - 1) for share in record] for record in shares(X)]
    lower = [min(map(float, column)) for column in zip(*X, strict=True)]
    upper = [max(map(float, column)) for column in zip(*X, strict=True)]
    while len(parts) > 1 and any(len(part) < k for part in parts):
        centers = [center([positions[i] for i in part], lower, upper) for part in parts]
        into = list(range(len(parts)))
        for small in (at for at, part in enumerate(parts) if len(part) < k):
            others = (at for at in range(len(parts)) if at != small)
            nearest = min(others, key=lambda at: (squared(centers[small], centers[at]), at))
            old, new = into[small], into[nearest]
            into = [min(old, new) if at in (old, new) else at for at in into]
        parts = [
            sorted(i for at, part in enumerate(parts) if into[at] == kept for i in part) for kept in sorted(set(into))
        ]
    return parts


def center(positions, lower, upper):
    n = len(positions)
    means = [sum(column) / n / UNITS for column in zip(*positions, strict=True)]
    return [low + (high - low) * mean for low, high, mean in zip(lower, upper, means, strict=True)]


def squared(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += (x - y) * (x - y)
    return total
