"""A first look at columns: one pass over all records, however many different values they have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

Fold = Callable[[Sequence[str], Callable[[pa.Table], None]], None]  # shows these columns of all records, piece by piece


@dataclass
class Look:
    """What was seen of one column."""

    type: pa.DataType = field(default_factory=pa.null)
    n_known: int = 0
    n_infinite: int = 0

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

    @property
    def is_comparable(self) -> bool:
        """Whether its values are equal or not."""
        try:
            pc.call_function("dictionary_encode", [pa.array([], self.type)])
        except pa.ArrowNotImplementedError:
            return False
        return True
