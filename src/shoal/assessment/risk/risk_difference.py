"""The difference of the linkage risks of two releases of one table.

two Linkages -> RiskDifference

Where the same persons were searched for in both releases, every person has a pair of chances to be found, and the
interval is that of the mean of their differences: what makes a person easy to find in both releases cancels. Members of
a household count as one case. Where other persons were searched for, the interval follows from those of the two risks.
Where blocks lost true pairs, anybody whose pair was lost may be found without them: the interval is wider by these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.confidence import paired_difference, separate_difference
from shoal.kernels import Vector
from shoal.linkage.linkage_risk import Linkage


@dataclass(frozen=True)
class RiskDifference:
    """How many more persons are found in one release than in the other, in points of a percentage."""

    estimate: float
    interval: tuple[float, float]  # 95 %
    is_paired: bool

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes that the risks are equal."""
        low, high = self.interval
        return low > 0 or high < 0


def risk_difference(one: Linkage, other: Linkage) -> RiskDifference:
    estimate = 100 * (one.risk - other.risk)
    is_paired = np.array_equal(one.persons, other.persons) and np.array_equal(one.weights, other.weights)
    if is_paired:
        low, high = paired_difference(*_of_cases(one, one.chances - other.chances))
    else:
        low, high = separate_difference(one.risk, one.interval, other.risk, other.interval)
    low, high = low - other.lost_pairs, high + one.lost_pairs
    return RiskDifference(estimate, (100 * low, 100 * high), is_paired)


def _of_cases(linkage: Linkage, differences: Vector) -> tuple[Vector, Vector]:
    """Mean difference and weight of every case: a person, or a household where there are households."""
    if linkage.households is None:
        return differences, linkage.weights
    weights = np.bincount(linkage.households, linkage.weights).astype(np.float64)
    sums = np.bincount(linkage.households, linkage.weights * differences)
    return sums / np.where(weights > 0, weights, 1.0), weights
