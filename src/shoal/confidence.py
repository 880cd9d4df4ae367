"""95 % confidence intervals of a share and of the difference of two shares.

A share: Wilson's interval, doi:10.1080/01621459.1927.10502953. The difference of two shares of the same cases: the
normal interval of the mean of the differences, where one more pair of opposite differences, as large as the largest
one, is added to their variance, as Agresti and Min do for cases that are right or wrong, doi:10.1002/sim.1781; so a few
differences, or none, do not give an interval of no width. The difference of shares of different cases: method 10 of
Newcombe 1998, "Interval estimation for the difference between independent proportions", from the intervals of both.
"""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from shoal.kernels import Vector

QUANTILE = 1.959963984540054  # of the standard normal, at 97.5 %


def wilson(share: float, n: float) -> tuple[float, float]:
    """Interval of a share observed among ``n`` independent cases; ``n`` need not be an integer."""
    squared = QUANTILE**2
    center = (share + squared / (2 * n)) / (1 + squared / n)
    reach = QUANTILE * sqrt(share * (1 - share) / n + squared / (4 * n * n)) / (1 + squared / n)
    return min(share, max(0.0, center - reach)), max(share, min(1.0, center + reach))


def paired_difference(differences: Vector, weights: Vector) -> tuple[float, float]:
    """Interval of the mean difference, each from -1 to 1, of two chances of the same independent cases."""
    n = effective_number(weights)
    mean = float((weights * differences).sum() / weights.sum())
    variance = float((weights * (differences - mean) ** 2).sum() / weights.sum())
    largest = float(np.abs(differences).max()) or 1.0
    reach = QUANTILE * sqrt((n * variance + largest**2) / (n * (n + 2)))
    return max(-1.0, mean - reach), min(1.0, mean + reach)


def separate_difference(
    one: float, of_one: tuple[float, float], other: float, of_other: tuple[float, float]
) -> tuple[float, float]:
    """Interval of ``one - other``, of different cases, from the interval of each."""
    below = hypot(one - of_one[0], of_other[1] - other)
    above = hypot(of_one[1] - one, other - of_other[0])
    return one - other - below, one - other + above


def effective_number(weights: Vector) -> float:
    """Effective sample size of weighted cases: Kish's (sum w)^2 / sum w^2."""
    return float(weights.sum() ** 2 / (weights**2).sum())
