"""Intervals of numbers and dates as other tools write them.

text of a cell, Column -> Interval, or None where the text is in no notation

    23  23.5                      a single number
    [20, 30[  [20,30)  [20;30[    from 20 on and below 30
    [20, 29]                      both ends included
    ]20, 30]  (20,30]             above 20, up to 30
    20-29  20 - 29  20~29  20..29  20 to 29      both ends included
    >=65  65+  >65  <=17  <18     no end on one side; also with the signs for "at least" and "at most"
    2*  13***                     whole numbers: every star is one digit
    2020  2020-05                 of a column of dates: the year, the month

Ends are numbers with a decimal point, or ISO dates. Between dates a hyphen needs blanks around it. ``20,29`` is in no
notation: it may be an interval or a number with a decimal comma.
"""

from __future__ import annotations

import re
from math import inf, isfinite, nextafter

import numpy as np

from shoal.plan import Interval
from shoal.schema import Column

NOTATIONS = "20-29, [20, 30), [20, 30[, (20, 30], [20, 29], >=65, 65+, <18, 2*, *"
NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
DAY = r"\d{4}-\d\d-\d\d"
END = rf"{DAY}|{NUMBER}|[+-]?(?:[iI]nf|∞)"
BRACKETS = re.compile(rf"(?P<left>[\[\](])\s*(?P<low>{END})\s*[,;]\s*(?P<high>{END})\s*(?P<right>[\[\])])")
RANGE = re.compile(rf"(?P<low>{NUMBER})\s*(?:-|\u2013|~|\.\.|to)\s*(?P<high>{NUMBER})")
DAYS = re.compile(rf"(?P<low>{DAY})(?:\s+[-\u2013]\s+|\s*~\s*|\s*\.\.\s*|\s+to\s+)(?P<high>{DAY})")
BOUND = re.compile(rf"(?P<sign>>=|≥|<=|≤|>|<)\s*(?P<end>{DAY}|{NUMBER})")
AND_MORE = re.compile(rf"(?P<end>{NUMBER})\s*\+")
MASK = re.compile(r"(?P<digits>[1-9]\d*)(?P<stars>\*+)")
PERIOD = re.compile(r"\d{4}(-\d\d)?")


def read_interval(text: str, column: Column, *, whole: bool) -> Interval | None:
    """``whole``: all numbers of the original are whole, so that a star can stand for a digit."""
    text = text.strip()
    if column.kind == "date" and PERIOD.fullmatch(text):
        return _period(text)
    if point := re.fullmatch(END, text):
        end = _end(point[0], column)
        return Interval(end, end, closed=True) if end is not None and isfinite(end) else None
    if found := BRACKETS.fullmatch(text):
        return _between(found, column, opens=found["left"] != "[", closed=found["right"] == "]")
    if found := (DAYS if column.kind == "date" else RANGE).fullmatch(text):
        return _between(found, column, opens=False, closed=True)
    if found := BOUND.fullmatch(text):
        return _bound(found["sign"], _end(found["end"], column), column)
    if found := AND_MORE.fullmatch(text):
        return _bound(">=", _end(found["end"], column), column)
    masked = MASK.fullmatch(text) if whole and column.kind == "numeric" else None
    return _mask(masked) if masked else None


def _between(found: re.Match[str], column: Column, *, opens: bool, closed: bool) -> Interval | None:
    low, high = _end(found["low"], column), _end(found["high"], column)
    if low is None or high is None or low > high or low == inf or high == -inf:
        return None
    low = _after(low, column) if opens and isfinite(low) else low
    if low > high or (low == high and not closed):
        return None
    return Interval(low if isfinite(low) else None, high if isfinite(high) else None, closed and isfinite(high))


def _bound(sign: str, end: float | None, column: Column) -> Interval | None:
    if end is None or not isfinite(end):
        return None
    if sign in (">", ">=", "≥"):
        return Interval(_after(end, column) if sign == ">" else end, None)
    return Interval(None, end, closed=sign != "<")


def _mask(found: re.Match[str]) -> Interval:
    step = 10.0 ** len(found["stars"])
    return Interval(int(found["digits"]) * step, (int(found["digits"]) + 1) * step)


def _end(text: str, column: Column) -> float | None:
    """A number, or a date as days since 1970; None where the text is not of the kind of the column."""
    if text.lower().lstrip("+-") in ("inf", "∞"):
        return -inf if text.startswith("-") else inf
    is_day = re.fullmatch(DAY, text) is not None
    if is_day != (column.kind == "date"):
        return None
    return _days(text) if is_day else float(text)


def _after(end: float, column: Column) -> float:
    """The first value above an end that does not belong to the interval."""
    return end + 1 if column.kind == "date" else nextafter(end, inf)


def _period(text: str) -> Interval | None:
    """A year or a month, from its first day to that of the next."""
    try:
        first = np.datetime64(text)
    except ValueError:
        return None
    unit, _ = np.datetime_data(first.dtype)
    return Interval(_days(str(first)), _days(str(first + np.array(1, f"timedelta64[{unit}]"))))


def _days(text: str) -> float | None:
    try:
        return float(np.datetime64(text).astype("datetime64[D]").astype(np.int64))
    except ValueError:
        return None
