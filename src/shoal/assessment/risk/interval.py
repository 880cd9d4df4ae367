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
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal.assessment.numeric_pair import NumericPair
from shoal.encode.number_column import to_numbers
from shoal.encode.standardize import moments
from shoal.errors import ArrayError, PolicyError
from shoal.findings import Finding, Findings
from shoal.schema import Schema

Intervals = Literal["rank", "sd"]
Reals = NDArray[np.float64]

PERCENTS = tuple(range(1, 11))


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
    columns = [_hits(x, y, intervals, percents) for x, y in zip(pair.original.T, pair.released.T, strict=True)]
    by_record = 100 * np.mean([hits for hits, _ in columns], axis=0)
    return IntervalDisclosure(
        float(by_record.mean()), 100 * float(np.mean([chance_rate for _, chance_rate in columns])), by_record
    )


def interval_findings(original: pa.Table, released: pa.Table, schema: Schema) -> Findings:
    """Findings on every numeric and date quasi-identifier, over the records where it is known before and after."""
    findings = []
    for name in schema.quasi_identifiers:
        if schema[name].kind not in ("numeric", "date"):
            continue
        before, after = to_numbers(name, original[name]), to_numbers(name, released[name])
        known = ~(before.missing | after.missing)
        if known.any():
            hits, chance_rate = _hits(before.values[known], after.values[known], "rank", PERCENTS)
            meaning = (
                f"Share of the originals of {name} that lie within 1 to 10 % of the ranks around the released value."
            )
            estimate = 100 * float(hits.mean())
            findings.append(
                Finding(f"interval disclosure of {name}", estimate, meaning, baseline=100 * chance_rate, unit="%")
            )
    return Findings(tuple(findings))


def _check(intervals: str, percents: Sequence[float]) -> None:
    if intervals not in get_args(Intervals):
        raise PolicyError.unknown_choice("intervals", intervals, get_args(Intervals))
    for percent in percents:
        if not 0 < percent <= 100:
            raise ArrayError.not_from_to("percents", 0, 100, percent)
    if not len(percents):
        raise ArrayError.too_small("the number of percents", 1, 0)


def _hits(original: Reals, released: Reals, intervals: Intervals, percents: Sequence[float]) -> tuple[Reals, float]:
    """(n,) share of the intervals that contain the record's own original, and the mean share for a random one."""
    order = np.argsort(released, kind="stable")
    own = original[order]
    hits, chance_rate = np.zeros(len(order)), 0.0
    intervals_around = _by_rank if intervals == "rank" else _by_deviation
    for low, high, n_inside in intervals_around(released[order], np.sort(original), percents):
        hits += (low <= own) & (own <= high)
        chance_rate += n_inside / len(order)
    shares = np.empty_like(hits)
    shares[order] = hits / len(percents)
    return shares, chance_rate / len(percents)


# (n,) lower and upper ends around the ascending values of the release, and the mean number of originals in between
Around = Iterator[tuple[Reals, Reals, float]]


def _by_rank(ascending: Reals, originals: Reals, percents: Sequence[float]) -> Around:
    n = len(ascending)
    first = np.searchsorted(ascending, ascending, side="left")
    last = np.searchsorted(ascending, ascending, side="right") - 1
    below, up_to = (np.searchsorted(originals, ascending, side=side) for side in ("left", "right"))
    for percent in percents:
        reach = max(math.ceil(percent * n / 100) - 1, 0)  # ranks that differ by less than percent
        low, high = np.maximum(first - reach, 0), np.minimum(last + reach, n - 1)
        yield ascending[low], ascending[high], float((up_to[high] - below[low]).mean())


def _by_deviation(ascending: Reals, originals: Reals, percents: Sequence[float]) -> Around:
    _, deviation = moments(np.ascontiguousarray(ascending[:, None]))
    for percent in percents:
        low, high = (ascending + sign * percent / 100 * deviation[0] for sign in (-1, 1))
        below, up_to = np.searchsorted(originals, low, side="left"), np.searchsorted(originals, high, side="right")
        yield low, high, float((up_to - below).mean())
