"""Choice of the block size limit that balances running time and information loss, from the counts of a tree.

TwodTree -> LimitChoice

Larger blocks lose less information, as fewer records are near a border, but take longer. The limit is the largest of
500, 1000, 2000, ... (from 2 k, if that is more) whose blocks take at most twice the time of the fastest limit.

    time     that of MDAV within the blocks (predicted_time.py)
    border   of m uniformly distributed records, a share of 1 - (1 - (k / m)^(1/d))^d has a block border within the
             extent of its group
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.blocking.predicted_time import mdav_seconds
from shoal.blocking.tree import TwodTree
from shoal.kernels import Ints

MIN_LIMIT = 500
MAX_LIMIT = 64_000
MAX_SLOWDOWN = 2.0  # multiple of the time of the fastest limit


@dataclass(frozen=True)
class LimitChoice:
    limit: int
    reason: str


def smallest_limit(k: int) -> int:
    """The limit to which the tree is grown before it is pruned to the chosen one."""
    return max(MIN_LIMIT, 2 * k)


def choose_limit(tree: TwodTree, k: int) -> LimitChoice:
    limits = [smallest_limit(k)]
    while limits[-1] < min(MAX_LIMIT, int(tree.nodes.n_records[0])):
        limits.append(2 * limits[-1])
    sizes = [tree.prune(limit).leaf_sizes for limit in limits]
    times = [mdav_seconds(of_leaves, len(tree.space.lower), k) for of_leaves in sizes]
    fitting = [at for at, time in enumerate(times) if time <= MAX_SLOWDOWN * min(times)]
    best = fitting[-1]
    near = [100 * border_share(of_leaves, tree.space.d, k) for of_leaves in (sizes[0], sizes[best])]
    reason = (
        f"Limit {limits[best]:,}, chosen from the counts: about {times[best] / min(times):.1f} times the time of the "
        f"fastest limit, and {near[1]:.0f} % of the records near a border, where limit {limits[0]:,} has "
        f"{near[0]:.0f} %."
    )
    if best + 1 < len(limits):
        reason += f" Limit {limits[best + 1]:,} would take {times[best + 1] / min(times):.1f} times as long."
    return LimitChoice(limits[best], reason)


def even_limit(n_columns: int, k: int) -> int:
    """The limit that is chosen if all blocks have the same size."""
    limit, size = smallest_limit(k), np.ones(1)
    fastest = mdav_seconds(limit * size, n_columns, k) / limit
    while limit < MAX_LIMIT and mdav_seconds(2 * limit * size, n_columns, k) / (2 * limit) <= MAX_SLOWDOWN * fastest:
        limit *= 2
    return limit


def border_share(sizes: Ints, d: int, k: int) -> float:
    """Predicted share of records that a block border may separate from their group."""
    if len(sizes) == 1:
        return 0.0
    reach = np.minimum(1.0, k / sizes) ** (1 / d)
    return float((sizes * (1 - (1 - reach) ** d)).sum() / sizes.sum())
