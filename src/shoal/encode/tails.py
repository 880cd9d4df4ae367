"""Tails: the few least and the few greatest known values of a column, collected piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.number_column import to_numbers

VALUE, UNIT = "value", "unit"


@dataclass(frozen=True)
class Tails:
    """The ``n`` least and the ``n`` greatest values, whatever the size and order of the pieces. Records with the
    same value in the column of units count once: by their least value in the lower tail and by their greatest in the
    upper."""

    n: int
    least: pa.Table
    greatest: pa.Table
    some: pa.Table  # 2 n units with a known value, or all if there are fewer

    @classmethod
    def of(cls, name: str, n: int, unit: str | None, piece: pa.Table) -> Tails:
        numbers = to_numbers(name, piece[name])
        known = ~numbers.missing
        units = piece[unit].filter(pa.array(known)) if unit is not None else pa.nulls(int(known.sum()))
        values = numbers.values[known]
        least, greatest, some = (
            pa.table({VALUE: each, UNIT: units}) for each in (values, -values, np.zeros(len(values)))
        )
        return cls(n, _first(least, n), _first(greatest, n), _first(some, 2 * n))

    def __add__(self, other: Tails) -> Tails:
        return Tails(
            self.n,
            _first(pa.concat_tables([self.least, other.least]), self.n),
            _first(pa.concat_tables([self.greatest, other.greatest]), self.n),
            _first(pa.concat_tables([self.some, other.some]), 2 * self.n),
        )

    @property
    def inner(self) -> tuple[float, float] | None:
        """The ``n``-th least and the ``n``-th greatest value; None where a unit would have to be in both tails."""
        if len(self.some) < 2 * self.n:
            return None
        return float(pc.max(self.least[VALUE]).as_py()), -float(pc.max(self.greatest[VALUE]).as_py())


def _first(rows: pa.Table, n: int) -> pa.Table:
    """The ``n`` units with the least values."""
    rows = _one_per_unit(rows)
    if len(rows) <= n:
        return rows
    return rows.take(np.argpartition(rows[VALUE].to_numpy(), n - 1)[:n])


def _one_per_unit(rows: pa.Table) -> pa.Table:
    if pa.types.is_null(rows.schema.field(UNIT).type):
        return rows
    of_units: Any = rows.filter(pc.is_valid(rows[UNIT])).group_by(UNIT, use_threads=False).aggregate([(VALUE, "min")])
    alone = rows.filter(pc.is_null(rows[UNIT]))
    return pa.concat_tables([of_units.select([f"{VALUE}_min", UNIT]).rename_columns([VALUE, UNIT]), alone])
