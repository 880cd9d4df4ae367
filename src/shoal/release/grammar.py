"""Writing of extents as text, in the grammar of docs/representations.md, which the gate parses with its own reader.

    [30, 35)                    numbers from 30 on and below 35; [30, 34] includes 34
    [-inf, 30)  [85, inf)       no end on this side
    [2020-01-01, 2021-01-01)    dates, and times as 2020-01-01T12:30:00, both in UTC
    [low .. high]               consecutive values of an ordinal column
    {a, b}                      some values of a nominal column
    label                       a node of a taxonomy, or a single value
    *                           any value, or missing
    (null)                      missing

Values that are intervals already, because the column was recoded, are joined: [18, 40) and [40, 65) are [18, 65).
A value that could be mistaken for another form is put in double quotes, with quotes in it doubled. Labels of a taxonomy
are never quoted: the reader has the tree. Numbers are written in the shortest form that reads the same, whole numbers
without a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.plan import AnyExtent, Extent, Extents, Interval, MissingExtent, Span, TaxonomyNode, Values
from shoal.schema import Column
from shoal.schema.time_unit import days_to_microseconds

ANYTHING = "*"
EVERYTHING = "[-inf, inf)"  # written as ANYTHING
LARGEST_WHOLE = 2**53  # beyond, a float64 may be a rounded number


def write(extents: Extents, column: Column) -> pa.Array[Any]:
    """(n_distinct,) the text of every distinct extent; ``take(extents.of_group)`` gives that of every group."""
    return pa.array([_text(extent, column) for extent in extents.distinct], pa.string())


def bounds(extents: Extents, column: Column) -> tuple[pa.Array[Any], pa.Array[Any]]:
    """(n_distinct,) lower and upper ends of every interval as numbers or dates, null where there is no end or interval.

    They are the ends as written: the upper end belongs to the interval only if that is closed.
    """
    intervals = [extent if isinstance(extent, Interval) else Interval(None, None) for extent in extents.distinct]
    ends = [interval.low for interval in intervals], [interval.high for interval in intervals]
    return _typed(ends[0], ends, column), _typed(ends[1], ends, column)


def _typed(values: Sequence[float | None], both: tuple[Sequence[float | None], ...], column: Column) -> pa.Array[Any]:
    """The ends with a type that both share: integers if all are whole, dates if all are whole days."""
    whole = all(value is None or _is_whole(value) for ends in both for value in ends)
    if column.kind == "date" and not whole:
        micro = [None if value is None else days_to_microseconds(value) for value in values]
        return pa.array(micro, pa.timestamp("us"))
    numbers = pa.array([None if value is None else float(value) for value in values], pa.float64())
    if column.kind == "date":
        return numbers.cast(pa.int32()).cast(pa.date32())
    return numbers.cast(pa.int64()) if whole else numbers


def _text(extent: Extent, column: Column) -> str | None:
    match extent:
        case MissingExtent():
            return None
        case AnyExtent():
            return ANYTHING
        case Interval():
            return _interval(extent, column)
        case TaxonomyNode():
            return extent.label
        case Span(values) | Values(values) if column.in_grammar and (column.kind == "ordinal" or len(values) == 1):
            return _joined(values[0], values[-1])
        case Span(values) | Values(values) if len(values) == 1:
            return _quoted(values[0])
        case Span(values):
            return f"[{_quoted(values[0])} .. {_quoted(values[-1])}]"
        case Values(values):
            return "{" + ", ".join(_quoted(value) for value in values) + "}"


def _joined(first: str, last: str) -> str:
    """The interval from the beginning of the first to the end of the last, of values that are intervals already."""
    if first == last:
        return first
    text = f"{first.partition(', ')[0]}, {last.partition(', ')[2]}"
    return ANYTHING if text == EVERYTHING else text


def _interval(interval: Interval, column: Column) -> str:
    point = _day if column.kind == "date" else _number
    if interval.closed and interval.low is not None and interval.low == interval.high:
        return point(interval.low)
    low = "-inf" if interval.low is None else point(interval.low)
    high = "inf" if interval.high is None else point(interval.high)
    return f"[{low}, {high}{']' if interval.closed and interval.high is not None else ')'}"


def _number(value: float) -> str:
    return str(int(value)) if _is_whole(value) else repr(float(value))


def _is_whole(value: float) -> bool:
    return float(value).is_integer() and abs(value) < LARGEST_WHOLE


def _day(value: float) -> str:
    if float(value).is_integer():
        return str(np.datetime64(int(value), "D"))
    micro = days_to_microseconds(value)
    whole_seconds = micro % 1_000_000 == 0
    return str(np.datetime64(micro // 1_000_000, "s") if whole_seconds else np.datetime64(micro, "us"))


def _quoted(value: str) -> str:
    """The value, quoted where its commas, braces, quotes, brackets, blanks, dots or star could be misread as syntax."""
    misleads = any(mark in value for mark in '{},"') or " .. " in f" {value} "
    if misleads or value in ("", ANYTHING) or value != value.strip() or value.startswith("["):
        return '"' + value.replace('"', '""') + '"'
    return value
