"""Fusion of leaves of fewer than k records with their nearest neighbors.

TwodTree -> block of every leaf

    nearest      every small leaf is fused with the leaf of the nearest centroid, all simultaneously, repeated until no
                 block is small (as published; a block may exceed the limit)
    supervised   pairs are fused, nearest first, and only if the fused block stays within the limit
    none         leaves are not fused

Centroids are computed from the sums of the leaves; ties are resolved in favor of the lowest leaf.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from shoal import kernels
from shoal.blocking.tree import TwodTree
from shoal.errors import ArrayError
from shoal.kernels import Ints, Labels, Matrix

Fuse = Literal["nearest", "supervised", "none"]

CANDIDATES = 16  # nearest leaves (itself included) considered for a small leaf at first; doubled until one fits


def fuse_small_leaves(tree: TwodTree, k: int, fuse: Fuse, limit: int) -> Labels:
    """(n_leaves,) the block of every leaf; blocks are numbered in the order of their first leaves."""
    labels = np.arange(tree.n_leaves)
    if fuse == "none":
        return labels
    sums = tree.nodes.sums[tree.leaves]
    while True:
        n_blocks = int(labels.max()) + 1
        sizes = _sums_by_block(tree.leaf_sizes, labels, n_blocks)
        small = np.flatnonzero(sizes < k)
        if not small.size or n_blocks == 1:
            return labels
        centroids = tree.space.means(_sums_by_block(sums, labels, n_blocks), sizes)
        into = (
            _fuse_with_nearest(centroids, small)
            if fuse == "nearest"
            else _fuse_within_limit(centroids, sizes, small, limit)
        )
        labels = _renumber(into[labels])


def first_fusions(tree: TwodTree, k: int) -> Ints:
    """(n_small, 2) small leaves and the leaves they are fused with in the first round, for plotting."""
    small = np.flatnonzero(tree.leaf_sizes < k)
    return np.column_stack([small, _nearest_others(tree.leaf_centroids, small, 2)[:, 0]])


def _sums_by_block(values: Ints, labels: Labels, n_blocks: int) -> Ints:
    total = np.zeros((n_blocks, *values.shape[1:]), dtype=np.int64)
    np.add.at(total, labels, values)
    return total


def _nearest_others(centroids: Matrix, small: Ints, n_near: int) -> Ints:
    """(n_small, n_near - 1) the nearest other blocks, nearest first."""
    near: Ints = kernels.nearest_neighbors(centroids, small, min(n_near, len(centroids)))
    is_itself = near == small[:, None]
    is_itself[:, -1] |= ~is_itself.any(axis=1)  # not among its own nearest if many centroids coincide: drop the last
    others: Ints = near[~is_itself]
    return others.reshape(len(small), -1)


def _fuse_with_nearest(centroids: Matrix, small: Ints) -> Labels:
    """Fuses the connected components of the graph of small blocks and their nearest neighbors."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = len(centroids)
    edges = (np.ones(len(small), dtype=np.int8), (small, _nearest_others(centroids, small, 2)[:, 0]))
    _, components = connected_components(coo_array(edges, shape=(n, n)), directed=False)
    return np.asarray(components, dtype=np.int64)


def _fuse_within_limit(centroids: Matrix, sizes: Ints, small: Ints, limit: int) -> Labels:
    """Fuses pairs that stay within the limit, nearest first; each block is in at most one pair."""
    into = np.arange(len(sizes))
    n_near = CANDIDATES
    while True:
        near = _nearest_others(centroids, small, n_near)
        fits = sizes[small][:, None] + sizes[near] <= limit
        if fits.any():
            break
        if n_near >= len(sizes):
            raise ArrayError.limit_not_kept(limit, len(small))
        n_near *= 2
    has_one = fits.any(axis=1)
    group, partner = small[has_one], near[has_one, np.argmax(fits[has_one], axis=1)]
    distance = ((centroids[group] - centroids[partner]) ** 2).sum(axis=1)
    free = np.ones(len(sizes), dtype=bool)
    for at in np.lexsort((group, distance)):
        one, other = group[at], partner[at]
        if free[one] and free[other]:
            into[max(one, other)] = min(one, other)
            free[one] = free[other] = False
    return into


def _renumber(labels: Labels) -> Labels:
    """The same blocks, numbered in the order of their first leaves."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return place[inverse]
