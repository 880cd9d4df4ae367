"""A first look at columns: one pass over all records, however many different values they have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

FIRST, LAST = ((end - date(1970, 1, 1)).days for end in (date.min, date.max))
Fold = Callable[[Sequence[str], Callable[[pa.Table], None]], None]  # shows these columns of all records, piece by piece


@dataclass
class Look:
    """What was seen of one column."""

    type: pa.DataType = field(default_factory=pa.null)
    n_known: int = 0
    n_infinite: int = 0
    n_far: int = 0  # dates that no calendar of years 1 to 9999 has

    @classmethod
    def at(cls, names: Sequence[str], fold: Fold) -> dict[str, Self]:
        found = {name: cls() for name in names}

        def add(piece: pa.Table) -> None:
            for name, look in found.items():
                look.add(piece[name])

        if names:
            fold(names, add)
        return found

    def add(self, cells: Any) -> None:
        self.type = cells.type
        self.n_known += len(cells) - cells.null_count
        if pa.types.is_floating(cells.type):
            self.n_infinite += pc.sum(pc.is_inf(cells)).as_py() or 0
        if pa.types.is_date(cells.type) or pa.types.is_timestamp(cells.type):
            self.n_far += _n_far(cells)

    @property
    def has_order(self) -> bool:
        return pa.types.is_dictionary(self.type) and bool(self.type.ordered)

    @property
    def is_comparable(self) -> bool:
        """Whether its values are equal or not."""
        try:
            pc.call_function("dictionary_encode", [pa.array([], self.type)])
        except pa.ArrowNotImplementedError:
            return False
        return True


def _n_far(cells: Any) -> int:
    days: Any = pc.cast(cells, pa.date32(), safe=False).cast(pa.int32())
    ends: Any = pc.min_max(days)
    if not days.null_count < len(days) or (ends["min"].as_py() >= FIRST and ends["max"].as_py() <= LAST):
        return 0
    known = days.drop_null().to_numpy()
    return int(((known < FIRST) | (known > LAST)).sum())
