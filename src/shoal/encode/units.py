"""Units: all records of one patient, firm or household count as one unit, however its identifier is spelled. A record
without a unit is a unit of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.class_numbers import value_numbers
from shoal.encode.codes import positions_among, to_codes
from shoal.encode.count_table import CountTable
from shoal.kernels import Ints, Labels
from shoal.kernels.combinations import number_combinations
from shoal.schema.column import Column
from shoal.schema.spelling import are_distinct_as_read, normalized_values


@dataclass(frozen=True)
class Spellings:
    """The spellings of the units, and the one spelling that replaces all others of the same unit."""

    name: str
    written: pa.Array[Any]  # (n_written,)
    replacements: pa.Array[Any]  # (n_written,) the first with the same normalized form; missing where that is missing

    @classmethod
    def of(cls, column: Column, values: pa.ChunkedArray[Any]) -> Spellings | None:
        """``values``: all that occur. None where all of them differ, and none is missing, after normalization."""
        plain: Any = values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values
        written = to_codes(column.name, plain).values
        read = None if are_distinct_as_read(written, column) else normalized_values(written, column)
        if read is None or (len(set(read)) == len(read) and None not in read):
            return None
        first = {key: at for at, key in reversed(list(enumerate(read))) if key is not None}
        places = pa.array([None if key is None else first[key] for key in read], pa.int64())
        return cls(column.name, written, written.take(places))

    def unify(self, piece: pa.Table) -> pa.Table:
        """The records with one spelling for every unit."""
        at = positions_among(piece[self.name], self.written)
        cells = self.replacements.take(pa.array(at, pa.int64(), mask=at < 0))
        return piece.set_column(piece.column_names.index(self.name), self.name, cells)


def count_units(counts: CountTable, unit: str) -> CountTable:
    """The combinations of all columns but ``unit``, and how many different units have each; records without a unit
    count one by one."""
    together = counts.by(counts.names)
    of_units = np.where(together[unit].is_valid().to_numpy(), 1, together.n)
    return CountTable(together.combinations, of_units).by([name for name in counts.names if name != unit])


def n_units(counts: CountTable, unit: str) -> int:
    """Different units; records without a unit count one by one."""
    together = counts.by([unit])
    return int(np.where(together[unit].is_valid().to_numpy(), 1, together.n).sum())


def n_units_of(unit: str, counts: pa.Table) -> int:
    """The same of whole units, as a part of a total."""
    return n_units(CountTable.of(counts), unit)


def values_of_units(unit: str, counts: pa.Table) -> CountTable:
    """Values and units of whole units, in few rows: units of one value are added up in a row without a unit, since
    records without a unit count one by one. ``counts``: by unit and value."""
    found, (name,) = CountTable.of(counts), (each for each in counts.column_names[:-1] if each != unit)
    numbers = value_numbers(found[unit])
    known = numbers >= 0
    is_of_one = known & (np.append(np.bincount(numbers[known]), 0)[numbers] == 1)
    cells: Any = found[unit].combine_chunks()
    left = pc.if_else(pa.array(is_of_one), pa.scalar(None, cells.type), cells)
    table = pa.table({name: found[name], unit: left})
    return CountTable(table, np.where(is_of_one, 1, found.n)).by([name, unit])


def first_records(units: Labels) -> Ints:
    """Positions of the first record of every unit, and of all records without a unit (-1)."""
    known = np.flatnonzero(units >= 0)
    firsts = known[np.unique(units[known], return_index=True)[1]]
    return np.sort(np.concatenate([firsts, np.flatnonzero(units < 0)])).astype(np.int64)


def compositions(units: Labels, classes: Labels) -> Labels:
    """(n_units,) a number for the multiset of classes of a unit's records: units with the same number have the same
    composition. ``units``: the unit of every record, 0 or more."""
    order = np.lexsort((classes, units))
    of_unit, sorted_classes = units[order], classes[order]
    starts = np.flatnonzero(np.concatenate([[True], of_unit[1:] != of_unit[:-1]])) if order.size else order
    rank = np.arange(order.size) - np.repeat(starts, np.diff(np.append(starts, order.size)))
    found, n_found = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.int64), 1
    by_rank = np.split(np.argsort(rank, kind="stable"), np.cumsum(np.bincount(rank))[:-1]) if order.size else []
    for rows in by_rank:  # the first class of all units, then the second of those that have one, ...
        numbers = number_combinations([found[of_unit[rows]], sorted_classes[rows]], rows.size)
        found[of_unit[rows]] = n_found + numbers
        n_found += int(numbers.max()) + 1
    return found
