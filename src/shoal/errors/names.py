"""Column names in error messages: hidden where they look like values, since the first line may be a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shoal.errors.base import listed, nearest

NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?\s*%?")
DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?")
NO_HEADER_HINT = "If its first line is a record, declare header = false under [source]."


def looks_like_value(cell: str) -> bool:
    return bool(NUMBER.fullmatch(cell.strip()) or DATE.fullmatch(cell.strip()))


def any_like_value(names: Iterable[str]) -> bool:
    """Whether one of the names looks like a number or a date, and so like a cell value."""
    return any(map(looks_like_value, names))


def hint(name: str, known: Sequence[str]) -> str:
    """A similar name and all known ones; only their number where they look like values."""
    if any_like_value(known):
        return (
            f" It has {len(known)} columns, and their names look like values, so they are not shown. {NO_HEADER_HINT}"
        )
    return f"{nearest(name, known)} It has: {listed(known)}."
