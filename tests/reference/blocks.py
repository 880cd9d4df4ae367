"""Slow, obvious twins of cut trees and strict Mondrian: one record at a time, by what the extents say."""

from __future__ import annotations

from datetime import date, timedelta

from shoal.plan import AnyExtent, Interval, MissingExtent, TaxonomyNode


def lies_in(value, extent, path=None):
    """``path``: the value and the nodes above it."""
    match extent:
        case AnyExtent():
            return True
        case MissingExtent():
            return value is None
        case Interval(low, high):
            number = (value - date(1970, 1, 1)) / timedelta(1) if isinstance(value, date) else value
            return value is not None and (low is None or number >= low) and (high is None or number < high)
        case TaxonomyNode(label, level):
            return value is not None and path[level] == label
        case _:
            return str(value) in extent.values


def has_missing(tree, block, name):
    column = tree.columns.index(name)
    part = tree.parts[column][tree.block_parts[block, column]]
    return part.ranges[-1][1] > tree.domains[column].n_values


def blocks_of(record, tree, paths):
    """All blocks whose extents hold the record; ``paths``: column -> value -> path.

    All known values are written as ``*``, too: a missing value is only in those blocks that have it.
    """
    found = []
    for block in range(tree.n_blocks):
        extents = {name: e.distinct[e.of_group[block]] for name, e in tree.extents.items()}
        inside = (lies_in(record[c], extents[c], paths.get(c, {}).get(str(record[c]))) for c in tree.columns)
        if all(inside) and all(record[c] is not None or has_missing(tree, block, c) for c in tree.columns):
            found.append(block)
    return found


def strict_mondrian(records, k):
    """Groups of record numbers; records are tuples of numbers, every one a column on a line."""
    d = len(records[0])
    spread = [max(r[j] for r in records) - min(r[j] for r in records) or 1 for j in range(d)]

    def best_cost(n):
        return n * n / max(int(n / (1.1 * k)), 1)

    def cut(rows):
        tried = []
        for j in range(d):
            values = sorted({records[i][j] for i in rows})
            cuts = []
            for value in values[1:]:
                left = sum(records[i][j] < value for i in rows)
                right = len(rows) - left
                if min(left, right) >= k:
                    at_best = best_cost(left) + best_cost(right) if len(rows) < 4 * k else 0
                    cuts.append((at_best, left * left + right * right, j, value))
            if cuts:
                tried.append((-(values[-1] - values[0]) / spread[j], *min(cuts)))
        if not tried:
            return [rows]
        *_, j, value = min(tried)
        left = [i for i in rows if records[i][j] < value]
        return cut(left) + cut([i for i in rows if records[i][j] >= value])

    return cut(list(range(len(records))))
