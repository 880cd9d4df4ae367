"""Numbers of members within their household in a written release: only where the household has a number, too.

counts of the written release -> whether a column numbers the members of households

All of this is the gate's own computation: it shares no code with what produced the release.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.gate.written_counts import WrittenCounts
from shoal.kernels import Labels

SHARE = 0.9  # of the households with several members, from which on a column is taken for a numbering


def numbers_members(pieces: Iterable[pa.Table]) -> bool:
    """Whether most households with several members show whole numbers that follow one another, each once.

    ``pieces``: household, cell and number of records, with a row for every combination; no household is in two pieces.
    """
    counted = [_counted(WrittenCounts.of(piece)) for piece in pieces]
    if not counted or any(each is None for each in counted):
        return False
    several, numbered = np.array(counted).sum(axis=0)
    return bool(several and numbered >= SHARE * several)


def is_number_or_text(type_: pa.DataType) -> bool:
    """Whether cells of this type can be numbers of members."""
    plain: Any = type_.value_type if pa.types.is_dictionary(type_) else type_
    is_text = pa.types.is_string(plain) or pa.types.is_large_string(plain)
    return is_text or pa.types.is_integer(plain) or pa.types.is_floating(plain)


def n_shown_without_household(pieces: Iterable[pa.Table]) -> int:
    """Number of records with a known cell but no household. ``pieces``: household, cell and number of records."""
    found = 0
    for counts in map(WrittenCounts.of, pieces):
        household, cell = (counts.codes(name)[0] for name in counts.combinations.column_names)
        found += int(counts.n[(household < 0) & (cell >= 0)].sum())
    return found


def _counted(counts: WrittenCounts) -> tuple[int, int] | None:
    """Households with several known cells, and those among them that are numbered; None for cells that are no whole
    numbers."""
    name, cell = counts.combinations.column_names
    (household, _), (at, values) = counts.codes(name), counts.codes(cell)
    numbers = _whole_numbers(values)
    if numbers is None:
        return None
    shown = (household >= 0) & (at >= 0)
    order = np.lexsort((numbers[at[shown]], household[shown]))
    of, number, n = household[shown][order], numbers[at[shown]][order], counts.n[shown][order]
    starts = np.flatnonzero(np.append(True, of[1:] != of[:-1])) if of.size else np.empty(0, dtype=np.int64)
    follows = np.append(False, (of[1:] == of[:-1]) & (number[1:] == number[:-1] + 1))[: of.size]
    follows[starts] = True
    unbroken = np.logical_and.reduceat(follows & (n == 1), starts) if of.size else np.empty(0, dtype=bool)
    sizes = np.add.reduceat(n, starts) if of.size else np.empty(0, dtype=np.int64)
    return int((sizes > 1).sum()), int(((sizes > 1) & unbroken).sum())


def _whole_numbers(values: Any) -> Labels | None:
    try:
        numbers = np.array([float(value) for value in values.to_pylist()])
    except (TypeError, ValueError):
        return None
    is_whole = bool(np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all())
    return numbers.astype(np.int64) if is_whole else None
