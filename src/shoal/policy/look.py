"""A first look at columns: one pass over all records, however many different values they have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

YEARS = pa.array([date.min, date.max], pa.date32()).cast(pa.int32()).to_pylist()
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
    def is_comparable(self) -> bool:
        """Whether its values are equal or not."""
        try:
            pc.call_function("dictionary_encode", [pa.array([], self.type)])
        except pa.ArrowNotImplementedError:
            return False
        return True


def _n_far(cells: Any) -> int:
    days = pc.cast(cells, pa.date32(), safe=False).cast(pa.int32())
    is_far = pc.or_(pc.less(days, YEARS[0]), pc.greater(days, YEARS[1]))
    return pc.sum(is_far).as_py() or 0
