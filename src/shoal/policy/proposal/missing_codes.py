"""Codes that may mean "missing": -99 or 999 at the end of a numeric column, and those with a label that says so."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.suggest.column_evidence import ColumnEvidence
from shoal.schema.suggest.name_patterns import words

CODES = frozenset(
    sign * (10**length - 1 - offset) for length in range(1, 7) for offset in range(3) for sign in (1, -1)
) | {-1, -2, -3, -77, -777, 77, 777, 7777, -88, -888, 88, 888, 8888}
MISSING_LABEL = re.compile(
    r"keine (angaben?|antwort)|k a|weiss nicht|(antwort )?verweigert|nicht (bekannt|erhoben|ermittelt)|unbekannt"
    r"|fehlend|no (answer|response|data)|not (known|stated|available|ascertained|reported)|non ?response|refus(ed|al)"
    r"|do(n t| not) know|missing|unknown|sans reponse|ne sait pas|refus|no (sabe|contesta)|no sabe no contesta|ns nc"
)
FEWEST = 5  # records of a code: the value of few persons is never shown
FAR = 2  # times the range of the other values: a gap that no ordinary value bridges


def missing_codes(column: ColumnEvidence) -> dict[int, str]:
    """Codes that stand apart from all other values, and roughly how frequent each is."""
    if not (column.is_whole or pa.types.is_floating(column.type)) or column.n_values < 3 or column.counts is None:
        return {}
    shares = _shares(column, CODES)
    return {code: share for code, share in shares.items() if _stands_apart(column, code)}


def labeled_missing(column: ColumnEvidence) -> dict[int, str]:
    """Codes whose label says that the answer is missing, and roughly how frequent each is."""
    if not column.is_number or column.counts is None:
        return {}
    labels = (column.value_labels or {}).items()
    return _shares(column, {code for code, label in labels if is_word_for_missing(label)})


def is_word_for_missing(label: str) -> bool:
    return MISSING_LABEL.fullmatch(words(label)) is not None


def _shares(column: ColumnEvidence, codes: Collection[object]) -> dict[int, str]:
    """Those of these codes that enough records have, and roughly their share."""
    assert column.counts is not None
    pairs = zip(column.values.to_pylist(), column.counts[1].to_pylist(), strict=True)
    n_of = {int(value): n for value, n in pairs if value in codes and n >= FEWEST and value == int(value)}
    return {code: _rounded(n / column.n_known) for code, n in sorted(n_of.items())}


def _stands_apart(column: ColumnEvidence, code: float) -> bool:
    """Whether it is below all ordinary values where none is negative, or far above or below them."""
    plain: Any = column.values
    others = plain.filter(pc.invert(pc.is_in(plain, value_set=pa.array(sorted(CODES)).cast(plain.type, safe=False))))
    if not len(others):
        return False
    ends: Any = pc.min_max(others)
    low, high = ends["min"].as_py(), ends["max"].as_py()
    if code < 0:
        return bool(low >= 0 or code < low - FAR * (high - low))
    return bool(code > high + max(high - low, abs(high)) / FAR)


def _rounded(share: float) -> str:
    """The share to one digit."""
    return f"about {float(f'{100 * share:.1g}'):g} %"
