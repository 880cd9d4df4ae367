"""Local suppression: blanked cells are released as missing values.

table, Blanks -> table
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.combination_counts import COUNT
from shoal.plan import Blanks
from shoal.plan.blanks import Cells


def blank(table: pa.Table, blanks: Blanks) -> pa.Table:
    """The table with the cells blanked."""
    return _with_blanks(table, blanks, blanks.of_records(table))


def blanked_counts(blanks: Blanks) -> pa.Table:
    """Counts of the release in the form the gate reads: combinations, and last their numbers; one may occur twice."""
    combinations = _with_blanks(blanks.combinations.take(blanks.rows), blanks, blanks.cells)
    return combinations.append_column(COUNT, pa.array(blanks.n))


def _with_blanks(table: pa.Table, blanks: Blanks, cells: Cells) -> pa.Table:
    for j, name in enumerate(blanks.columns):
        kept: Any = pa.array(np.arange(len(table)), mask=cells[:, j])  # a null index takes a null
        table = table.set_column(table.column_names.index(name), name, table[name].take(kept))
    return table
