"""Dates of a text in the forms in which people write them, as the words of year, month and day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = rf"({'|'.join(MONTHS)})[a-z]*\.?"
DIGITS = r"(?<!\d)(\d{1,4})([-./\s])\s?(\d{1,2})\2\s?(\d{1,4})(?!\d)"  # 1913-05-09, 09.05.1913, 5/9/1913
COMPACT = r"(?<![\d.,])(\d{4})(\d{2})(\d{2})(?!\d|[.,]\d)"  # 19130509
DAY_FIRST = rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\.?[\s-]{MONTH}[\s,-]+(\d{{4}})(?!\d)"  # 9 May 1913
MONTH_FIRST = rf"\b{MONTH}\s(\d{{1,2}})(?:st|nd|rd|th)?,?\s(\d{{4}})(?!\d)"  # May 9, 1913


def written_dates(text: str) -> frozenset[str]:
    """Such as: 1913 05 09. Where day and month may be exchanged, both."""
    shown = text.lower()
    found = (_phrase(*parts) for parts in _parts(shown))
    return frozenset(filter(None, found))


def _parts(text: str) -> Iterator[tuple[str, str, str]]:
    for one, _, two, three in re.findall(DIGITS, text):
        yield from ((one, two, three), (three, two, one), (three, one, two))
    yield from re.findall(COMPACT, text)
    for day, month, year in re.findall(DAY_FIRST, text):
        yield year, str(MONTHS.index(month) + 1), day
    for month, day, year in re.findall(MONTH_FIRST, text):
        yield year, str(MONTHS.index(month) + 1), day


def _phrase(year: str, month: str, day: str) -> str:
    """Empty where it is no date."""
    if len(year) != 4:
        return ""
    try:
        return date(int(year), int(month), int(day)).strftime("%Y %m %d").rjust(10, "0")
    except ValueError:
        return ""
