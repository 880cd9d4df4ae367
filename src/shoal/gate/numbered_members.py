"""Numbers of members within their household in a written release: only where the household has a number, too.

counts of the written release -> whether a column numbers the members of households

All of this is the gate's own computation: it shares no code with what produced the release.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.gate.written_counts import WrittenCounts
from shoal.kernels import Labels

SHARE = 0.9  # of the households with several members, from which on a column is taken for a numbering


def is_numbering(found: Labels) -> bool:
    """Whether most households with several members show whole numbers that follow one another, each once. ``found``: as
    `n_numbered`."""
    n_several, n_in_order, n_unfit = found.tolist()
    return bool(not n_unfit and n_several and n_in_order >= SHARE * n_several)


def n_numbered(counts: pa.Table) -> Labels:
    """Households with several known cells, those among them that are numbered, and 1 where cells are no whole numbers.
    ``counts``: household, cell and number of records, with a row for every combination."""
    found = _counted(WrittenCounts.of(counts))
    return np.array([0, 0, 1] if found is None else [*found, 0], dtype=np.int64)


def is_number_or_text(type_: pa.DataType) -> bool:
    """Whether cells of this type can be numbers of members."""
    plain: Any = type_.value_type if pa.types.is_dictionary(type_) else type_
    is_text = pa.types.is_string(plain) or pa.types.is_large_string(plain)
    return is_text or pa.types.is_integer(plain) or pa.types.is_floating(plain)


def n_shown_without_household(counts: pa.Table) -> int:
    """Number of records with a known cell but no household. ``counts``: household, cell and number of records."""
    written = WrittenCounts.of(counts)
    household, cell = (written.codes(name)[0] for name in written.combinations.column_names)
    return int(written.n[(household < 0) & (cell >= 0)].sum())


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
