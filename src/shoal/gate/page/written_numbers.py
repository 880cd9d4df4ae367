"""Numbers of a text in the forms in which people write them: with marks between thousands, a decimal comma, a dash."""

from __future__ import annotations

import re
from collections.abc import Iterator

SIGN = "[-+\u2010-\u2015\u2212]"  # hyphens, dashes, minus
POWER = r"(?:[eE][-+]?\d+)?"
NUMBER = rf"{SIGN}?(?:(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?|\.\d+){POWER}"  # as the pages write it
THOUSANDS = r"[1-9]\d{0,2}(?:(?P<mark>['\u2019 ._,])\d{3}(?:(?P=mark)\d{3})*|(?:,\d{2})+,\d{3})"  # 987 654, 9,87,654
ANYWHERE = rf"(?:(?<![\w.]){SIGN})?(?:(?:{THOUSANDS}|\d+)(?:[.,]\d+)?|\.\d+)"  # as people of any country do
BEFORE, AFTER = r"(?<![\w.])", r"(?!\w|\.\d)"
BARE = re.compile(f"{BEFORE}{NUMBER}{AFTER}")
APART = re.compile(rf"(?<![\w.,]){ANYWHERE}(?!\w|[.,]\d)")
NEXT_TO_LETTERS = re.compile(rf"(?<![\d.,]){ANYWHERE}(?!\d|[.,]\d)")  # CHF987654
LONG = 4  # digits before the fraction of a number next to letters
GROUPED = re.compile(rf"{THOUSANDS}|\d+")
FRACTION = re.compile(rf"(?P<whole>{THOUSANDS}|\d*)[.,](?P<part>\d+)")
SIGNED = re.compile(rf"(?P<sign>{SIGN}?)(?P<digits>.*?)(?P<power>{POWER})")


def number_of_text(token: str) -> float:
    """Of a number as the pages write it, or one of `meanings`."""
    return float(re.sub("[\u2010-\u2015\u2212]", "-", token).replace(",", ""))


def meanings(token: str) -> list[str]:
    """What a number may mean, with a decimal point: 1.234 is little more than one, or more than a thousand."""
    found = SIGNED.fullmatch(token)
    digits = found["digits"] if found else ""
    whole = [re.sub(r"\D", "", digits)] if GROUPED.fullmatch(digits) else []
    numbers = [f"{found['sign']}{each}{found['power']}" for each in (*whole, *_with_fraction(digits))] if found else []
    return numbers or [token.replace(",", "")]


def _with_fraction(digits: str) -> Iterator[str]:
    found = FRACTION.fullmatch(digits)
    if found:
        yield re.sub(r"\D", "", found["whole"]) + "." + found["part"]


def _n_whole_digits(number: str) -> int:
    return len(re.sub(r"\D", "", number.split(".")[0]))


def written_numbers(text: str) -> list[str]:
    """As they are written, and what they mean in other countries; next to letters, only long ones."""
    found = BARE.findall(text)
    for token in APART.finditer(text):
        found += meanings(token[0])
    for token in NEXT_TO_LETTERS.finditer(text):
        found += [each for each in meanings(token[0]) if _n_whole_digits(each) >= LONG]
    return found
