"""Every box of a small table that satisfies the requirements, one by one."""

from itertools import product
from math import prod

import numpy as np


def parts_of(attribute):
    """(start, stop, node) of everything that a block can be on a column."""
    for number, node in enumerate(attribute.nodes):
        if node.rule.name == "LINE":
            starts = range(node.start, node.stop)
            yield from ((a, b, number) for a in starts for b in range(a + 1, node.stop + 1))
        else:
            yield node.start, node.stop, number


def all_blocks(coded, loss, classes=None):
    """The rows of each of them, and its loss."""
    for box in product(*map(parts_of, coded.attributes)):
        inside = [(coded.codes[:, j] >= part[0]) & (coded.codes[:, j] < part[1]) for j, part in enumerate(box)]
        rows = np.flatnonzero(np.all(inside, axis=0))
        n = int(coded.n[rows].sum())
        if n and _holds(coded, box, rows, n):
            yield rows, _loss(coded, loss, classes, box, rows, n)


def _holds(coded, box, rows, n):
    def lengths(column):
        return coded.attributes[column].lengths(*(np.array([at]) for at in box[column]))

    return coded.holds(rows, np.zeros(rows.size, dtype=np.int64), np.array([n]), lengths).all()


def _loss(coded, loss, classes, box, rows, n):
    if loss == "discernibility":
        return n * n
    if loss == "classification":
        return n - np.bincount(classes[rows], weights=coded.n[rows]).max()
    if loss == "volume":
        return n * prod(stop - start for start, stop, _ in box)
    return n * sum(
        a.weight * a.widths(*(np.array([at]) for at in p))[0] for a, p in zip(coded.attributes, box, strict=True)
    )
