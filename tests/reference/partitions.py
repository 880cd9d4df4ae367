"""Partitions of a space the slow way: all kd-trees, their classes, the legal one, and the optimum by trying all.

A kd-tree is a leaf (None) or (split, left, right). Splits are (column, place) on lines of codes 0 .. places; they are
numbered in the order given, and the number is their priority.
"""

from __future__ import annotations

from functools import cache


def lines(*n_splits):
    """Splits of columns with so many each."""
    return tuple((column, place) for column, n in enumerate(n_splits) for place in range(1, n + 1))


def inside(split, box):
    low, high = box[split[0]]
    return low < split[1] < high


def halves(split, box):
    column, place = split
    low, high = box[column]
    return tuple((*box[:column], part, *box[column + 1 :]) for part in ((low, place), (place, high)))


def multi_enumerate(splits, box):
    """All kd-trees on a box (MultiEnumerate, written as InductiveEnumerate)."""
    found = [None]
    for at, split in enumerate(splits):
        if inside(split, box):
            left, right = halves(split, box)
            found += [(at, a, b) for a in multi_enumerate(splits, left) for b in multi_enumerate(splits, right)]
    return found


def blocks(tree, splits, box):
    if tree is None:
        return frozenset([box])
    at, *sides = tree
    return frozenset().union(*(blocks(t, splits, b) for t, b in zip(sides, halves(splits[at], box), strict=True)))


def is_split_a_cut(tree, s, splits):
    """Fig. 7, with the case it lacks: a leaf is no cut."""
    if tree is None:
        return False
    at, left, right = tree
    if splits[at][0] == splits[s][0]:
        return at == s or is_split_a_cut(right if at < s else left, s, splits)
    return is_split_a_cut(left, s, splits) and is_split_a_cut(right, s, splits)


def out_of_sequence(tree, splits):
    """Some (node, split below it) where the lower one cuts all of the node and comes first; None if there is none."""
    if tree is None:
        return None
    at, left, right = tree
    early = next((s for s in range(at) if is_split_a_cut(tree, s, splits)), None)
    if early is not None:
        return tree, early
    return out_of_sequence(left, splits) or out_of_sequence(right, splits)


def is_legal(tree, splits):
    return out_of_sequence(tree, splits) is None


def raised(tree, s, splits):
    """Parent-child switches, orthogonal or parallel, until ``s``, a cut of the tree, is its root."""
    at, left, right = tree
    if at == s:
        return tree
    if splits[at][0] == splits[s][0]:
        if at < s:  # s lies to the right: rotate left
            _, a, b = raised(right, s, splits)
            return s, (at, left, a), b
        _, a, b = raised(left, s, splits)
        return s, a, (at, b, right)
    (_, a, b), (_, c, d) = raised(left, s, splits), raised(right, s, splits)
    return s, (at, a, c), (at, b, d)


def legalized(tree, splits):
    """The legal tree of the same partition, by switches alone."""
    if tree is None:
        return None
    first = min(s for s in range(len(splits)) if is_split_a_cut(tree, s, splits))
    at, left, right = raised(tree, first, splits)
    return at, legalized(left, splits), legalized(right, splits)


def preorder(tree):
    """As Shoal writes a tree: splits in preorder, -1 for a leaf, up to the last split."""
    if tree is None:
        return ()
    return _without_end(_nodes(tree))


def _nodes(tree):
    return (-1,) if tree is None else (tree[0], *_nodes(tree[1]), *_nodes(tree[2]))


def _without_end(nodes):
    while nodes and nodes[-1] == -1:
        nodes = nodes[:-1]
    return nodes


def all_partitions(whole, divisions):
    """Sets of blocks of all hierarchical partitions. ``divisions(box)``: the tuples of boxes that splits make of it."""

    @cache
    def of(box):
        found = {frozenset([box])}
        for parts in divisions(box):
            combined = {frozenset()}
            for part in parts:
                combined = {a | b for a in combined for b in of(part)}
            found |= combined
        return found

    return of(whole)


def divisions_in(space):
    """Of a space of Shoal, for ``all_partitions``: only what splits make of a box, nothing of their order."""
    number = {}

    def divisions(box):
        at = number.setdefault(box, space.boxes.index(box))
        made = [
            space.children(at, split) for split in range(len(space.splits.splits)) if space.available(at) >> split & 1
        ]
        return [tuple(space.boxes[part] for part in parts) for parts in made]

    return divisions
