"""The gate's reader of extents: it implements the documented grammar and shares no code with the writer.

written texts of one column, Column -> extents, their lengths, and faults where a text is not of the grammar

The length of an interval is in units of the column, for dates in days; that of a node of a taxonomy is its level (0 for
a single value); that of ordinal values and sets is their number minus one. For an ordinal column without a declared
order only the ends are known: values between them are not counted. Missing and ``*`` disclose no value and have
infinite length, except that ``*`` in a nominal column with a taxonomy is its root.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, isfinite, nan
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.kernels import Vector
from shoal.schema import Column, Taxonomy
from shoal.schema.extent import AnyExtent, Extent, Interval, MissingExtent, Span, TaxonomyNode, Values

MICROSECONDS_OF_A_DAY = 86_400_000_000  # stated here again: the gate shares no conversion with the writer
NUMERIC = Column("", kind="numeric")
NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
DAY = re.compile(r"[+-]?\d{4,5}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?")
INTERVAL = re.compile(r"\[(?P<low>[^\[\],]+), (?P<high>[^\[\],]+)(?P<end>[\])])")
WORD = r'"(?:[^"]|"")*"|[^"{},\s](?:[^"{},]*[^"{},\s])?'  # quoted, or plain without leading and trailing blanks
SPAN = re.compile(rf"\[(?P<low>{WORD}) \.\. (?P<high>{WORD})\]")
SET = re.compile(rf"\{{(?:{WORD})(?:, (?:{WORD}))+\}}")


@dataclass(frozen=True)
class ReadExtents:
    """The extents parsed from texts; None where a text is not of the grammar."""

    column: Column
    extents: tuple[Extent | None, ...]

    @property
    def lengths(self) -> Vector:
        """(n_texts,) lengths of the extents; NaN where a text cannot be parsed."""
        found = [nan if extent is None else length(extent, self.column) for extent in self.extents]
        return np.array(found, dtype=np.float64)

    @property
    def faults(self) -> tuple[str, ...]:
        n_strange = sum(extent is None for extent in self.extents)
        what = f"the column '{self.column.name}' holds {n_strange} values that are not extents of its kind"
        return (what,) if n_strange else ()


def read_extents(texts: pa.Array[Any] | pa.ChunkedArray[Any], column: Column) -> ReadExtents:
    """The extents parsed from cells of one column; distinct cells suffice and are faster."""
    plain: Any = pc.cast(texts, pa.string())
    levels = _levels(column.taxonomy)
    return ReadExtents(column, tuple(_read(text, column, levels) for text in plain.to_pylist()))


def interval_within(part: str, whole: str) -> bool:
    """Whether an interval of numbers, as it is written, lies within another; a text that is no interval, in itself."""
    inner, outer = _numbers(part, NUMERIC), _numbers(whole, NUMERIC)
    return part == whole or (inner is not None and outer is not None and _contains(outer, inner))


def length(extent: Extent, column: Column) -> float:
    """How coarse an extent is: 0 for a single value."""
    match extent:
        case Interval():
            return inf if extent.low is None or extent.high is None else extent.high - extent.low
        case TaxonomyNode():
            return float(extent.level)
        case Span(values) | Values(values):
            return float(len(values) - 1)
        case AnyExtent() if column.taxonomy is not None and column.kind == "nominal":
            return float(column.taxonomy.height)
        case _:
            return inf


def _levels(taxonomy: Taxonomy | None) -> dict[str, int]:
    """The level of every label of the taxonomy, the lowest where a label occurs at several."""
    levels: dict[str, int] = {}
    for path in taxonomy.paths if taxonomy else ():
        for level, label in enumerate(path):
            levels[label] = min(level, levels.get(label, level))
    return levels


def _read(text: str | None, column: Column, levels: dict[str, int]) -> Extent | None:
    if text is None:
        return MissingExtent()
    if text == "*" and levels.get(text, inf) >= (column.taxonomy.height if column.taxonomy else 0):
        return AnyExtent()
    if column.kind == "nominal" and column.taxonomy:
        return TaxonomyNode(text, levels[text]) if text in levels else None
    by_kind = {"numeric": _numbers, "date": _numbers, "ordinal": _span, "nominal": _set}[column.kind](text, column)
    return TaxonomyNode(text, levels[text]) if by_kind is None and text in levels else by_kind


def _numbers(text: str, column: Column) -> Interval | None:
    point = _point(text, column)
    if point is not None:
        return Interval(point, point, closed=True)
    found = INTERVAL.fullmatch(text)
    if found is None:
        return None
    closed = found["end"] == "]"
    low = -inf if found["low"] == "-inf" else _point(found["low"], column)
    high = inf if found["high"] == "inf" and not closed else _point(found["high"], column)
    if low is None or high is None or low >= high:
        return None
    return Interval(low if isfinite(low) else None, high if isfinite(high) else None, closed)


def _point(text: str, column: Column) -> float | None:
    """A finite number, or a date as days since 1970; None where the text is neither."""
    if column.kind == "date":
        return _days(text) if DAY.fullmatch(text) else None
    value = float(text) if NUMBER.fullmatch(text) else inf
    return value if isfinite(value) else None


def _days(text: str) -> float | None:
    try:
        moment = np.datetime64(text, "us")
    except ValueError:
        return None
    return float(moment.astype(np.int64)) / MICROSECONDS_OF_A_DAY


def _intervals(text: str, column: Column) -> Span | None:
    """Neighboring intervals of a recoded column, written as one; without a declared order, the one that is written."""
    found = _numbers(text, NUMERIC)
    if found is None or found.closed:
        return None
    if column.order is None:
        return Span((text,))
    parts = [(label, part) for label in column.order if (part := _numbers(label, NUMERIC))]
    inside = [(label, part) for label, part in parts if _contains(found, part)]
    ends = (inside[0][1].low, inside[-1][1].high) if inside else None
    return Span(tuple(label for label, _ in inside)) if ends == (found.low, found.high) else None


def _contains(whole: Interval, part: Interval) -> bool:
    low, high = -inf if whole.low is None else whole.low, inf if whole.high is None else whole.high
    return low <= (-inf if part.low is None else part.low) and (inf if part.high is None else part.high) <= high


def _span(text: str, column: Column) -> Span | None:
    if column.in_grammar:
        return _intervals(text, column)
    found = SPAN.fullmatch(text)
    ends = [_word(found["low"]), _word(found["high"])] if found else [_word(text)]
    if any(end is None for end in ends):
        return None
    known = [str(end) for end in ends]
    if column.order is None:
        return Span(tuple(known)) if len(set(known)) == len(known) else None
    if not set(known) <= set(column.order):
        return None
    values = column.order[column.order.index(known[0]) : column.order.index(known[-1]) + 1]
    return Span(values) if len(values) >= len(known) else None


def _set(text: str, column: Column) -> Values | None:
    if not SET.fullmatch(text):
        word = _word(text)
        return None if word is None else Values((word,))
    words = [_word(part) for part in re.findall(WORD, text[1:-1])]
    known = tuple(word for word in words if word is not None)
    return Values(known) if len(set(known)) == len(words) else None


def _word(text: str) -> str | None:
    """A single value without its quotes; None where quotes are required but missing, or are not closed."""
    if not re.fullmatch(WORD, text):
        return None
    if text.startswith('"'):
        return text[1:-1].replace('""', '"')
    unclear = text == "*" or text.startswith("[") or " .. " in f" {text} "
    return None if unclear else text
