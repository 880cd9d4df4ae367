"""Columns of text as date32, or as timestamps where they include the time of day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from shoal.errors import listed
from shoal.sources.compute import Column, pc
from shoal.sources.conversion_error import ConversionError

LOCAL = (pa.date32(), pa.timestamp("us"), pa.timestamp("ns"))
ZONED = (pa.timestamp("us", "UTC"), pa.timestamp("ns", "UTC"))
NATIONAL_FORMATS = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y")
LIKE_NATIONAL_FORMATS = "^[0-9]{1,2}([.]|/)[0-9]{1,2}([.]|/)[0-9]{4}$"
NEARLY_ALL = 0.95
AMBIGUOUS = "the day or the month may come first, so these dates are read as text unless date_format is declared"
SEVERAL = "dates are written in several formats and date_format can state only one, so these are read as text"
ISO_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")  # how every date and time begins that Arrow reads
TIME_OF_DAY = re.compile(r"%[EO]?[HIkMSTRrcsXpl]")


def to_dates(texts: Column, date_format: str | None = None) -> Column:
    """The dates that the texts denote; raises ConversionError."""
    if date_format is not None:
        return _by_format(texts, date_format)
    dates = iso_dates(texts)
    if dates is not None:
        return dates
    # Local and zoned times do not mix: whichever is rarer is the misfit.
    raise min(
        (ConversionError("an ISO date", _not_iso(texts, kinds)) for kinds in (LOCAL, ZONED)),
        key=lambda unreadable: unreadable.n,
    )


def iso_dates(texts: Column) -> Column | None:
    """The dates that the texts denote; None where one of them is no ISO date."""
    for kind in (*LOCAL, *ZONED):
        try:
            return pc.cast(texts, kind)
        except pa.ArrowInvalid:
            continue
    return None


def has_time_of_day(date_format: str) -> bool:
    return bool(TIME_OF_DAY.search(date_format))


@dataclass(frozen=True)
class WrittenDates:
    """The date format of the text columns that are not ISO 8601."""

    date_format: str | None = None
    """The one format that they follow; None where there is none, or where it cannot be determined."""
    n_misfits: Mapping[str, int] = field(default_factory=dict)
    """The columns that follow it, and how many of their cells do not."""
    notes: tuple[str, ...] = ()
    """Why it cannot be determined."""


def detect_date_format(table: pa.Table, *, is_typed: bool) -> WrittenDates:
    """The one date format of all text columns. In a source without types, columns that were read as ISO dates count as
    another format."""
    texts = [name for name in table.column_names if pa.types.is_string(table[name].type)]
    matching = {name: found for name in texts if (found := _matching_formats(table[name]))}
    if not matching:
        return WrittenDates()
    formats = {min(found, key=found.__getitem__) for found in matching.values() if _is_unambiguous(found)}
    some_are_iso = not is_typed and any(pa.types.is_temporal(kind) for kind in table.schema.types)
    if not formats:
        return WrittenDates(notes=(f"{AMBIGUOUS}: {listed(matching)}",))
    if len(formats) > 1 or some_are_iso:
        return WrittenDates(notes=(f"{SEVERAL}: {listed(matching)}",))
    (date_format,) = formats
    return WrittenDates(
        date_format, {name: found[date_format] for name, found in matching.items() if date_format in found}
    )


def _matching_formats(texts: Column) -> dict[str, int]:
    """The formats that nearly all texts of a column follow, and how many texts do not."""
    present = pc.drop_null(texts)
    most = (1 - NEARLY_ALL) * len(present)
    if not len(present) or pc.sum(pc.invert(pc.match_substring_regex(present, LIKE_NATIONAL_FORMATS))).as_py() > most:
        return {}
    n_misfits = {candidate: int(pc.sum(_misfits(present, candidate)[0]).as_py()) for candidate in NATIONAL_FORMATS}
    return {candidate: n for candidate, n in n_misfits.items() if n <= most}


def _is_unambiguous(n_misfits: Mapping[str, int]) -> bool:
    """Whether one format fits better than all others."""
    best, *others = sorted(n_misfits.values())
    return not others or best < others[0]


def _not_iso(texts: Column, kinds: tuple[pa.DataType, ...]) -> Column:
    present = pc.unique(texts)
    unreadable = [text.as_py() for text in present if text.is_valid and not any(_casts(text, kind) for kind in kinds)]
    return pc.and_(pc.is_valid(texts), pc.is_in(texts, value_set=pa.array(unreadable, texts.type)))


def _casts(text: pa.Scalar[Any], kind: pa.DataType) -> bool:
    try:
        text.cast(kind)
    except pa.ArrowInvalid:
        return False
    return True


def _by_format(texts: Column, date_format: str) -> Column:
    misfits, times = _misfits(texts, date_format)
    if pc.any(misfits, min_count=0).as_py():
        raise ConversionError(f"a date in the format {date_format}", misfits)
    return pc.cast(times, pa.timestamp("us") if has_time_of_day(date_format) else pa.date32())


def _misfits(texts: Column, date_format: str) -> tuple[Column, Column]:
    """Which texts are not dates in this format, and the dates of the others."""
    times = pc.strptime(texts, format=date_format, unit="s", error_is_null=True)
    # strptime turns February 31 into a day of March: only what formats back to itself was a date.
    same = pc.equal(_unpadded(pc.strftime(times, format=date_format)), _unpadded(texts))
    return pc.and_(pc.is_valid(texts), pc.invert(pc.fill_null(same, False))), times


def _unpadded(texts: Column) -> Column:
    """Lower case, and no zero before a single digit: variants that strptime reads alike."""
    return pc.utf8_lower(pc.replace_substring_regex(texts, r"\b0([0-9])\b", r"\1"))
