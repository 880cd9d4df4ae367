"""mu-Approx on sets and dictionaries."""

from __future__ import annotations

from reference.mdav import squared_distance
from reference.vmdav import split_large


def forest(X, k):
    """(record, record it points to) for every record that is not a root."""
    trees = [{"root": i, "records": {i}} for i in range(len(X))]
    edges = []

    def wish(tree):
        outside = set(range(len(X))) - tree["records"]
        distance, other = min((squared_distance(X[tree["root"]], X[i]), i) for i in outside)
        return distance, -tree["root"], other

    while small := [tree for tree in trees if len(tree["records"]) < k]:
        tree = max(small, key=lambda tree: wish(tree)[:2])
        other = wish(tree)[2]
        edges.append((tree["root"], other))
        trees.remove(tree)
        next(t for t in trees if other in t["records"])["records"] |= tree["records"]
    return edges


def side(edges, here, there):
    """Nodes beyond the edge from here to there."""
    found, new = {there}, [there]
    while new:
        node = new.pop()
        for a, b in edges:
            for x, y in ((a, b), (b, a)):
                if x == node and y not in found and {x, y} != {here, there}:
                    found.add(y)
                    new.append(y)
    return found


def neighbors(edges, node):
    return sorted([b for a, b in edges if a == node] + [a for a, b in edges if b == node])


def cut(edges, nodes, n, k, copies):
    """Groups of records; nodes of n and more weigh nothing. ``copies`` counts them."""

    def weigh(some):
        return sum(node < n for node in some)

    total = weigh(nodes)
    if total <= max(2 * k - 1, 3 * k - 5):
        return [sorted(node for node in nodes if node < n)]
    # Any start reaches a cut, but not always the same one.
    here = nodes[0]
    while True:
        around = neighbors(edges, here)
        weight = {other: weigh(side(edges, here, other)) for other in around}
        heaviest = max(around, key=lambda other: (weight[other], -around.index(other)))
        rest = total - weight[heaviest]
        if weight[heaviest] >= k and rest >= k:
            left = [edge for edge in edges if set(edge) != {here, heaviest}]
            return parts(left, [here, heaviest], n, k, copies)
        if rest == k - 1 and heaviest < n:
            return parts(*torn(edges, heaviest, [here], True, n, copies), n, k, copies)
        if rest > k - 1:
            break
        here = heaviest
    gathered = []
    own = weigh([here])
    for other in sorted(around, key=lambda other: -weight[other]):
        if sum(weight[g] for g in gathered) + own >= k:
            break
        gathered.append(other)
    held = sum(weight[g] for g in gathered)
    takes_node = held < k
    if total - held - (own if takes_node else 0) < k:
        return [sorted(node for node in nodes if node < n)]
    return parts(*torn(edges, here, gathered, takes_node, n, copies), n, k, copies)


def torn(edges, node, gathered, takes_node, n, copies):
    """The edges once ``node`` is split in itself and a copy, and the two."""
    moved = [o for o in neighbors(edges, node) if o not in gathered] if takes_node else gathered
    copy = n + len(copies)
    copies.append(copy)
    kept = [edge for edge in edges if not (node in edge and set(edge) & set(moved))]
    return kept + [(copy, other) for other in moved], [node, copy]


def parts(edges, starts, n, k, copies):
    found = []
    for start in reversed(starts):  # the kernel works from the top of its stack
        nodes = [start, *sorted(set().union(*(side(edges, start, o) for o in neighbors(edges, start))) - {start})]
        inside = [edge for edge in edges if edge[0] in nodes]
        found += cut(inside, nodes, n, k, copies)
    return found


def mu_approx(X, k):
    """Groups as sorted lists of records."""
    X = [list(map(float, row)) for row in X]
    edges = forest(X, k)
    roots = sorted(set(range(len(X))) - {a for a, _ in edges}, reverse=True)
    groups = parts(edges, roots, len(X), k, [])
    return split_large(X, groups, k)
