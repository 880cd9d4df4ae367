"""V-MDAV as the paper tells it, record by record."""

from __future__ import annotations

from reference.mdav import centroid, mdav, squared_distance


def vmdav(X, k, gain, leftovers="record", split=False):
    """Groups as sorted lists of records, in the order they are formed; ``gain`` is on squared distances."""
    X = [list(map(float, row)) for row in X]
    middle = centroid(X)
    left = set(range(len(X)))
    groups = []

    def near(record, among):
        return sorted((squared_distance(X[record], X[other]), other) for other in among)

    while len(left) >= k:
        start = max(left, key=lambda i: (squared_distance(X[i], middle), -i))
        group = [record for _, record in near(start, left)[:k]]
        left -= set(group)
        while len(group) < 2 * k - 1 and len(left) > 1:
            d_in, nearest = min(near(member, left)[0] for member in group)
            d_out = near(nearest, left - {nearest})[0][0]
            if not d_in < gain * d_out:
                break
            group.append(nearest)
            left.remove(nearest)
        groups.append(group)

    formed = [list(group) for group in groups]
    for record in sorted(left):
        if leftovers == "record":
            _, neighbor = near(record, set(range(len(X))) - left)[0]
            closest = next(g for g, group in enumerate(formed) if neighbor in group)
        else:
            centroids = [centroid([X[i] for i in sorted(group)]) for group in formed]
            closest = min(range(len(formed)), key=lambda g: (squared_distance(X[record], centroids[g]), g))
        groups[closest].append(record)
    groups = [sorted(group) for group in groups]
    return split_large(X, groups, k) if split else groups


def split_large(X, groups, k):
    """Groups of 2k or more in the parts that MDAV makes of them; the first part stays in its place."""
    kept, added = [], []
    for group in groups:
        parts = [group]
        if len(group) >= 2 * k:
            parts = [[group[m] for m in part] for part in mdav([X[i] for i in group], k)]
        kept.append(parts[0])
        added += parts[1:]
    return kept + added
