"""Comparison of sensitive values as written and after normalization ("as read").

``HIV``, ``hiv`` and ``HIV`` with a trailing blank are three values as written and one after normalization. A
requirement must hold for both: values that are merged make a class less diverse, and may bring its distribution closer
to that of the whole table.

Normalization: Unicode NFKC, case folding, no invisible characters, no leading or trailing blanks, runs of blanks as
one. Texts that denote the same number are equal in numeric and ordinal columns only: elsewhere 01 and 1 are codes.
Letters of different scripts that look alike stay different; such values are counted for a note. Bytes that are valid
UTF-8 are compared as text, other bytes as they are.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from decimal import Decimal
from typing import Any
from unicodedata import category, name, normalize

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.column import Column

INVISIBLE_CATEGORIES = ("Cc", "Cf")  # Unicode categories: control and format characters
# Invisible characters of other categories: joiners, fillers, variation selectors.
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
EMPTY_BRAILLE = "\u2800"  # looks like a blank
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,4})?")
# Normalized; "none" is not here: it may be a value.
COMMON_MISSING_WORDS = ("na", "n/a", "?", "-", "unknown", "missing")
PLAIN_TEXT = "^[!-~]+( [!-~]+)*$"  # printable ASCII with single blanks: normalization only lowers its letters
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")  # scripts with letters that look alike


def blank_missing_words(values: Any, column: Column) -> Any:
    """Cells or values of a column, with its declared words for missing replaced by null."""
    if not (column.missing and is_text(values.type)):
        return values
    is_word = pc.is_in(_as_binary(values), value_set=_as_binary(pa.array(column.missing, pa.string()), values.type))
    return pc.if_else(is_word, pa.scalar(None, values.type), values)


def normalized_values(values: pa.Array[Any], column: Column) -> list[Hashable | None] | None:
    """The normalized form of each known value; None for one that normalizes to a declared word for missing.

    None instead of a list where values are compared as written only: the policy says so, or they are not texts.
    """
    if column.as_written or not is_text(values.type):
        return None
    missing = {normalized_text(word) for word in column.missing}
    read = [_normalized_value(value) for value in values.to_pylist()]
    is_number = column.kind in ("numeric", "ordinal")
    return [None if text in missing else _number(text) if is_number else text for text in read]


def are_distinct_as_read(values: pa.Array[Any], column: Column) -> bool:
    """Whether these distinct values are plain texts that differ after normalization too, none of them a word for
    missing. False may also mean that only normalizing them tells."""
    if column.kind in ("numeric", "ordinal") or not pa.types.is_string(values.type):
        return False
    lower: Any = pc.ascii_lower(values)
    is_plain = pc.all(pc.match_substring_regex(values, PLAIN_TEXT), min_count=0).as_py()
    missing = pa.array([normalized_text(word) for word in column.missing], pa.string())
    is_missing = pc.any(pc.is_in(lower, value_set=missing), min_count=0).as_py()
    return bool(is_plain and not is_missing and pc.count_distinct(lower).as_py() == len(values))


def normalized_text(text: str) -> str:
    """The normalized text: NFKC, case-folded, without invisible characters, with single blanks between words."""
    if text.isascii() and text.isprintable():
        return " ".join(text.lower().split())
    plain = normalize("NFKC", _without_invisible(text)).casefold()
    return " ".join(normalize("NFKC", _without_invisible(plain)).split())


def undeclared_missing_words(values: pa.Array[Any], column: Column) -> tuple[str, ...]:
    """The usual words for missing that occur among the normalized values and that the column does not declare."""
    declared = {normalized_text(word) for word in column.missing}
    found = {_normalized_value(value) for value in values.to_pylist()} if is_text(values.type) else set()
    return tuple(word for word in COMMON_MISSING_WORDS if word in found - declared)


def is_text(type_: pa.DataType) -> bool:
    """Whether values of this type are texts, or bytes that may encode a text."""
    return pa.types.is_string(type_) or _are_bytes(type_)


def n_mixed_scripts(texts: Sequence[str]) -> int:
    """Number of texts with a word that mixes Latin, Cyrillic or Greek letters."""
    return sum(not text.isascii() and any(map(_is_mixed, re.findall(r"\w+", text))) for text in texts)


def _without_invisible(text: str) -> str:
    """The text without invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    signs = INVISIBLE.sub("", text.replace(EMPTY_BRAILLE, " "))
    return "".join(sign for sign in signs if sign.isspace() or category(sign) not in INVISIBLE_CATEGORIES)


def _are_bytes(type_: pa.DataType) -> bool:
    return pa.types.is_binary(type_) or pa.types.is_large_binary(type_) or pa.types.is_fixed_size_binary(type_)


def _as_binary(values: Any, like: pa.DataType | None = None) -> Any:
    """The values as variable-length binary where their type, or ``like`` if given, is a binary type."""
    return values.cast(pa.binary()) if _are_bytes(like or values.type) else values


def _normalized_value(value: Any) -> str | bytes:
    """A value as normalized text; bytes that are not valid UTF-8 stay bytes."""
    try:
        return normalized_text(value.decode() if isinstance(value, bytes) else str(value))
    except UnicodeDecodeError:
        return bytes(value)


def _number(text: str | bytes) -> Hashable:
    return Decimal(text) if isinstance(text, str) and NUMBER.fullmatch(text) else text


def _is_mixed(word: str) -> bool:
    named = [set(name(sign, "").split()) for sign in word]
    return sum(any(script in words for words in named) for script in SCRIPTS) > 1
