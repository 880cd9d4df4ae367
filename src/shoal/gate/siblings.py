"""Blanks that other household members disclose: in a household-level column all members have the same value.

values of the written release -> the blanks filled
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


@dataclass(frozen=True)
class Siblings:
    """The value of each household in a household-level column, where any member shows it."""

    column: str
    household: str
    households: pa.Array[Any]
    values: pa.Array[Any]

    @classmethod
    def of(cls, pieces: Iterable[pa.Table], column: str, household: str) -> Siblings:
        """``pieces``: columns household, value and number of records, with a row for every combination."""
        found: Any = pa.concat_tables(pieces).select([0, 1]).rename_columns(["household", "value"])
        known = found.filter(pc.and_(pc.is_valid(found["household"]), pc.is_valid(found["value"])))
        shown = known.group_by("household").aggregate([("value", "min")])
        return cls(column, household, shown["household"].combine_chunks(), shown["value_min"].combine_chunks())

    def filled(self, piece: pa.Table) -> pa.Table:
        """The records with the blanks of the column filled from other members of the household."""
        places: Any = pc.index_in(piece[self.household], value_set=self.households)
        shown: Any = pc.coalesce(piece[self.column], pc.take(self.values, places))
        return piece.set_column(piece.column_names.index(self.column), self.column, shown)
