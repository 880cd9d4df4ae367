"""Slow, obvious twin of the search over boxes: every way to cut, record by record, with nothing remembered.

A column is ("line", n_values) with codes 0 .. n - 1, or ("tree", nested tuples of codes). A part of a column is a
range (start, stop), or a nested tuple; a code is a leaf.
"""

from __future__ import annotations

from math import prod


def leaves(part):
    if isinstance(part, range):
        return set(part)
    return {part} if isinstance(part, int) else set().union(*map(leaves, part))


def splits(part):
    """Lists of parts."""
    if isinstance(part, range):
        return [[range(part.start, cut), range(cut, part.stop)] for cut in range(part.start + 1, part.stop)]
    return [] if isinstance(part, int) else [list(part)]


def loss_of(loss, records, box):
    if loss == "discernibility":
        return len(records) ** 2
    if loss == "classification":
        classes = [s for *_, s in records]
        return len(classes) - max(map(classes.count, set(classes)))
    return len(records) * prod(len(leaves(part)) for part in box)


def least_loss(records, box, holds, loss, empty_blocks):
    """Of records (codes..., sensitive value) in a box, a tuple of parts; ``holds`` judges the records of a block."""
    best = loss_of(loss, records, box)
    for column, part in enumerate(box):
        for parts in splits(part):
            inside = [[record for record in records if record[column] in leaves(one)] for one in parts]
            if not empty_blocks and not all(inside):
                continue
            if not all(holds(members) for members in inside if members):
                continue
            boxes = [(*box[:column], one, *box[column + 1 :]) for one in parts]
            cost = sum(
                least_loss(members, one, holds, loss, empty_blocks)
                for members, one in zip(inside, boxes, strict=True)
                if members
            )
            best = min(best, cost)
    return best
