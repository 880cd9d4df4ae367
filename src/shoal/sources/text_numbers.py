"""Columns of text as int64 where every value is whole, else as float64.

Nothing is rounded silently except the decimal fraction of a real: a whole number that its type cannot hold exactly is a
misfit, as are "nan", "inf", hexadecimals and spaces. Where a mark of thousands is declared, it divides the whole part
into groups of exactly three digits, or it does not occur: 1.23.4 is a misfit.
"""

from __future__ import annotations

import pyarrow as pa

from shoal.sources.compute import Column, pc
from shoal.sources.conversion_error import ConversionError

EXACT = 2**53  # from here on float64 does not hold every integer
WHOLE = "^-?[0-9]+$"
# Signs that look like the declared mark of thousands: blanks of several widths, the typographic apostrophe.
MARKS = {".": "[.]", ",": ",", "'": "['\u2019]", " ": "[ \u00a0\u2007\u2009\u202f]"}


def to_numbers(texts: Column, decimal: str = ".", thousands: str | None = None) -> Column:
    """The numbers that the texts denote; raises ConversionError. Regular expressions are used only where needed."""
    if thousands is not None:
        texts = _without_thousands(texts, MARKS[thousands], decimal)
    plain = _plain(texts, decimal)
    try:
        reals = pc.cast(plain, pa.float64())
    except pa.ArrowInvalid:
        raise ConversionError("a number", _not_numbers(texts, decimal)) from None
    if not pc.all(pc.is_finite(reals), min_count=0).as_py():
        raise ConversionError("a number", _not_numbers(texts, decimal))
    try:
        return pc.cast(plain, pa.int64())
    except pa.ArrowInvalid:
        _check_exact(plain, reals)
        return reals


def _without_thousands(texts: Column, mark: str, decimal: str) -> Column:
    """The texts without this mark, where it divides groups of three digits."""
    marked = pc.match_substring_regex(texts, mark)
    if not pc.any(marked, min_count=0).as_py():
        return texts
    point = "[.]" if decimal == "." else ","
    grouped = pc.match_substring_regex(texts, rf"^[+-]?[0-9]{{1,3}}({mark}[0-9]{{3}})+({point}[0-9]*)?$")
    without = pc.if_else(grouped, pc.replace_substring_regex(texts, mark, ""), texts)
    wrong = pc.and_not(marked, grouped)
    if pc.any(wrong, min_count=0).as_py():
        unmarked = pc.if_else(wrong, "0", without)
        raise ConversionError("a number with groups of three digits", pc.or_(wrong, _not_numbers(unmarked, decimal)))
    return without


def _plain(texts: Column, decimal: str) -> Column:
    """The texts with a decimal point and no plus sign, as Arrow reads them."""
    if decimal == ",":
        if pc.any(pc.match_substring(texts, "."), min_count=0).as_py():
            raise ConversionError("a number", _not_numbers(texts, decimal))
        texts = pc.replace_substring(texts, ",", ".")
    if pc.any(pc.starts_with(texts, "+"), min_count=0).as_py():
        texts = pc.replace_substring_regex(texts, r"^\+([0-9.])", r"\1")
    return texts


def _not_numbers(texts: Column, decimal: str) -> Column:
    """Which texts are not numbers, or are too large for a float64."""
    mark = "[.]" if decimal == "." else ","
    number = rf"^[+-]?([0-9]+{mark}?[0-9]*|{mark}[0-9]+)([eE][+-]?[0-9]+)?$"
    is_number = pc.match_substring_regex(texts, number)
    point = pc.replace_substring(pc.if_else(is_number, texts, "0"), ",", ".")
    return pc.invert(pc.and_(is_number, pc.is_finite(pc.cast(point, pa.float64()))))


def _check_exact(plain: Column, reals: Column) -> None:
    large = pc.fill_null(pc.greater_equal(pc.abs(reals), EXACT), False)
    if not pc.any(large, min_count=0).as_py():
        return
    whole = pc.and_(large, pc.fill_null(pc.match_substring_regex(plain, WHOLE), False))
    try:
        integers = pc.cast(pc.if_else(whole, plain, "0"), pa.int64())
    except pa.ArrowInvalid:
        raise ConversionError("a whole number of 64 bits", whole) from None
    # 2**63 overflows when it is cast back, and machines differ in the result.
    overflows = pc.and_(whole, pc.greater_equal(reals, 2.0**63))
    converted_back = pc.cast(pc.if_else(pc.and_not(whole, overflows), reals, 0.0), pa.int64(), safe=False)
    inexact = pc.not_equal(integers, converted_back)
    if pc.any(inexact, min_count=0).as_py():
        raise ConversionError("a number that a float64 holds exactly", inexact)
