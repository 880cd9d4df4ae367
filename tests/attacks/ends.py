"""The ends of intervals: somebody of this class has exactly this value.

The intruder holds a release by extents. Of every class, and of every quasi-identifier that is a number or a date, they
read where the interval begins and ends, in its text or in the columns ``_min`` and ``_max``, and say of each end that
a record of the class has exactly this value. They know how the column is counted (whole years, cents, days): where
the upper end is not in the interval itself, as in [30, 35), they say the last value before it, 34. Of an end that is
not told they say nothing. ``richest`` is the same of the whole table: somebody has the greatest end that is told.

A claim is right where at least one record of the class has the value, but fewer than k: what k records of a class
share is what the release promises to tell, and names nobody. The stated risk is 1/k, since a class of k records must
not tell more of one of them than of the others, and an end is the value of one of them. In a column of few values, such
as age, many are right who point anywhere: somebody of the class is 31, whatever its ends are. There the risk is the
rate of chance: that of the same claims about the places just inside of the ends. An end must be no better guess than
its neighbors.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import pyarrow as pa

from attacks.published import Published
from attacks.rates import Rate

N_BESIDE = 3  # places that chance points at, beside every end
INTERVAL = re.compile(r"\[(?P<low>[^,]+), (?P<high>[^,]+)(?P<end>[\])])")

Counted = Mapping[str, float]  # column -> the step in which its values are counted; dates in days
Class = tuple[str, ...]
WHO = "who"  # a column that is released as it is, for the score alone: the place of the record in the original


@dataclass(frozen=True)
class Claim:
    """A record of the class has exactly ``value`` in the column; it lies from ``low`` to ``high``."""

    of: Class
    column: str
    value: float
    low: float
    high: float


def guesses(published: Published, counted: Counted) -> list[Claim]:
    """What is said of every class, each claim once."""
    return list(dict.fromkeys(claim for row in _rows(published) for claim in _claims(row, published, counted)))


def rate(published: Published, truth: pa.Table, counted: Counted, k: int) -> Rate:
    """How many claims are right."""
    claims, values = guesses(published, counted), _values(published, truth, counted)
    return Rate(sum(0 < values[claim.of, claim.column][claim.value] < k for claim in claims), len(claims))


def risk(published: Published, truth: pa.Table, counted: Counted, k: int) -> float:
    """The stated one, or that of pointing beside the ends where this is more often right."""
    values = _values(published, truth, counted)
    beside = [(claim, place) for claim in guesses(published, counted) for place in _beside(claim, counted)]
    n_right = sum(0 < values[claim.of, claim.column][place] < k for claim, place in beside)
    return max(1 / k, n_right / max(len(beside), 1))


def _beside(claim: Claim, counted: Counted) -> Iterator[float]:
    """The next places inside of the interval."""
    inward = counted[claim.column] * (1 if claim.value == round(claim.low, 6) else -1)
    places = (round(claim.value + step * inward, 6) for step in range(1, N_BESIDE + 1))
    return (place for place in places if claim.low <= place <= claim.high)


def richest(published: Published, column: str, counted: Counted) -> float:
    """The greatest value that somebody is said to have."""
    return max(claim.value for claim in guesses(published, counted) if claim.column == column)


def extremes(manifest: Mapping[str, Any], truth: pa.Table) -> Rate:
    """Who knows the step says that the greatest value lies in the step from the last told end on, and the least in the
    step before the first."""
    right = list[bool]()
    for name, grid in manifest["grids"].items():
        values = truth[name].to_numpy()
        for of_step, end in (
            ((grid["high"] <= values) & (values < grid["high"] + grid["step"]), values.max()),
            ((grid["low"] - grid["step"] <= values) & (values < grid["low"]), values.min()),
        ):
            right.append(bool(np.isin(end, values[of_step])))
    return Rate(sum(right), len(right))


def point(text: str) -> float:
    """A number, or the days of a date since 1970."""
    if re.match(r"\d{4}-\d\d-\d\d", text):
        return float(np.datetime64(text, "us").astype(np.int64)) / 86_400_000_000
    return float(text)


def _claims(row: dict[str, str], published: Published, counted: Counted) -> Iterator[Claim]:
    of = _class(row, published)
    for name, step in counted.items():
        for low, high in _intervals(row, name, step):
            for value in (low, high):
                if abs(value) < inf:
                    yield Claim(of, name, round(value, 6), low, high)


def _intervals(row: dict[str, str], name: str, step: float) -> Iterator[tuple[float, float]]:
    """As told by the text, and by the columns of its ends: the first and the last value that can be meant."""
    found = INTERVAL.fullmatch(row[name])
    is_open = found is not None and found["end"] == ")"
    if found:
        yield _point(found["low"]), _point(found["high"]) - step * is_open
    elif row[name] not in ("", "*"):
        yield point(row[name]), point(row[name])
    if row.get(f"{name}_min") or row.get(f"{name}_max"):
        low, high = row[f"{name}_min"], row[f"{name}_max"]
        yield point(low) if low else -inf, point(high) - step * is_open if high else inf


def _point(text: str) -> float:
    return float(text) if text.endswith("inf") else point(text)


def _values(published: Published, truth: pa.Table, counted: Counted) -> dict[tuple[Class, str], Counter[float]]:
    """How many records of every class have which value; only the score knows."""
    found: dict[tuple[Class, str], Counter[float]] = defaultdict(Counter)
    of_column = {name: truth[name].to_pylist() for name in counted}
    for row in _rows(published):
        for name in counted:
            value = of_column[name][int(row[WHO])]
            if value is not None:
                found[_class(row, published), name][round(point(str(value)), 6)] += 1
    return found


def _class(row: dict[str, str], published: Published) -> Class:
    known = [name for name, rule in published.policy["columns"].items() if rule["role"] == "quasi_identifier"]
    return tuple(row[name] for name in known)


def _rows(published: Published) -> list[dict[str, str]]:
    return published.records.to_pylist()
