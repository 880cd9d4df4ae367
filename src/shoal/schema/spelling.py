"""How sensitive values are told apart: as they are written, and as they read.

``HIV``, ``hiv`` and ``HIV`` with a blank behind it are three values as written, and one as they read. A requirement
must hold both ways: values that become one make a class less diverse, and may make it more like the whole.

As they read: Unicode's NFKC, without case, without characters that nobody sees, without blanks around; blanks inside
are one. Texts that write the same number are one in numeric and ordinal columns only: elsewhere 01 and 1 are codes.
Letters of another script that look alike are not: they are counted, for a note. Bytes that are UTF-8 are read as the
text they write, other bytes as they are.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Any, Literal
from unicodedata import category, name, normalize

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.column import Column

Form = Literal["as written", "as read"]
FORMS: tuple[Form, ...] = ("as written", "as read")

UNSEEN = ("Cc", "Cf")  # categories: controls, and marks that only tell how to set others
# Signs that show nothing though they are of no such category: joiners, fillers, choices among the shapes of a sign.
NOTHING = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
EMPTY_BRAILLE = "\u2800"  # as wide as a blank, and as empty
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,4})?")
USUAL_FOR_MISSING = ("na", "n/a", "?", "-", "unknown", "missing")  # as they read; none may say that there is none
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")  # that have letters of the same look


def known_words(values: Any, column: Column) -> Any:
    """Cells or values of a column, missing where they hold one of its words for missing."""
    if not (column.missing and has_words(values.type)):
        return values
    is_word = pc.is_in(_flat(values), value_set=_flat(pa.array(column.missing, pa.string()), values.type))
    return pc.if_else(is_word, pa.scalar(None, values.type), values)


def keys(values: pa.Array[Any], column: Column) -> list[Hashable | None] | None:
    """What each of the known values reads like, equal where they read alike; None: like a word for missing.

    None for all where only what is written counts: where the policy says so, and where values are no texts.
    """
    if column.as_written or not has_words(values.type):
        return None
    missing = {as_read(word) for word in column.missing}
    read = [_read(value) for value in values.to_pylist()]
    is_number = column.kind in ("numeric", "ordinal")
    return [None if text in missing else _number(text) if is_number else text for text in read]


def as_read(text: str) -> str:
    """The text as somebody reads it who cares for nothing but its words."""
    plain = normalize("NFKC", _seen(text)).casefold()
    return " ".join(normalize("NFKC", _seen(plain)).split())


def usual_for_missing(values: pa.Array[Any], column: Column) -> tuple[str, ...]:
    """The usual words for missing that some of the values read like, and that the column does not declare."""
    told = {as_read(word) for word in column.missing}
    found = {_read(value) for value in values.to_pylist()} if has_words(values.type) else set()
    return tuple(word for word in USUAL_FOR_MISSING if word in found - told)


def has_words(type_: pa.DataType) -> bool:
    """Texts, or bytes that may write one."""
    return pa.types.is_string(type_) or _are_bytes(type_)


def n_mixed(texts: Sequence[str]) -> int:
    """Texts with a word that mixes letters of scripts that look alike."""
    return sum(not text.isascii() and any(map(_is_mixed, re.findall(r"\w+", text))) for text in texts)


def _seen(text: str) -> str:
    """Without what nobody sees."""
    if text.isascii() and text.isprintable():
        return text
    signs = NOTHING.sub("", text.replace(EMPTY_BRAILLE, " "))
    return "".join(sign for sign in signs if sign.isspace() or category(sign) not in UNSEEN)


def _are_bytes(type_: pa.DataType) -> bool:
    return pa.types.is_binary(type_) or pa.types.is_large_binary(type_) or pa.types.is_fixed_size_binary(type_)


def _flat(values: Any, like: pa.DataType | None = None) -> Any:
    """Bytes of any width as bytes, where the values, or those they are ``like``, are bytes."""
    return values.cast(pa.binary()) if _are_bytes(like or values.type) else values


def _read(value: Any) -> str | bytes:
    """A text, or the text that bytes write."""
    try:
        return as_read(value.decode() if isinstance(value, bytes) else str(value))
    except UnicodeDecodeError:
        return bytes(value)


def _number(text: str | bytes) -> Hashable:
    return Decimal(text) if isinstance(text, str) and NUMBER.fullmatch(text) else text


def _is_mixed(word: str) -> bool:
    named = [set(name(sign, "").split()) for sign in word]
    return sum(any(script in words for words in named) for script in SCRIPTS) > 1
