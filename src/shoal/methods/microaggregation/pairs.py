"""Merging of failing groups that does not reveal which group failed: a failing group is merged with its fixed partner.

arrays of one block, Partition -> Partition

Where a failing group is merged with its cheapest neighbor (merge.py), an attacker who knows all quasi-identifiers can
recompute the groups and see which of two merged groups chose the other, hence which one failed: the minimality attack
of Wong, Fu, Wang & Pei (2007), VLDB. Here nearby groups are paired before any sensitive value is read, pairs are paired
again, and so on. If either group of a pair fails, both are merged, so that either may have been the one; if the pair
fails, it is merged with its partner pair. Partners have equal sizes as far as possible: then the rule is symmetric in
the two, and every record of a merged group is equally likely to have a given value.

Some pairs that satisfy the requirements are merged as well (decoys): then it is not even known whether one failed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Ints, Labels, Matrix
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.merge import Holds
from shoal.plan import Partition

Decoys = Callable[[int], NDArray[np.bool_]]  # number of pairs -> which to merge even if they satisfy the requirements


def merge_pairs(X: Matrix, partition: Partition, holds: Holds, decoys: Decoys) -> Partition:
    """Merges pairs, then pairs of pairs, until ``holds`` is true for all groups or one group is left."""
    merged, nodes, failing = partition, partition, ~holds(partition)
    while nodes.n_groups > 1 and (nodes is partition or failing.any()):
        pairs = pair_groups(nodes.centroids(X), nodes.sizes)
        joined = np.bincount(pairs, weights=failing) > 0  # (n_pairs,)
        if nodes is partition:
            joined |= decoys(len(joined))
        nodes = Partition(pairs[nodes.labels])
        merged = _merge_pairs(merged, nodes, joined)
        failing = joined & ~holds(nodes)
    return merged


def pair_groups(centroids: Matrix, sizes: Ints) -> Labels:
    """(n_nodes,) the pair of every node, by MDAV with k = 2 among nodes of equal size; some pairs have three nodes."""
    if len(sizes) < 4:
        return np.zeros(len(sizes), dtype=np.int64)
    return mdav(centroids, 2, blocks=Partition(_size_classes(sizes))).labels


def _size_classes(sizes: Ints) -> Labels:
    """(n_nodes,) a class per size. Sizes that occur once share a class; a single such size joins the most frequent."""
    kinds, kind, n_nodes = np.unique(sizes, return_inverse=True, return_counts=True)
    alone = n_nodes[kind] == 1
    others = int(n_nodes.argmax()) if alone.sum() == 1 else kinds.size
    return np.unique(np.where(alone, others, kind), return_inverse=True)[1].astype(np.int64)


def _merge_pairs(merged: Partition, nodes: Partition, joined: NDArray[np.bool_]) -> Partition:
    """Merges all groups of every node in ``joined`` into one."""
    groups = np.where(joined[nodes.labels], merged.n_groups + nodes.labels, merged.labels)
    return Partition(np.unique(groups, return_inverse=True)[1])
