"""Self-organizing maps the slow way: every pair of units, every pair of record and unit, one number after the other."""

from __future__ import annotations

import math
from itertools import product


def place(unit, columns, form):
    row, column = divmod(unit, columns)
    return (column + 0.5 * (row % 2), row * math.sqrt(0.75)) if form == "hexagonal" else (float(column), float(row))


def lattice_distance(a, b, rows, columns, form, shape):
    """The shortest way on the sheet, around the cylinder or around the toroid."""
    (ax, ay), (bx, by) = place(a, columns, form), place(b, columns, form)
    height = rows * (math.sqrt(0.75) if form == "hexagonal" else 1.0)
    around_x = (-columns, 0, columns) if shape != "sheet" else (0,)
    around_y = (-height, 0.0, height) if shape == "toroid" else (0.0,)
    return min(math.hypot(ax - bx + dx, ay - by + dy) for dx, dy in product(around_x, around_y))


def neighbors(unit, rows, columns, form, shape):
    """Those at distance 1; in a rectangular lattice those across a corner too."""
    reach = 1.01 if form == "hexagonal" else 1.42
    near = (u for u in range(rows * columns) if u != unit)
    return [u for u in near if lattice_distance(unit, u, rows, columns, form, shape) <= reach]


def squared(x, unit):
    return sum((a - b) ** 2 for a, b in zip(x, unit, strict=True) if not math.isnan(a))


def nearest(x, units, but=None):
    return min((u for u in range(len(units)) if u != but), key=lambda u: (squared(x, units[u]), u))


def batch_step(X, units, radius, rows, columns, form, shape):
    """Every unit at the mean of all records, weighted by how far their units are from it."""
    winners = [nearest(x, units) for x in X]
    moved = []
    for u, old in enumerate(units):
        pull = [math.exp(-(lattice_distance(u, w, rows, columns, form, shape) ** 2) / (2 * radius**2)) for w in winners]
        known = [[(p, x[j]) for p, x in zip(pull, X, strict=True) if not math.isnan(x[j])] for j in range(len(old))]
        sums = [(sum(p for p, _ in pairs), sum(p * value for p, value in pairs)) for pairs in known]
        moved.append([total / weight if weight > 0 else at for (weight, total), at in zip(sums, old, strict=True)])
    return moved


def kohonen_steps(X, units, radius, rate, rows, columns, form, shape):
    units = [list(unit) for unit in units]
    for x in X:
        winner = nearest(x, units)
        for u, unit in enumerate(units):
            distance = lattice_distance(u, winner, rows, columns, form, shape)
            weight = rate * math.exp(-(distance**2) / (2 * radius**2))
            for j, value in enumerate(x):
                if not math.isnan(value):
                    unit[j] += weight * (value - unit[j])
    return units


def fused(X, winners, k, n_units, next_to):
    """Groups of records: the smallest part joins the closest one around it, until all have k records."""
    parts = [({u}, [i for i, w in enumerate(winners) if w == u]) for u in range(n_units)]
    parts = [part for part in parts if part[1]]

    while len(parts) > 1 and min(len(records) for _, records in parts) < k:
        part = min(parts, key=lambda p: (len(p[1]), _number(p)))
        closest = _closest(X, part, parts, next_to)
        parts.remove(part)
        parts[parts.index(closest)] = ((closest[0] | part[0]), sorted(closest[1] + part[1]))
    return sorted(records for _, records in parts)


def fused_at_once(X, winners, k, n_units, next_to):
    """The same as published: in every round, each part that is too small joins the closest one around it."""
    parts = [({u}, [i for i, w in enumerate(winners) if w == u]) for u in range(n_units)]
    parts = [part for part in parts if part[1]]
    while len(parts) > 1 and min(len(records) for _, records in parts) < k:
        joined = [{at} for at in range(len(parts))]
        for at, part in enumerate(parts):
            if len(part[1]) < k:
                to = parts.index(_closest(X, part, parts, next_to))
                one, other = (next(each for each in joined if place in each) for place in (at, to))
                if one is not other:
                    joined.remove(other)
                    one |= other
        merged = [[parts[at] for at in sorted(places)] for places in joined]
        parts = [(set().union(*(p[0] for p in each)), sorted(i for p in each for i in p[1])) for each in merged]
        parts.sort(key=_number)
    return sorted(records for _, records in parts)


def _closest(X, part, parts, next_to):
    """Of the parts in the nearest ring around it that has any, the one with the closest centroid."""

    def centroid(records):
        return [sum(X[i][j] for i in records) / len(records) for j in range(len(X[0]))]

    seen, around = set(part[0]), []
    ring = seen
    while not around:
        ring = {v for u in ring for v in next_to[u]} - seen
        around = [other for other in parts if other is not part and other[0] & ring]
        seen = seen | ring
    here = centroid(part[1])
    return min(around, key=lambda p: (squared(here, centroid(p[1])), _number(p)))


def _number(part):
    return min(part[0])


def shortest_ways(units, next_to):
    """Floyd and Warshall: the length of the shortest way along the map between all units."""
    n = len(units)
    ways = [[0.0 if a == b else math.inf for b in range(n)] for a in range(n)]
    for a in range(n):
        for b in next_to[a]:
            ways[a][b] = math.sqrt(squared(units[a], units[b]))
    for via, a, b in product(range(n), repeat=3):
        ways[a][b] = min(ways[a][b], ways[a][via] + ways[via][b])
    return ways


def davies_bouldin(points, labels):
    clusters = [[x for x, label in zip(points, labels, strict=True) if label == c] for c in sorted(set(labels))]
    centers = [[sum(column) / len(members) for column in zip(*members, strict=True)] for members in clusters]
    spreads = [
        sum(math.sqrt(squared(x, center)) for x in members) / len(members)
        for members, center in zip(clusters, centers, strict=True)
    ]
    others = range(len(clusters))
    worst = [
        max((spreads[i] + spreads[j]) / math.sqrt(squared(centers[i], centers[j])) for j in others if j != i)
        for i in others
    ]
    return sum(worst) / len(worst)
