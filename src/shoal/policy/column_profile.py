"""Basic statistics of columns, collected in one pass over all records."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.codes import has_codes
from shoal.encode.steps import Steps
from shoal.schema.time_unit import SECONDS_OF_A_DAY
from shoal.total import OfColumns, Total

FIRST_DAY, LAST_DAY = ((end - date(1970, 1, 1)).days for end in (date.min, date.max))
PER_DAY = {unit: SECONDS_OF_A_DAY * 10**digits for unit, digits in (("s", 0), ("ms", 3), ("us", 6), ("ns", 9))}


@dataclass(frozen=True)
class ColumnProfile:
    """Statistics of one column: its type, and counts of known, infinite and out-of-range values."""

    type: pa.DataType
    n_known: int = 0
    n_infinite: int = 0
    n_out_of_range: int = 0  # dates outside the years 1 to 9999
    steps: Steps | None = None  # only where requested

    @classmethod
    def of_columns(cls, names: Sequence[str], total: Total, numbers: Collection[str] = ()) -> Mapping[str, Self]:
        """Statistics by column. ``numbers``: the columns whose steps are determined, too."""
        of = {name: partial(cls.of, name, name in numbers) for name in names}
        return total(names, OfColumns(of)).parts if names else {}

    @classmethod
    def of(cls, name: str, with_steps: bool, piece: pa.Table) -> Self:
        cells: Any = piece[name]
        n_infinite = n_out_of_range = 0
        if pa.types.is_floating(cells.type):
            n_infinite = pc.sum(pc.is_inf(cells)).as_py() or 0
        if pa.types.is_date(cells.type) or pa.types.is_timestamp(cells.type):
            n_out_of_range = _n_out_of_range(cells)
        steps = Steps.of(cells) if with_steps else None
        return cls(cells.type, len(cells) - cells.null_count, n_infinite, n_out_of_range, steps)

    def __add__(self, other: Self) -> Self:
        steps = self.steps + other.steps if self.steps is not None and other.steps is not None else None
        return replace(
            self,
            n_known=self.n_known + other.n_known,
            n_infinite=self.n_infinite + other.n_infinite,
            n_out_of_range=self.n_out_of_range + other.n_out_of_range,
            steps=steps,
        )

    @property
    def has_order(self) -> bool:
        return pa.types.is_dictionary(self.type) and bool(self.type.ordered)

    @property
    def is_comparable(self) -> bool:
        """Whether values of its type can be compared and sorted."""
        return has_codes(self.type)


def _n_out_of_range(cells: Any) -> int:
    """Number of dates outside the years 1 to 9999 in UTC or, where there are none, in the time zone of the column."""
    n_out_of_range = _n_outside_years(cells)
    if n_out_of_range or getattr(cells.type, "tz", None) is None:
        return n_out_of_range
    return _n_outside_years(pc.local_timestamp(cells))


def _n_outside_years(cells: Any) -> int:
    kind = cells.type
    ticks: Any = cells.drop_null().cast(pa.int32() if pa.types.is_date(kind) else pa.int64())
    per_day = 1 if pa.types.is_date(kind) else PER_DAY[kind.unit]
    first, last = FIRST_DAY * per_day, (LAST_DAY + 1) * per_day - 1
    ends: Any = pc.min_max(ticks)
    if not len(ticks) or (ends["min"].as_py() >= first and ends["max"].as_py() <= last):
        return 0
    known = ticks.to_numpy()
    return int(((known < first) | (known > last)).sum())
