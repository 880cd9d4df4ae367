"""The readings of a sensitive value: as it is written, and as somebody reads it. A requirement must hold in each.

different texts of a column -> numbers of values, one list for every reading; None: not known

``HIV``, ``hiv`` and ``HIV`` with a blank behind it are three values as written, and one as read. Values that are merged
make a class less diverse, but may bring its distribution closer to that of the release: neither reading implies the
other. With a tolerance, near amounts are one value, in two readings whose steps are moved against each other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import isfinite
from typing import Any
from unicodedata import category, normalize

from shoal.verifier.notation import Tree, days
from shoal.verifier.policy import Column
from shoal.verifier.refused import RefusedError

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,4})?", re.ASCII)
# Signs that nobody sees, besides those that Unicode calls control or format: joiners, fillers, variation selectors.
UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
BLANK_BRAILLE = "\u2800"
NOT_A_NUMBER = "nan"  # which is a missing number, not a value


@dataclass(frozen=True)
class Reading:
    """``number``: of the value of every text, in the column's order where it has one; None: it is not known."""

    name: str
    number: Mapping[str, int | None]
    nodes: Mapping[int, Sequence[int]]  # of every value: its ancestors by level, numbered; empty without a taxonomy


def readings(texts: Sequence[str], column: Column, missing: Sequence[str], date_format: str | None) -> list[Reading]:
    """As written and, where that differs, as read."""
    known = [text for text in texts if text not in missing]
    read = reader(column, date_format)
    unknown = {plain(word) for word in missing}
    if column.is_number:
        unknown.add(NOT_A_NUMBER)
        known = [text for text in known if plain(text) != NOT_A_NUMBER]
    keys = {text: None if plain(text) in unknown else read(text) for text in known}
    place = _order(column, keys)
    written = _numbered(texts, {text: (place(text), text) for text in known})
    if column.as_written and not column.is_number and column.kind != "date":
        return [Reading("as written", written, {})]
    by_key: dict[Hashable, Any] = {}
    for text in sorted(known):
        if keys[text] is not None:
            by_key.setdefault(keys[text], (place(text), text))
    as_read = _numbered(texts, {text: by_key[key] for text, key in keys.items() if key is not None})
    found = [Reading("as written", written, {})]
    if as_read != written:
        found.append(Reading("as read", as_read, {}))
    return found


def with_nodes(reading: Reading, tree: Tree) -> Reading:
    """The reading with the taxonomy above every value; one written in several ways has that of its first text."""
    first: dict[int, str] = {}
    for text, number in sorted(reading.number.items()):
        if number is not None:
            first.setdefault(number, text)
    outside = [text for text in first.values() if text not in tree.path_of]
    if outside:
        raise RefusedError(f"{len(outside)} values are not in the taxonomy of their column")
    labels = {label: at for at, label in enumerate(sorted({label for path in tree.paths for label in path}))}
    nodes = {number: [labels[label] for label in tree.path_of[text][: tree.height]] for number, text in first.items()}
    return Reading(reading.name, reading.number, nodes)


def near(texts: Sequence[str], column: Column, missing: Sequence[str], tolerance: Any) -> list[Reading]:
    """The two readings of a tolerance: steps of an amount or a share, two joined, and two joined from the next on."""
    amounts = {text: _decimal(text) for text in texts if text not in missing}
    known = {text: amount for text, amount in amounts.items() if amount is not None}
    step = _steps_of_share(tolerance, known.values()) if isinstance(tolerance, str) else _steps_of(Fraction(tolerance))
    found = []
    for moved, name in enumerate(("in steps", "in moved steps")):
        keys = {
            text: (sign, (number + moved) // 2) for text, amount in known.items() for sign, number in [step(amount)]
        }
        found.append(Reading(f"{name} of {tolerance}", _numbered(texts, keys), {}))
    return found


def plain(text: str) -> str:
    """The text as it is read: NFKC, case folded, without unseen signs, with single blanks between words."""
    if text.isascii() and text.isprintable():
        return " ".join(text.lower().split())
    folded = normalize("NFKC", _seen(text)).casefold()
    return " ".join(normalize("NFKC", _seen(folded)).split())


def _seen(text: str) -> str:
    signs = UNSEEN.sub("", text.replace(BLANK_BRAILLE, " "))
    return "".join(sign for sign in signs if sign.isspace() or category(sign) not in ("Cc", "Cf"))


def amounts_of(texts: Sequence[str], column: Column, missing: Sequence[str]) -> list[tuple[str, float | None]]:
    """The numbers that texts say, None where they mean that none is known. Raises RefusedError where one says none."""
    unknown = {NOT_A_NUMBER, *(plain(word) for word in missing)}
    found = [(text, None if plain(text) in unknown else amount(text)) for text in texts]
    n_strange = sum(number is None or not isfinite(number) for text, number in found if plain(text) not in unknown)
    if n_strange:
        raise RefusedError(f"the column {column.name!r} holds {n_strange} values that are no numbers to add up")
    return found


def amount(text: str) -> float | None:
    """The number that a text says, with a point or a comma before its fraction; None where it says none."""
    found = _decimal(text)
    return None if found is None else float(found)


def _decimal(text: str) -> Decimal | None:
    written = plain(text).replace(",", ".")
    return Decimal(written) if NUMBER.fullmatch(written) else None


def reader(column: Column, date_format: str | None) -> Callable[[str], Hashable]:
    """What a text of the column says: a number, a day, or its plain words."""
    if column.is_number or column.kind == "ordinal":
        return lambda text: plain(text) if (found := _decimal(text)) is None else found
    if column.kind == "date":
        return lambda text: plain(text) if (found := moment(text, date_format)) is None else found
    return plain


def moment(text: str, date_format: str | None) -> Fraction | None:
    """A date or time in days since 1970, as the policy or ISO 8601 writes it."""
    if date_format is not None:
        try:
            return days(datetime.strptime(text, date_format).isoformat())
        except ValueError:
            pass
    return days(text.removesuffix("Z"))


def _order(column: Column, keys: Mapping[str, Any]) -> Callable[[str], Any]:
    """Where a value stands among the others: by the declared order, by size, or nowhere in particular."""
    if column.order is not None:
        places = {value: at for at, value in enumerate(column.order)}
        outside = sum(text not in places for text in keys)
        if outside:
            raise RefusedError(f"the column {column.name!r} holds {outside} values that are not in its order")
        return lambda text: places[text]
    if column.is_number or column.kind == "date":
        return lambda text: (0, keys[text]) if isinstance(keys[text], Decimal | Fraction) else (1, 0)
    return lambda text: 0


def _numbered(texts: Sequence[str], keys: Mapping[str, Any]) -> dict[str, int | None]:
    """The texts with numbers in the order of their keys; equal keys have the same number."""
    number = {key: at for at, key in enumerate(sorted(set(keys.values())))}
    return {text: number[keys[text]] if text in keys else None for text in texts}


def _steps_of(width: Fraction) -> Callable[[Decimal], tuple[int, int]]:
    return lambda of: (1, Fraction(of) // width)


def _steps_of_share(tolerance: str, amounts: Any) -> Callable[[Decimal], tuple[int, int]]:
    """Steps between the powers of 1 + share, rounded away from 1, mirrored at 0."""
    ratio = 1 + Decimal(tolerance.rstrip("% ")) / 100
    if ratio <= 1:
        raise RefusedError("a tolerance is above 0")
    sizes = [abs(each) for each in amounts if each] or [Decimal(1)]
    up, down = Context(prec=40, rounding=ROUND_CEILING), Context(prec=40, rounding=ROUND_FLOOR)
    above, below = [Decimal(1)], [Decimal(1)]
    while above[-1] <= max(sizes):
        above.append(up.multiply(above[-1], ratio))
    while below[-1] > min(sizes):
        below.append(down.divide(below[-1], ratio))
    borders = [*reversed(below[1:]), *above]

    def step(of: Decimal) -> tuple[int, int]:
        sign = (of > 0) - (of < 0)
        return sign, bisect_right(borders, abs(of)) - len(below) if sign else 0

    return step
