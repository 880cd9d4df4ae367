"""Blanks are made: a cell that is blanked is released as missing.

table, Blanks -> table
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.counts import COUNT
from shoal.plan import Blanks
from shoal.plan.blanks import Cells


def blank(table: pa.Table, blanks: Blanks) -> pa.Table:
    """The table with its blanks."""
    return _blanked(table, blanks, blanks.of_records(table))


def blanked_counts(blanks: Blanks) -> pa.Table:
    """What will be released as the gate counts it: combinations, last their number; one may repeat."""
    combinations = _blanked(blanks.combinations.take(blanks.rows), blanks, blanks.cells)
    return combinations.append_column(COUNT, pa.array(blanks.n))


def _blanked(table: pa.Table, blanks: Blanks, cells: Cells) -> pa.Table:
    for j, name in enumerate(blanks.columns):
        kept: Any = pa.array(np.arange(len(table)), mask=cells[:, j])  # nothing is taken where the place is missing
        table = table.set_column(table.column_names.index(name), name, table[name].take(kept))
    return table
