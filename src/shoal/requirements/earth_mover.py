"""Earth mover's distance between the sensitive values of every group and those of the whole release.

How much share must be moved how far to turn one into the other, where the farthest values are 1 apart. For the three
ground distances of Li, Li & Venkatasubramanian (2007), doi:10.1109/ICDE.2007.367856, there is a closed form. All look
at the values that a group shows and not at all there are: a salary with 100,000 values costs no more than a grade.
A group without a known value is 1 away.
"""

from __future__ import annotations

import numpy as np

from shoal.kernels import Labels, Vector
from shoal.requirements.shares import Shares


def equal(shares: Shares, overall: Vector) -> Vector:
    """(n_groups,) every two values are 1 apart: the shares that are too large, added up."""
    surplus = np.maximum(shares.parts - overall[shares.values], 0.0)
    return np.where(shares.known > 0, shares.total(surplus), 1.0)


def hierarchical(shares: Shares, overall: Vector, tree: Labels) -> Vector:
    """(n_groups,) two values are as far apart as the level of their lowest common node: the mean over the levels."""
    distance = np.zeros(shares.known.size)
    for nodes in tree.T:
        distance += equal(shares.at(nodes), np.bincount(nodes, weights=overall).astype(np.float64))
    return distance / float(tree.shape[1])


def ordered(shares: Shares, overall: Vector) -> Vector:
    """(n_groups,) neighbors in the order are 1 / (m - 1) apart, with m values in the release.

    The sum of |F(i) - G(i)| over all values i, F cumulated over the release, G over the group. G is constant between
    two values that the group shows, and F grows: so on such a stretch one search finds where F overtakes G.
    """
    occurs = (overall > 0) | (np.bincount(shares.values, minlength=overall.size) > 0)
    place = np.cumsum(occurs) - 1  # (n_values,) among those that occur
    m, n_groups = int(occurs.sum()), shares.known.size
    if m < 2:
        return np.where(shares.known > 0, 0.0, 1.0)
    F = np.minimum(np.cumsum(overall[occurs]), 1.0)  # (m,)
    below = np.concatenate([[0.0], np.cumsum(F)])  # (m + 1,) sums of F before a place

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
