"""Dates: a column of texts as date32, or as timestamps where it tells the time of day."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa

from shoal.sources.compute import Column, pc
from shoal.sources.misfit import Misfit

LOCAL = (pa.date32(), pa.timestamp("us"), pa.timestamp("ns"))
ZONED = (pa.timestamp("us", "UTC"), pa.timestamp("ns", "UTC"))
TIME_OF_DAY = re.compile(r"%[EO]?[HIkMSTRrcsXpl]")


def to_dates(texts: Column, date_format: str | None = None) -> Column:
    """The dates that the texts write; raises Misfit."""
    if date_format is not None:
        return _by_format(texts, date_format)
    for kind in (*LOCAL, *ZONED):
        try:
            return pc.cast(texts, kind)
        except pa.ArrowInvalid:
            continue
    # Local and zoned times do not mix: whichever is rarer is the odd one.
    raise min((Misfit("ISO date", _not_iso(texts, kinds)) for kinds in (LOCAL, ZONED)), key=lambda odd: odd.n)


def tells_time(date_format: str) -> bool:
    return bool(TIME_OF_DAY.search(date_format))


def _not_iso(texts: Column, kinds: tuple[pa.DataType, ...]) -> Column:
    known = pc.unique(texts)
    odd = [text.as_py() for text in known if text.is_valid and not any(_casts(text, kind) for kind in kinds)]
    return pc.and_(pc.is_valid(texts), pc.is_in(texts, value_set=pa.array(odd, texts.type)))


def _casts(text: pa.Scalar[Any], kind: pa.DataType) -> bool:
    try:
        text.cast(kind)
    except pa.ArrowInvalid:
        return False
    return True


def _by_format(texts: Column, date_format: str) -> Column:
    times = pc.strptime(texts, format=date_format, unit="s", error_is_null=True)
    # strptime makes March 2 of February 31: only what writes itself back was a date.
    same = pc.equal(_unpadded(pc.strftime(times, format=date_format)), _unpadded(texts))
    misfits = pc.and_(pc.is_valid(texts), pc.invert(pc.fill_null(same, False)))
    if pc.any(misfits, min_count=0).as_py():
        raise Misfit(f"date written {date_format}", misfits)
    return pc.cast(times, pa.timestamp("us") if tells_time(date_format) else pa.date32())


def _unpadded(texts: Column) -> Column:
    """Small letters and no zero before a single digit: two ways of writing that strptime reads alike."""
    return pc.utf8_lower(pc.replace_substring_regex(texts, r"\b0([0-9])\b", r"\1"))
