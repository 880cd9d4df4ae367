"""Earth mover's distance between the sensitive values of every group and those of the whole release.

The least amount of share times distance that turns one distribution into the other, with the farthest values 1 apart.
For the three ground distances of Li, Li & Venkatasubramanian (2007), doi:10.1109/ICDE.2007.367856, there is a closed
form. The running time depends on the values that occur in a group, not on all values of the column: a salary with
100,000 values costs no more than a grade. A group without a known value has distance 1.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels import Labels, Vector
from shoal.requirements.shares import Shares


def equal(shares: Shares, overall: Vector) -> Vector:
    """(n_groups,) with any two values 1 apart: the sum of the excess of shares over those of the release."""
    surplus = np.maximum(shares.of_values - overall[shares.values], 0.0)
    return np.where(shares.known > 0, shares.sum_by_group(surplus), 1.0)


def hierarchical(shares: Shares, overall: Vector, tree: Labels) -> Vector:
    """(n_groups,) with two values as far apart as the level of their lowest common ancestor: the mean of the equal
    distances over all levels."""
    distance = np.zeros(shares.known.size)
    for nodes in tree.T:
        distance += equal(shares.coarsened(nodes), np.bincount(nodes, weights=overall).astype(np.float64))
    return distance / float(tree.shape[1])


def ordered(shares: Shares, overall: Vector) -> Vector:
    """(n_groups,) with neighbors in the order 1 / (m - 1) apart, where m values occur.

    The sum of |F(i) - G(i)| over all values i, over m - 1, with F the cumulative distribution of the release and G that
    of the group. G is constant between two values of the group and F does not decrease, so one binary search for every
    such stretch finds where F overtakes G.
    """
    occurs = (overall > 0) | (np.bincount(shares.values, minlength=overall.size) > 0)
    place = np.cumsum(occurs) - 1  # (n_values,) position among the values that occur
    m, n_groups = int(occurs.sum()), shares.known.size
    if m < 2:
        return np.where(shares.known > 0, 0.0, 1.0)
    F = np.minimum(np.cumsum(overall[occurs]), 1.0)  # (m,)
    below = np.concatenate([[0.0], np.cumsum(F)])  # (m + 1,) sums of F before a position

    # One stretch before the first value of a group, and one from each of its values to the next or the end.
    group = np.concatenate([np.arange(n_groups), shares.groups])
    start = np.concatenate([np.zeros(n_groups, dtype=np.int64), place[shares.values]])
    counts = np.concatenate([np.zeros(n_groups, dtype=np.int64), shares.counts])
    order = np.lexsort((np.arange(group.size), group))
    group, start, counts = group[order], start[order], counts[order]
    last = np.append(group[1:] != group[:-1], True)
    stop = np.where(last, m, np.append(start[1:], m))
    reached = np.cumsum(counts)
    before = np.concatenate([[0], np.cumsum(shares.known)])[group]  # records of earlier groups
    G = (reached - before) / np.maximum(shares.known, 1)[group]

    turn = np.clip(np.searchsorted(F, G), start, stop)  # from here on F is at least G
    under = G * (turn - start) - (below[turn] - below[start])
    over = (below[stop] - below[turn]) - G * (stop - turn)
    distance = np.bincount(group, weights=under + over, minlength=n_groups) / (m - 1)
    return np.where(shares.known > 0, np.clip(distance, 0.0, 1.0), 1.0)
