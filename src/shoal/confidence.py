"""95 % confidence intervals: of a share, Wilson's interval (doi:10.1080/01621459.1927.10502953), of a mean of chances,
and of the difference of two shares.

A chance is a number from 0 to 1, such as 1 / 3 for one of three records that match equally well; its variance is less
than that of a share. ``mean_interval`` solves the same equation as Wilson with the variance of the chances themselves:
means mu whose distance from the estimate m is at most 1.96 standard errors, where the variance at mu is

    s^2 + g (mu - m) - (mu - m)^2,    s^2: variance of the chances, g: their third moment divided by s^2.

For chances of 0 and 1 this is mu (1 - mu), so that the interval is Wilson's. Persons drawn without replacement from a
finite number of them have the standard error of a hypergeometric share: of a sample that is everybody, nothing is left.

Where few persons differ from the others, such as two who were found among a thousand, no such interval covers at the
stated rate: those who were not drawn may weigh more than those who were. There the interval also holds an exact one,
which covers more often than 95 %: Clopper and Pearson's (doi:10.1093/biomet/26.4.404) for an effective number of
events, (sum a)^2 / sum a^2 of what each adds, of a sample with or without replacement. For the upper end one more event
is added that counts as much as the heaviest person could, as Fay and Feuer do for rates that are sums of weighted
counts (doi:10.1002/(SICI)1097-0258(19970415)16:7<791::AID-SIM500>3.0.CO;2-#). Persons above and below the most
frequent chance are events of two kinds; the interval of the difference of both is Newcombe's.

The difference of two shares of the same cases: the normal interval of the mean of the differences, where one more pair
of opposite differences, as large as the largest one, is added to their variance, as Agresti and Min do for cases that
are right or wrong, doi:10.1002/sim.1781; so a few differences, or none, do not give an interval of no width. The
difference of shares of different cases: method 10 of Newcombe 1998, "Interval estimation for the difference between
independent proportions", from the intervals of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, inf, sqrt

import numpy as np

from shoal.kernels import Labels, Vector

QUANTILE = 1.959963984540054  # of the standard normal, at 97.5 %
N_DEVIATIONS = 3  # from which a gain is not explained by chance
TAIL = 0.025  # probability beyond each end
TINY = 1e-24  # a variance below comes from rounding
FEW_EVENTS = 70  # effective number of persons who differ from the others, below which the exact interval is held


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


def is_beyond_chance(gains: Vector) -> bool:
    """Whether the gains of persons by an attack add up to more than three standard deviations of a sum of none."""
    return bool(gains.sum() > N_DEVIATIONS * max(float(np.sqrt((gains**2).sum())), 1e-9))


def mean_interval(chances: Vector, weights: Vector | None = None, n_population: int | None = None) -> Interval:
    """Interval of the mean of the chances of persons drawn at random, without replacement where ``n_population``, the
    persons that they were drawn from, is given. ``weights``: the persons that each stands for; one each by default."""
    of_each = np.ones_like(chances) if weights is None else weights
    wide = _interval_of_many(chances, of_each, n_population)
    if n_population == len(chances) or _n_events(chances, of_each) >= FEW_EVENTS:
        return wide
    exact = _interval_of_few(chances, of_each, n_population)
    return min(wide[0], exact[0]), max(wide[1], exact[1])


def _interval_of_many(chances: Vector, weights: Vector, n_population: int | None) -> Interval:
    """Wilson's equation, which is right where many persons differ."""
    mean = float((weights * chances).sum() / weights.sum())
    deviations = weights * (chances - mean) * (len(chances) / weights.sum())
    n = _independent_number(len(chances), n_population)
    variance = float((deviations**2).mean())
    if variance < TINY:
        return _interval_of_equal(mean, n * effective_number(weights) / len(chances))
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


def _most_frequent(chances: Vector) -> float:
    values, n = np.unique(chances, return_counts=True)
    return float(values[n.argmax()])


def _n_events(chances: Vector, weights: Vector) -> float:
    """Effective number of persons whose chance is not the most frequent one, and of a heaviest one of them."""
    differences = np.abs(chances - _most_frequent(chances))
    amounts, most = weights * differences, float(weights.max() * differences.max())
    return float((amounts.sum() + most) ** 2 / ((amounts**2).sum() + most**2)) if most else 1.0


def _interval_of_few(chances: Vector, weights: Vector, n_population: int | None) -> Interval:
    """The exact interval of the events above and below the most frequent chance."""
    usual, drawn = _most_frequent(chances), PersonSample(len(chances), n_population)
    sides = [
        drawn.mean_and_interval(weights * np.maximum(sign * (chances - usual), 0.0), weights, most)
        for sign, most in ((1, 1 - usual), (-1, usual))
    ]
    (above, of_above), (below, of_below) = sides
    low, high = separate_difference(above, of_above, below, of_below)
    return max(0.0, usual + low), min(1.0, usual + high)


@dataclass(frozen=True)
class PersonSample:
    """``n`` persons drawn from ``n_population``, or from endlessly many."""

    n: int
    n_population: int | None

    def mean_and_interval(self, amounts: Vector, weights: Vector, most: float) -> tuple[float, Interval]:
        """The mean amount of a weighted person and its interval. ``amounts``: (n,) weight times difference of every
        person, 0 of most; ``most``: the greatest difference that there can be."""
        n_seen, total = int(np.count_nonzero(amounts)), float(weights.sum())
        heaviest, seen, squares = most * float(weights.max()), float(amounts.sum()), float((amounts**2).sum())
        mean = seen / total
        if not most:
            return 0.0, (0.0, 0.0)
        one_more, n_events = seen + heaviest, (seen + heaviest) ** 2 / (squares + heaviest**2)
        high = one_more / total * self._ratio(n_events, n_seen + 1, is_upper=True)
        low = mean * self._ratio(seen**2 / squares, n_seen, is_upper=False) if n_seen else 0.0
        return mean, (min(mean, low), max(mean, min(most, high)))

    def _ratio(self, n_events: float, n_seen: int, *, is_upper: bool) -> float:
        """The end for so many effective events, divided by the share that was seen; the upper end of one event less.
        Of a finite population they are whole numbers: fewer events give a wider interval."""
        events = n_events if self.n_population is None else max(1, int(n_events + 1e-9))
        n = self.n * events / n_seen
        if self.n_population is None:
            end = _endless_end(events, n, is_upper=is_upper)
        else:
            end = _finite_end(int(events), round(n), round(self.n_population * events / n_seen), is_upper=is_upper)
        return end * self.n / n_seen


def _endless_end(n_events: float, n: float, *, is_upper: bool) -> float:
    """Clopper and Pearson's upper end where one event less was seen among ``n``, or lower end where these were."""
    from scipy.special import betaincinv

    return float(betaincinv(n_events, n - n_events + 1, 1 - TAIL if is_upper else TAIL))


def _finite_end(n_events: int, n: int, n_population: int, *, is_upper: bool) -> float:
    """The same for ``n`` drawn without replacement: the most, or the fewest, events of the population for which what
    was seen is not too unlikely. Found by halving: fewer events are seen the less there are."""
    low, high = (n_events - 1, n_population - n + n_events - 1) if is_upper else (n_events, n_population - n + n_events)
    limit = TAIL if is_upper else 1 - TAIL
    while low < high:
        middle = (low + high + 1) // 2 if is_upper else (low + high) // 2
        is_likely = _at_most(n_events - 1, n, middle, n_population) > limit
        if is_upper:
            low, high = (middle, high) if is_likely else (low, middle - 1)
        else:
            low, high = (middle + 1, high) if is_likely else (low, middle)
    return low / n_population


def _at_most(n_seen: int, n: int, n_events: int, n_population: int) -> float:
    """Probability to see at most ``n_seen`` of the events among ``n`` drawn without replacement."""
    seen = np.arange(max(0, n - (n_population - n_events)), min(n_seen, n_events, n) + 1)
    others = _log_choices(n_population - n_events, n - seen)
    return float(np.exp(_log_choices(n_events, seen) + others - _log_choices(n_population, n)).sum())


def _log_choices(n: int, k: Labels | int) -> Vector:
    from scipy.special import gammaln

    logarithms: Vector = gammaln(n + 1) - gammaln(np.add(k, 1)) - gammaln(n - np.asarray(k) + 1)
    return logarithms
