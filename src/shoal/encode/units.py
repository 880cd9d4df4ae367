"""Units: records of one patient, firm or household are one, however many there are. A record of none is its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.counts import COUNT
from shoal.kernels import Labels
from shoal.kernels.combinations import number_combinations


def count_units(counts: pa.Table, unit: str) -> pa.Table:
    """``counts`` without the column ``unit``: a row per combination of the others, last its different units."""
    *names, last = counts.column_names
    together: Any = counts.group_by(names, use_threads=False).aggregate([(last, "sum")])
    alone = together[f"{last}_sum"]
    adds = pc.if_else(pc.is_valid(together[unit]), pa.scalar(1, alone.type), alone)
    others = [name for name in names if name != unit]
    of_units = together.select(others).append_column(COUNT, adds)
    counted: pa.Table = of_units.group_by(others, use_threads=False).aggregate([(COUNT, "sum")])
    return counted.rename_columns([*others, COUNT])


def first_records(units: Labels) -> Labels:
    """Places of the first record of every unit, and of all that are of none (-1)."""
    known = np.flatnonzero(units >= 0)
    firsts = known[np.unique(units[known], return_index=True)[1]]
    return np.sort(np.concatenate([firsts, np.flatnonzero(units < 0)])).astype(np.int64)


def compositions(units: Labels, classes: Labels) -> Labels:
    """(n_units,) a number for the classes of all records of a unit, each as often as it occurs: units of the same
    number are composed alike. ``units``: of every record, 0 or more."""
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
