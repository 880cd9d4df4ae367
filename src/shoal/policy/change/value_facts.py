"""What the values of a column allow: how coarse its intervals may be, where its tails begin, which values are rare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Cells: TypeAlias = "pa.ChunkedArray[Any]"

TAIL = 0.01  # of the records above a top code, or below a bottom code
LONGEST_CODE = 12  # characters
MOST_RARE = 40  # values that are named in a policy


@dataclass(frozen=True)
class ValueFacts:
    """Facts about the values of one column.

    low, high      the least and the greatest number; None: the column holds no numbers
    bottom, top    numbers with one percent of the records below and above, rounded to two digits
    is_whole       all numbers are whole
    code_length    number of characters, where all values are codes of the same length; else None
    rare           values that fewer than k records have, where a few values are rare; else none
    """

    low: float | None = None
    high: float | None = None
    bottom: float | None = None
    top: float | None = None
    is_whole: bool = False
    code_length: int | None = None
    rare: tuple[str, ...] = ()

    @classmethod
    def of(cls, cells: Cells, k: int) -> Self:
        """``k``: records that a value needs so that it is not rare."""
        known = cells.drop_null()
        if not len(known):
            return cls()
        if pa.types.is_integer(known.type) or pa.types.is_floating(known.type):
            return cls._of_numbers(known.cast(pa.float64(), safe=False).to_numpy())
        if pa.types.is_string(known.type) or pa.types.is_large_string(known.type):
            return cls(code_length=_code_length(known), rare=_rare(known, k))
        return cls()

    @classmethod
    def _of_numbers(cls, values: np.ndarray[Any, np.dtype[np.float64]]) -> Self:
        values = values[np.isfinite(values)]
        if not len(values):
            return cls()
        low, high = float(values.min()), float(values.max())
        bottom, top = (_two_digits(float(q)) for q in np.quantile(values, [TAIL, 1 - TAIL]))
        whole = bool((values == np.floor(values)).all())
        return cls(low, high, bottom if bottom > low else None, top if top < high else None, whole)


def _two_digits(number: float) -> float:
    return float(f"{number:.2g}")


def _code_length(texts: Cells) -> int | None:
    """The number of characters of codes, which have no blanks and at least one digit, all of the same length."""
    lengths = pc.unique(pc.utf8_length(texts))
    if len(lengths) != 1 or not 1 < lengths[0].as_py() <= LONGEST_CODE:
        return None
    are_codes = pc.all(pc.match_substring_regex(pc.unique(texts), r"^\S*\d\S*$")).as_py()
    return int(lengths[0].as_py()) if are_codes else None


def _rare(texts: Cells, k: int) -> tuple[str, ...]:
    counts = pc.value_counts(texts)
    rare = sorted(each["values"].as_py() for each in counts if each["counts"].as_py() < k)
    return tuple(rare) if 1 < len(rare) <= MOST_RARE and len(rare) < len(counts) else ()
