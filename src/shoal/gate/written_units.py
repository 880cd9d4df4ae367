"""Units of a written release as the gate counts them: which spellings are one unit, and how many units have a value.

values of the written release -> one spelling for every unit
counts of the written release -> the number of different units of every value

All of this is the gate's own computation: it shares no code with what produced the release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.gate.written_counts import WrittenCounts, WrittenRows
from shoal.schema import Column
from shoal.schema.helper_columns import COUNT
from shoal.schema.spelling import normalized_values


@dataclass(frozen=True)
class UnitSpellings:
    """Units as they are written, and for each the first one that reads alike."""

    column: str
    written: pa.Array[Any]  # (n_written,)
    first: pa.Array[Any]  # (n_written,) missing where the spelling reads as missing

    @classmethod
    def of(cls, column: Column, values: pa.ChunkedArray[Any]) -> UnitSpellings | None:
        """``values``: all that occur. None where units are compared as they are written."""
        plain: Any = values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values
        written = pc.unique(plain).drop_null()
        read = normalized_values(written, column)
        if read is None:
            return None
        place: dict[Any, int] = {}
        at = [None if key is None else place.setdefault(key, number) for number, key in enumerate(read)]
        return cls(column.name, written, written.take(pa.array(at, pa.int64())))

    def fill(self, piece: pa.Table) -> pa.Table:
        """The records with the first spelling of every unit."""
        cells: Any = piece[self.column].cast(self.written.type)
        unified = pc.take(self.first, pc.index_in(cells, value_set=self.written))
        return piece.set_column(piece.column_names.index(self.column), self.column, unified)


def units_of_values(table: pa.Table) -> WrittenRows:
    """Values and, last, the number of different units with each; a record without a unit is a unit of its own.

    ``table``: a value, a unit and the number of records, with a row for every combination.
    """
    counts = WrittenCounts.of(table)
    name, unit = counts.combinations.column_names
    codes, values = counts.codes(name)
    units, _ = counts.codes(unit)
    known = units >= 0
    n_units = np.bincount(codes[known] + 1, minlength=len(values) + 1)
    n_alone = np.bincount(codes[~known] + 1, weights=counts.n[~known], minlength=len(values) + 1)
    n = n_units + n_alone.astype(np.int64)  # (1 + n_values,) the first: of missing values
    cells = pa.concat_arrays([pa.nulls(1, values.type), values])
    return WrittenRows(pa.table({name: cells, COUNT: n}).filter(pa.array(n > 0)))
