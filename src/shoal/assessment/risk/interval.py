"""Interval disclosure: is the original value in a narrow interval around the released one?

The intruder found the right record, by linkage or by chance, and reads its masked value. They guess that the original
is near: within a number of ranks, or within a share of the standard deviation. The figure is how often they are right;
the baseline is how often they would be for the value of a record drawn at random.

rank  values of the release whose ranks differ by less than p % of the records from that of the masked value span the
      interval; Domingo-Ferrer & Torra (2001)
sd    the masked value plus and minus p % of the standard deviation of the release; Mateo-Sanz, Sebe & Domingo-Ferrer
      (2004), "Outlier protection in continuous microdata masking"

Both are averaged over p = 1, ..., 10. Equal masked values have the same interval: ranks are counted from the first and
from the last of them.

Of more than ``MOST_PERSONS`` persons, some are drawn at random; ranks are those among all records, so that the figure
is the same and only has an interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal.assessment.numeric_pair import NumericPair
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.regression_coordinates import RegressionTable
from shoal.assessment.risk.regression_values import learned_values
from shoal.confidence import is_beyond_chance, mean_interval
from shoal.encode.number_column import to_numbers
from shoal.encode.standardize import moments
from shoal.errors import ArrayError, PolicyError
from shoal.findings import Finding
from shoal.schema import Schema

Intervals = Literal["rank", "sd"]
Reals = NDArray[np.float64]
Persons = NDArray[np.int64]

PERCENTS = tuple(range(1, 11))
MOST_PERSONS = 50_000
INTERVAL_DISCLOSURE = "interval disclosure of"  # names of findings begin so


@dataclass(frozen=True)
class IntervalDisclosure:
    """Percent of the cells whose original value is in the interval.

    estimate   over all records and columns
    baseline   for the value of a random record
    by_record  share of the cells of every record, in percent, (n,)
    """

    estimate: float
    baseline: float
    by_record: Reals


def interval_disclosure(
    original: ArrayLike, released: ArrayLike, *, intervals: Intervals = "rank", percents: Sequence[float] = PERCENTS
) -> IntervalDisclosure:
    """Record i of ``released`` is the masked record i of ``original``."""
    pair = NumericPair.of(original, released, "interval disclosure", least=1)
    _check(intervals, percents)
    everybody = np.arange(len(pair.original))
    columns = [
        _hits(x, y, everybody, intervals, percents) for x, y in zip(pair.original.T, pair.released.T, strict=True)
    ]
    by_record = 100 * np.mean([hits for hits, _ in columns], axis=0)
    return IntervalDisclosure(
        float(by_record.mean()), 100 * float(np.mean([chance_rate for _, chance_rate in columns])), by_record
    )


def interval_attacks(original: pa.Table, released: pa.Table, schema: Schema) -> tuple[Attack, ...]:
    """Attacks on every numeric and date quasi-identifier, over the records where it is known before and after."""
    names = [name for name in schema.quasi_identifiers if schema[name].kind in ("numeric", "date")]
    shown = RegressionTable(released, schema)
    return tuple(attack for name in names for attack in _attacks(name, original, shown))


def _attacks(name: str, original: pa.Table, released: RegressionTable) -> Iterator[Attack]:
    """By the released value and, where it tells more, by what the other columns of the record say about it."""
    before, after = to_numbers(name, original[name]), to_numbers(name, released.table[name])
    known = np.flatnonzero(~(before.missing | after.missing))
    if not len(known):
        return
    own, masked, persons = before.values[known], after.values[known], _persons(len(known))
    hits, chance_rate = _hits(own, masked, persons, "rank", PERCENTS)
    yield _attack(name, hits, chance_rate, len(known))
    learned = learned_values(name, masked, released.only(known), persons)
    found = [_hits(own, _replaced(masked, persons, values), persons, "rank", PERCENTS) for values in learned]
    best, rate = max(found, key=lambda each: float(each[0].mean()) - each[1], default=(hits, chance_rate))
    gain = (best - rate) - (hits - chance_rate)  # wide intervals hold much by chance
    if is_beyond_chance(gain):
        yield _attack(name, best, rate, len(known), learned=True)


def _replaced(masked: Reals, persons: Persons, values: Reals) -> Reals:
    shown = masked.copy()
    shown[persons] = values
    return shown


def _attack(name: str, hits: Reals, chance_rate: float, n: int, *, learned: bool = False) -> Attack:
    """``learned``: the guess is not the released value but what the other columns say about it."""
    low, high = mean_interval(hits, n_population=n)
    around = "what the other columns of the release say about it" if learned else "the released value"
    finding = Finding(
        f"{INTERVAL_DISCLOSURE} {name}{', regression' if learned else ''}",
        100 * float(hits.mean()),
        f"Share of the originals of {name} that lie within 1 to 10 % of the ranks around {around}.",
        interval=(100 * low, 100 * high) if len(hits) < n else None,
        baseline=100 * chance_rate,
        unit="%",
    )
    who, holds = "somebody who found a person's record", "its released values" if learned else "its released value"
    return Attack("interval", who, holds, finding, is_over_all=True)


def _persons(n: int) -> Persons:
    """Everybody, or persons drawn at random."""
    if n <= MOST_PERSONS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, MOST_PERSONS, replace=False))


def _check(intervals: str, percents: Sequence[float]) -> None:
    if intervals not in get_args(Intervals):
        raise PolicyError.unknown_choice("intervals", intervals, get_args(Intervals))
    for percent in percents:
        if not 0 < percent <= 100:
            raise ArrayError.not_from_to("percents", 0, 100, percent)
    if not len(percents):
        raise ArrayError.too_small("the number of percents", 1, 0)


def _hits(
    original: Reals, released: Reals, persons: Persons, intervals: Intervals, percents: Sequence[float]
) -> tuple[Reals, float]:
    """(n_persons,) share of the intervals that contain the person's own original, and the mean share for a random
    one."""
    values, own = released[persons], original[persons]
    order = np.argsort(values, kind="stable")
    hits, chance_rate = np.zeros(len(persons)), 0.0
    intervals_around = _by_rank if intervals == "rank" else _by_deviation
    for low, high, n_inside in intervals_around(values[order], np.sort(released), np.sort(original), percents):
        hits += (low <= own[order]) & (own[order] <= high)
        chance_rate += n_inside / len(original)
    shares = np.empty_like(hits)
    shares[order] = hits / len(percents)
    return shares, chance_rate / len(percents)


# (n_persons,) lower and upper ends around their ascending values, and the mean number of originals in between
Around = Iterator[tuple[Reals, Reals, float]]


def _by_rank(values: Reals, ascending: Reals, originals: Reals, percents: Sequence[float]) -> Around:
    n = len(ascending)
    first = np.searchsorted(ascending, values, side="left")
    last = np.searchsorted(ascending, values, side="right") - 1
    below, up_to = (np.searchsorted(originals, ascending, side=side) for side in ("left", "right"))
    for percent in percents:
        reach = max(math.ceil(percent * n / 100) - 1, 0)  # ranks that differ by less than percent
        low, high = np.maximum(first - reach, 0), np.minimum(last + reach, n - 1)
        yield ascending[low], ascending[high], float((up_to[high] - below[low]).mean())


def _by_deviation(values: Reals, ascending: Reals, originals: Reals, percents: Sequence[float]) -> Around:
    _, deviation = moments(np.ascontiguousarray(ascending[:, None]))
    for percent in percents:
        low, high = (values + sign * percent / 100 * deviation[0] for sign in (-1, 1))
        below, up_to = np.searchsorted(originals, low, side="left"), np.searchsorted(originals, high, side="right")
        yield low, high, float((up_to - below).mean())
