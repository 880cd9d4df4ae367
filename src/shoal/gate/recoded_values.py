"""The gate for columns that were recoded by hand: nothing in them may be finer than the policy declares.

written values of one column, its declared domain -> faults

The texts are read with the gate's own code: neither the labels nor the rules come from what recoded the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import Any

import pyarrow as pa

from shoal.gate.extent_reader import NUMBER, read_extents
from shoal.schema import Column
from shoal.schema.extent import Extent, Interval, Span, TaxonomyNode, Values

PARTS = {
    "month": re.compile(r"\d{4}-(0[1-9]|1[0-2])"),
    "quarter": re.compile(r"\d{4}-Q[1-4]"),
    "decade": re.compile(r"\d{1,3}0s|0s"),
}
LAST_YEAR = 9999


@dataclass(frozen=True)
class RecodedDomain:
    """What a recoded column may hold: one of these rules is set, or one or both of the bounds; years may have
    bounds, too."""

    intervals: tuple[float, ...] | None = None  # bounds of the only intervals
    width: float | None = None  # of all intervals, which begin at its multiples
    date_part: str | None = None
    prefix: int | None = None  # characters of a code that may be shown
    labels: frozenset[str] | None = None  # the only labels
    merged: frozenset[str] | None = None  # categories that must no longer occur
    bottom: float | None = None
    top: float | None = None
    are_steps: bool = True  # numbers are single years or values within the bounds, not means or perturbed values


def recoding_faults(
    texts: pa.ChunkedArray[Any], domain: RecodedDomain, column: Column, *, by_extents: bool
) -> tuple[str, ...]:
    """A fault where values are not of the declared domain. ``texts``: the different cells of the written column;
    ``by_extents``: they are extents of recoded values."""
    known = [str(text) for text in texts.drop_null().cast(pa.string()).to_pylist()]
    values = list(_values_in(known, column)) if by_extents else known
    n_outside = (
        sum(not _is_inside(value, domain, by_extents) for value in values) if _is_checked(domain, by_extents) else 0
    )
    what = f"the column '{column.name}' holds {n_outside} values that are not of its recoding, or finer"
    return (what,) if n_outside else ()


def _is_checked(domain: RecodedDomain, by_extents: bool) -> bool:
    """Whether single values are shown: extents of numbers are not, and the ends that they may have are proved
    elsewhere."""
    are_numbers = domain.date_part == "year" or domain.bottom is not None or domain.top is not None
    return not (are_numbers and by_extents)


def _values_in(texts: Sequence[str], column: Column) -> Iterator[str]:
    """The recoded values that extents name; a text that is no extent is named as it is."""
    for text, extent in zip(texts, read_extents(pa.chunked_array([texts], pa.string()), column).extents, strict=True):
        yield from _named(text, extent)


def _named(text: str, extent: Extent | None) -> tuple[str, ...]:
    match extent:
        case Span(values) | Values(values):
            return values
        case TaxonomyNode(label):
            return (label,)
        case None | Interval():
            return (text,)
        case _:
            return ()


def _is_inside(value: str, domain: RecodedDomain, may_be_joined: bool) -> bool:
    """``may_be_joined``: several neighboring intervals may be written as one."""
    if domain.prefix is not None:
        return value == "*" or (value.endswith("*") and len(value) <= domain.prefix + 1)
    if domain.labels is not None:
        return value in domain.labels
    if domain.merged is not None:
        return value not in domain.merged
    if domain.intervals is not None or domain.width is not None:
        return _is_interval(value, domain, may_be_joined)
    if domain.date_part in PARTS:
        return PARTS[domain.date_part].fullmatch(value) is not None
    return _is_number(value, domain)


def _is_number(value: str, domain: RecodedDomain) -> bool:
    """A year, or a number within the bounds; of means and perturbed values only that they are numbers."""
    plain = value.replace(",", ".")  # a CSV may have decimal commas
    number = float(plain) if NUMBER.fullmatch(plain) else None
    if number is None or not domain.are_steps:
        return number is not None
    if domain.date_part is not None and not (number.is_integer() and 0 < number <= LAST_YEAR):
        return False
    low, high = (-inf if domain.bottom is None else domain.bottom), (inf if domain.top is None else domain.top)
    return low <= number <= high


def _is_interval(value: str, domain: RecodedDomain, may_be_joined: bool) -> bool:
    """Whether the interval is one of those that the policy declares, or joins several of them."""
    found = read_extents(pa.chunked_array([[value]], pa.string()), Column("", kind="numeric")).extents[0]
    if not isinstance(found, Interval) or found.closed:
        return False
    if domain.intervals is not None:
        bounds: list[float | None] = [None, *domain.intervals, None]
        return (found.low, found.high) in pairwise(bounds)
    if found.low is None or found.high is None:
        return False
    n_steps = _n_steps(found.low, found.high, float(domain.width or 0))
    return n_steps == 1 or (may_be_joined and n_steps > 1)


def _n_steps(low: float, high: float, width: float) -> int:
    """How many widths lie between two multiples of it, as decimals: 0.3 is three times 0.1; 0 for other numbers."""
    step = Fraction(repr(width))
    first, last = round(Fraction(repr(low)) / step), round(Fraction(repr(high)) / step)
    return last - first if (float(first * step), float(last * step)) == (low, high) else 0
