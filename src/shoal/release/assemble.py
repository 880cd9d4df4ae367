"""Assembly of the released table: identifiers are dropped or pseudonymized, households get new numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.codes import from_codes, positions_among, to_codes
from shoal.kernels import Labels
from shoal.release.pseudonym import pseudonyms
from shoal.rng import Rng, mixed_bits
from shoal.schema import Column, Schema

N_ROUNDS = 4


@dataclass(frozen=True)
class HouseholdNumbers:
    """Random new numbers of households, which link their members but reveal nothing else."""

    values: pa.Array[Any]
    numbers: Labels  # (n_values,)

    @classmethod
    def of(cls, column: Column, occurring: pa.Table, rng: Rng) -> HouseholdNumbers:
        """``occurring``: a table with one column, the values that occur."""
        values = to_codes(column.name, occurring.column(0)).values
        return cls(values, 1 + rng.for_purpose("household").permutation(len(values)))

    def of_cells(self, cells: pa.ChunkedArray[Any]) -> pa.Array[Any]:
        return from_codes(positions_among(cells, self.values), pa.array(self.numbers, pa.int64()))


@dataclass(frozen=True)
class Order:
    """A random order of the records: a keyed bijection on 64-bit numbers, unpredictable without the keys."""

    keys: tuple[int, ...]  # too many bits for an exhaustive search

    @classmethod
    def of(cls, rng: Rng) -> Order:
        draws = rng.for_purpose("order of records")
        return cls(tuple(draws.integer() for _ in range(N_ROUNDS)))

    def places(self, record_ids: Labels) -> Labels:
        """(n_records,) sort keys of the records, all distinct: rounds of SplitMix64, a bijection that mixes well."""
        mixed = record_ids.astype(np.uint64)
        for key in self.keys:
            mixed = mixed_bits(mixed + np.uint64(key))
        return mixed.view(np.int64)


def assemble(table: pa.Table, schema: Schema, households: HouseholdNumbers | None) -> pa.Table:
    """The columns of the release, in the order of the schema."""
    columns: dict[str, Any] = {}
    for column in schema.columns:
        values = table[column.name]
        if column.role == "household" and households:
            columns[column.name] = households.of_cells(values)
        elif column.role not in ("identifier", "unit"):
            columns[column.name] = _without_unused_values(column, values)
        elif column.key_file is not None:
            columns[column.name] = pseudonyms(column, values)
    return pa.table(columns)


def _without_unused_values(column: Column, values: pa.ChunkedArray[Any]) -> Any:
    """The column with only the categories that occur: its dictionary would reveal those of suppressed records."""
    if not pa.types.is_dictionary(values.type):
        return values
    codes = to_codes(column.name, values)
    indices = pa.array(codes.codes, mask=codes.codes < 0, type=pa.int32())
    return pa.DictionaryArray.from_arrays(indices, codes.values, ordered=bool(values.type.ordered))
