"""95 % confidence intervals: of a share, Wilson's interval (doi:10.1080/01621459.1927.10502953), of a mean of chances,
and of the difference of two shares.

A chance is a number from 0 to 1, such as 1 / 3 for one of three records that match equally well; its variance is less
than that of a share. ``mean_interval`` solves the same equation as Wilson with the variance of the chances themselves:
means mu whose distance from the estimate m is at most 1.96 standard errors, where the variance at mu is

    s^2 + g (mu - m) - (mu - m)^2,    s^2: variance of the chances, g: their third moment divided by s^2.

For chances of 0 and 1 this is mu (1 - mu), so that the interval is Wilson's. Persons drawn without replacement from a
finite number of them have the standard error of a hypergeometric share: of a sample that is everybody, nothing is left.

The difference of two shares of the same cases: the normal interval of the mean of the differences, where one more pair
of opposite differences, as large as the largest one, is added to their variance, as Agresti and Min do for cases that
are right or wrong, doi:10.1002/sim.1781; so a few differences, or none, do not give an interval of no width. The
difference of shares of different cases: method 10 of Newcombe 1998, "Interval estimation for the difference between
independent proportions", from the intervals of both.
"""

from __future__ import annotations

from math import hypot, inf, sqrt

import numpy as np

from shoal.kernels import Vector

QUANTILE = 1.959963984540054  # of the standard normal, at 97.5 %
TINY = 1e-24  # a variance below comes from rounding


Interval = tuple[float, float]


def wilson(share: float, n: float) -> Interval:
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


def mean_interval(chances: Vector, weights: Vector | None = None, n_population: int | None = None) -> Interval:
    """Interval of the mean of the chances of persons drawn at random, without replacement where ``n_population``, the
    persons that they were drawn from, is given. ``weights``: the persons that each stands for; one each by default."""
    of_each = np.ones_like(chances) if weights is None else weights
    mean = float((of_each * chances).sum() / of_each.sum())
    deviations = of_each * (chances - mean) * (len(chances) / of_each.sum())
    n = _independent_number(len(chances), n_population)
    variance = float((deviations**2).mean())
    if variance < TINY:
        return _interval_of_equal(mean, n * effective_number(of_each) / len(chances))
    skew = float((deviations**3).mean()) / variance
    low, high = _ends(variance, skew, QUANTILE**2 / n)
    return max(0.0, mean + low), min(1.0, mean + high)


def _independent_number(n: float, n_population: int | None) -> float:
    """The number of independent cases that tell as much as ``n`` drawn without replacement from ``n_population``."""
    if n_population is None:
        return n
    return n * (n_population - 1) / (n_population - n) if n < n_population else inf


def _interval_of_equal(mean: float, n: float) -> Interval:
    """The interval where all chances are equal: some of those who were not drawn may have a chance of 0 or 1."""
    reach = QUANTILE**2 / (n + QUANTILE**2) if n < inf else 0.0
    return mean - reach * mean, mean + reach * (1 - mean)


def _ends(variance: float, skew: float, a: float) -> Interval:
    """The solutions d of d^2 = a (variance + skew d - d^2)."""
    root = sqrt((a * skew) ** 2 + 4 * (1 + a) * a * variance)
    return (a * skew - root) / (2 * (1 + a)), (a * skew + root) / (2 * (1 + a))
