"""The original before global recoding by hand, for figures that must include what the recoding lost."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from shoal.assessment.utility.recoding_loss import RecodedCells
from shoal.kernels import Labels
from shoal.release.column_recoding import BoundRecoding, ColumnRecoding
from shoal.schema import Column, Schema


@dataclass(frozen=True, eq=False)
class RecodedOriginal:
    """Records before recoding, in the order of the recoded ones."""

    table: pa.Table
    recodings: Mapping[str, ColumnRecoding]  # by column
    columns: Mapping[str, Column]  # the recoded ones, as they were before

    def take(self, records: Labels | pa.Array[Any]) -> RecodedOriginal:
        return replace(self, table=self.table.take(records))

    def filter(self, kept: Any) -> RecodedOriginal:
        return replace(self, table=self.table.filter(kept))

    def losses(
        self, recoded: pa.Table, released: pa.Table, schema: Schema, by_extents: Collection[str]
    ) -> dict[str, float]:
        """Percent lost of every recoded column that is released. ``recoded``, ``released``: the same records after
        recoding and as released; ``by_extents``: columns released as extents."""
        if not len(released):
            return {}
        return {
            name: RecodedCells(
                recoding,
                self.columns[name],
                schema[name],
                self.table[name],
                recoded[name],
                released[name],
                name in by_extents,
            ).loss
            for name, recoding in self.recodings.items()
            if name in released.column_names and name in schema
        }

    def with_numbers(self, recoded: pa.Table) -> pa.Table:
        """The recoded records with the numbers that top and bottom codes replaced."""
        for name in self.bounded:
            recoded = recoded.set_column(recoded.schema.get_field_index(name), name, self.table[name])
        return recoded

    @property
    def bounded(self) -> tuple[str, ...]:
        """Columns with top or bottom codes: numbers before and after."""
        return tuple(name for name, recoding in self.recodings.items() if isinstance(recoding, BoundRecoding))

    @property
    def without_distance(self) -> tuple[str, ...]:
        """Columns whose values before and after recoding have no distance."""
        return tuple(name for name in self.recodings if name not in self.bounded)
