"""Tails: the few least and the few greatest known values of a column, collected piece by piece."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.number_column import to_numbers

VALUE, UNIT = "value", "unit"


class Tails:
    """The ``n`` least and the ``n`` greatest values, whatever the size and order of the pieces. Records with the
    same value in the column ``unit`` count once: by their least value in the lower tail and by their greatest in the
    upper."""

    def __init__(self, name: str, n: int, unit: str | None = None) -> None:
        self.name, self.n, self.unit = name, n, unit
        self._least: pa.Table | None = None
        self._greatest: pa.Table | None = None
        self._some: pa.Table | None = None  # 2 n units with a known value, or all if there are fewer

    def add(self, table: pa.Table) -> None:
        numbers = to_numbers(self.name, table[self.name])
        known = ~numbers.missing
        units = table[self.unit].filter(pa.array(known)) if self.unit is not None else pa.nulls(int(known.sum()))
        values = numbers.values[known]
        self._least = _first(self._least, pa.table({VALUE: values, UNIT: units}), self.n)
        self._greatest = _first(self._greatest, pa.table({VALUE: -values, UNIT: units}), self.n)
        self._some = _first(self._some, pa.table({VALUE: np.zeros(len(values)), UNIT: units}), 2 * self.n)

    @property
    def inner(self) -> tuple[float, float] | None:
        """The ``n``-th least and the ``n``-th greatest value; None where a unit would have to be in both tails."""
        if self._least is None or self._greatest is None or self._some is None or len(self._some) < 2 * self.n:
            return None
        return float(pc.max(self._least[VALUE]).as_py()), -float(pc.max(self._greatest[VALUE]).as_py())


def _first(before: pa.Table | None, piece: pa.Table, n: int) -> pa.Table:
    """The ``n`` units with the least values, among those kept before and those of a piece."""
    rows = _one_per_unit(piece if before is None else pa.concat_tables([before, piece]))
    if len(rows) <= n:
        return rows
    return rows.take(np.argpartition(rows[VALUE].to_numpy(), n - 1)[:n])


def _one_per_unit(rows: pa.Table) -> pa.Table:
    if pa.types.is_null(rows.schema.field(UNIT).type):
        return rows
    of_units: Any = rows.filter(pc.is_valid(rows[UNIT])).group_by(UNIT, use_threads=False).aggregate([(VALUE, "min")])
    alone = rows.filter(pc.is_null(rows[UNIT]))
    return pa.concat_tables([of_units.select([f"{VALUE}_min", UNIT]).rename_columns([VALUE, UNIT]), alone])
