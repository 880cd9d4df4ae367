"""95 % confidence intervals of a share and of the difference of two shares.

A share: Wilson's interval, doi:10.1080/01621459.1927.10502953. The difference of two shares of the same cases: the
interval of Agresti and Min, doi:10.1002/sim.1781, which adds half a case to each of the four outcomes of a pair. The
difference of shares of different cases: method 10 of Newcombe 1998, "Interval estimation for the difference between
independent proportions", from the two intervals of Wilson.
"""

from __future__ import annotations

from math import hypot, sqrt

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
    square = float((weights * differences**2).sum() / weights.sum())
    center = n * mean / (n + 2)
    reach = QUANTILE * sqrt(max(0.0, n * square + 1 - (n * mean) ** 2 / (n + 2))) / (n + 2)
    return min(mean, max(-1.0, center - reach)), max(mean, min(1.0, center + reach))


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
