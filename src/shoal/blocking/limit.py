"""The limit that balances time and loss for these records, from the counts of a tree alone.

TwodTree -> Balance

Larger blocks lose less, as fewer records lie near a border, and take longer. The limit is the largest of 500, 1000,
2000, ... whose blocks take no more than twice the time of the fastest of them.

    time     a record of a block of m in d columns takes (0.35 + 0.065 d) (m / 250)^(0.18 + 0.045 d) microseconds of
             MDAV, measured on uniform records
    border   of m evenly spread records the share 1 - (1 - (k / m)^(1/d))^d has a border within the reach of its group
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.blocking.tree import TwodTree
from shoal.kernels import Labels

SMALLEST = 500
LARGEST = 64_000
MOST_TIME = 2.0  # times that of the fastest limit


@dataclass(frozen=True)
class Balance:
    limit: int
    reason: str


def smallest_limit(k: int) -> int:
    """The tree is grown down to this limit and pruned to the one that is chosen."""
    return max(SMALLEST, 2 * k)


def balanced(tree: TwodTree, k: int) -> Balance:
    limits = [smallest_limit(k)]
    while limits[-1] < min(LARGEST, int(tree.nodes.n_records[0])):
        limits.append(2 * limits[-1])
    sizes = [tree.pruned(limit).leaf_sizes for limit in limits]
    times = [seconds(of_leaves, len(tree.space.lower)) for of_leaves in sizes]
    fitting = [at for at, time in enumerate(times) if time <= MOST_TIME * min(times)]
    best = fitting[-1]
    near = [100 * border_share(of_leaves, tree.space.d, k) for of_leaves in (sizes[0], sizes[best])]
    reason = (
        f"Limit {limits[best]:,}, chosen from the counts: about {times[best] / min(times):.1f} times the time of the "
        f"fastest limit, and {near[1]:.0f} % of the records near a border, where limit {limits[0]:,} has "
        f"{near[0]:.0f} %."
    )
    if best + 1 < len(limits):
        reason += f" Limit {limits[best + 1]:,} would take {times[best + 1] / min(times):.1f} times as long."
    return Balance(limits[best], reason)


def seconds(sizes: Labels, n_columns: int) -> float:
    """What grouping takes, predicted."""
    power = min(1.0, 0.18 + 0.045 * n_columns)
    return float((sizes * (0.35 + 0.065 * n_columns) * 1e-6 * (sizes / 250) ** power).sum())


def border_share(sizes: Labels, d: int, k: int) -> float:
    """Share of the records that a border may part from their group, predicted."""
    if len(sizes) == 1:
        return 0.0
    reach = np.minimum(1.0, k / sizes) ** (1 / d)
    return float((sizes * (1 - (1 - reach) ** d)).sum() / sizes.sum())
