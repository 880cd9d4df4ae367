"""Sets of categories as other tools write them.

text of a cell, the known values of the column -> the values that it may stand for

    {a, b}  [a, b]  (a, b)  a,b  a;b  a|b  a~b    every part is a value of the original
    13***  *3                                     every star is one character; a single star at the end of a beginning
                                                  that no value of this length has stands for any number of them
    20-29  >=65                                   where all values are numbers: an interval, see interval_notation.py
    *  ***                                        any value

A text that is a value itself and can be read as a set of other values, too, is ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from shoal.assessment.interval_notation import read_interval
from shoal.plan import Interval
from shoal.schema import Column

BRACKETS = {"{": "}", "[": "]", "(": ")"}
SEPARATORS = (",", ";", "|", "~")
NUMERIC = Column("", kind="numeric")


def read_set(text: str, values: Collection[str]) -> tuple[str, ...] | None:
    """The values, in the order of ``values``; all of them for stars; None where the text is in no notation."""
    if text and not text.strip("*"):
        return tuple(values)
    inside = _listed(text, values) or _masked(text, values) or _in_interval(text, values)
    return tuple(value for value in values if value in inside) if inside else None


def is_ambiguous(text: str, values: Collection[str]) -> bool:
    """Whether a text that is a value can also be read as a set of others."""
    return text in values and bool(_listed(text, values))


def _listed(text: str, values: Collection[str]) -> frozenset[str]:
    """The parts of a list of two or more values; none where a part is not a value."""
    bare = text.strip()
    if bare and BRACKETS.get(bare[0]) == bare[-1]:
        bare = bare[1:-1]
    for separator in SEPARATORS:
        parts = [_unquoted(part.strip()) for part in bare.split(separator)]
        if len(parts) > 1 and len(set(parts)) == len(parts) and all(part in values for part in parts):
            return frozenset(parts)
    return frozenset()


def _unquoted(part: str) -> str:
    return part[1:-1] if len(part) > 1 and part[0] == part[-1] and part[0] in "\"'" else part


def _masked(text: str, values: Collection[str]) -> frozenset[str]:
    if "*" not in text:
        return frozenset()
    pattern = re.compile(re.escape(text).replace(r"\*", "."), re.DOTALL)
    found = frozenset(value for value in values if pattern.fullmatch(value))
    if found or text.count("*") > 1 or not text.endswith("*"):
        return found
    return frozenset(value for value in values if value.startswith(text[:-1]))


def _in_interval(text: str, values: Collection[str]) -> frozenset[str]:
    interval = read_interval(text, NUMERIC, whole=False)
    if interval is None or interval.low == interval.high:
        return frozenset()
    numbers = {value: _number(value) for value in values}  # only now: a column may have many values and many texts
    if any(number is None for number in numbers.values()):
        return frozenset()
    return frozenset(value for value, number in numbers.items() if number is not None and _contains(interval, number))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _contains(interval: Interval, number: float) -> bool:
    above = interval.low is None or interval.low <= number
    return above and (interval.high is None or number < interval.high or (interval.closed and number == interval.high))
