"""Codes such as -99 or 999 at the end of a numeric column, which may mean "missing"."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.suggest.column_evidence import ColumnEvidence

CODES = frozenset(
    sign * (10**length - 1 - offset) for length in range(1, 7) for offset in range(3) for sign in (1, -1)
) | {-1, -2, -3, -77, -777, 77, 777, 7777, -88, -888, 88, 888, 8888}
FEWEST = 5  # records of a code: the value of few persons is never shown
FAR = 2  # times the range of the other values: a gap that no ordinary value bridges


def missing_codes(column: ColumnEvidence) -> dict[int, str]:
    """Codes that stand apart from all other values, and roughly how frequent each is."""
    if not (column.is_whole or pa.types.is_floating(column.type)) or column.n_values < 3 or column.counts is None:
        return {}
    n_of = {
        value: n for value, n in zip(column.values.to_pylist(), column.counts[1].to_pylist(), strict=True)
        if value in CODES and n >= FEWEST
    }  # fmt: skip
    return {int(code): _rounded(n / column.n_known) for code, n in sorted(n_of.items()) if _stands_apart(column, code)}


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
