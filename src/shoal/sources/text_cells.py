"""Columns as the texts of a CSV.

Reals are written with the fewest digits that read back as the same number, and always as reals (`1.0`, not `1`), so
that a column keeps its type. Times of day have no more digits than they need: 10:30:00, not 10:30:00.000000.
"""

from __future__ import annotations

import re

import pyarrow as pa

from shoal.errors import SourceError
from shoal.sources.compute import Column, pc
from shoal.sources.formulas import with_apostrophes
from shoal.sources.options import ReadOptions
from shoal.sources.text_dates import has_time_of_day

DIGITS = set("0123456789+-.,einfa")
OUT_OF_RANGE = "<value out of range"  # what Arrow writes for a date that it cannot represent


def to_cells(name: str, values: Column, options: ReadOptions) -> Column:
    """The texts of one column, quoted where needed; null where missing."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        return to_cells(name, values.dictionary_decode(), options)
    if pa.types.is_floating(kind):
        texts = _reals(values, options.decimal or ".")
    elif pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        texts = _dates(name, values, options.date_format)
    else:
        texts = _texts(name, values)
        texts = _short_fractions(texts) if pa.types.is_time(kind) else texts
        if options.apostrophes and pa.types.is_string(kind):
            texts = with_apostrophes(texts)
    # The digits of numbers are checked only where one may be the delimiter.
    is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind)
    return texts if is_number and options.delimiter not in DIGITS else quote_where_needed(texts, options)


def _texts(name: str, values: Column) -> Column:
    try:
        texts = pc.cast(values, pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise SourceError.cannot_write_column(name, "CSV", f"{values.type} has no text form") from None
    if pc.any(pc.match_substring(texts, "\0"), min_count=0).as_py():
        raise SourceError.cannot_write_column(name, "CSV", "it contains NUL characters, which a CSV cannot store")
    return texts


def quote_where_needed(texts: Column, options: ReadOptions) -> Column:
    """The texts, in quotes where they contain a delimiter, a quote, a line end or a byte order mark."""
    quote = options.quote or '"'
    special = "[" + re.escape(f"{options.delimiter or ','}{quote}") + "\r\n\ufeff]"
    is_special = pc.match_substring_regex(texts, special)
    if not pc.any(is_special, min_count=0).as_py():
        return texts
    doubled = pc.replace_substring(texts, quote, quote * 2)
    return pc.if_else(is_special, pc.binary_join_element_wise(quote, doubled, quote, ""), texts)


def _reals(values: Column, decimal: str) -> Column:
    values = pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)
    texts = pc.cast(values, pa.string())
    is_whole = pc.match_substring_regex(texts, "^-?[0-9]+$")
    texts = pc.if_else(is_whole, pc.binary_join_element_wise(texts, ".0", ""), texts)
    return texts if decimal == "." else pc.replace_substring(texts, ".", decimal)


def _dates(name: str, values: Column, date_format: str | None) -> Column:
    # A format without a time of day would drop the time.
    is_formatted = date_format is not None and (pa.types.is_date(values.type) or has_time_of_day(date_format))
    if date_format is None or not is_formatted:
        texts = pc.cast(values, pa.string())
        if pc.any(pc.starts_with(texts, OUT_OF_RANGE), min_count=0).as_py():
            raise SourceError.cannot_write_column(name, "CSV", "it contains dates outside the range of the calendar")
        return _short_fractions(texts) if pa.types.is_timestamp(values.type) else texts
    seconds = pa.timestamp("s", getattr(values.type, "tz", None))
    return pc.strftime(pc.cast(values, seconds, safe=False), format=date_format)


def _short_fractions(texts: Column) -> Column:
    """Times of day with whole seconds, milliseconds or microseconds, whichever is enough for the cell."""
    for _ in range(3):
        texts = pc.replace_substring_regex(texts, r"([.]([0-9]{3})*)000(Z?)$", r"\1\3")
    return pc.replace_substring_regex(texts, r"[.](Z?)$", r"\1")
