"""Groups under more than k, such that merging tells nobody which of them failed: who fails takes its pair along.

arrays of one block, Partition -> Partition

Where a failing group takes its cheapest neighbor (merge.py), somebody who knows all quasi-identifiers can form the
groups anew and see which of two merged ones chose the other, so which one failed: the minimality attack of Wong, Fu,
Wang & Pei (2007), VLDB. Here near groups are paired before anybody looks at a sensitive value, pairs are paired again,
and so on. Where one of a pair fails both are merged, so that either may have been the one; where the pair fails, so are
the two pairs. Pairs are of equal size as far as can be: then the rule stays the same when both sides change places,
and every record of a merged group is as likely to have a value as all others of it.

Some pairs that hold are merged as well: then nobody knows whether one of them failed at all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.merge import Holds
from shoal.plan import Partition

Decoys = Callable[[int], NDArray[np.bool_]]  # of so many pairs -> those that are merged whether they hold or not


def merge_pairs(X: Matrix, partition: Partition, holds: Holds, decoys: Decoys) -> Partition:
    """The partition with pairs merged, and pairs of them, until ``holds`` is true of all or one group is left."""
    merged, nodes, failing = partition, partition, ~holds(partition)
    while nodes.n_groups > 1 and (nodes is partition or failing.any()):
        pairs = paired(nodes.centroids(X), nodes.sizes)
        joined = np.bincount(pairs, weights=failing) > 0  # (n_pairs,)
        if nodes is partition:
            joined |= decoys(len(joined))
        nodes = Partition(pairs[nodes.labels])
        merged = _joined(merged, nodes, joined)
        failing = joined & ~holds(nodes)
    return merged


def paired(centroids: Matrix, sizes: Labels) -> Labels:
    """(n_nodes,) the pair of every node: MDAV with k = 2 among those of equal size, so that some pairs are three."""
    if len(sizes) < 4:
        return np.zeros(len(sizes), dtype=np.int64)
    return mdav(centroids, 2, blocks=Partition(_of_a_kind(sizes))).labels


def _of_a_kind(sizes: Labels) -> Labels:
    """(n_nodes,) a number for every size; those that occur once share one, and a single one joins the most frequent."""
    kinds, kind, n_nodes = np.unique(sizes, return_inverse=True, return_counts=True)
    alone = n_nodes[kind] == 1
    others = int(n_nodes.argmax()) if alone.sum() == 1 else kinds.size
    return np.unique(np.where(alone, others, kind), return_inverse=True)[1].astype(np.int64)


def _joined(merged: Partition, nodes: Partition, joined: NDArray[np.bool_]) -> Partition:
    """All groups of a joined node are one."""
    groups = np.where(joined[nodes.labels], merged.n_groups + nodes.labels, merged.labels)
    return Partition(np.unique(groups, return_inverse=True)[1])
