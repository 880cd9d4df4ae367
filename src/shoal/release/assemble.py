"""What becomes of the columns that no method changes: identifiers go, households get new numbers, the rest stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.chance import Chance
from shoal.encode.codes import from_codes, positions_among, to_codes
from shoal.kernels import Labels
from shoal.release.pseudonym import pseudonyms
from shoal.schema import Column, Schema

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
SHIFTS = (np.uint64(30), np.uint64(27))
N_ROUNDS = 4


@dataclass(frozen=True)
class HouseholdNumbers:
    """Members stay together, but under a number that says nothing."""

    values: pa.Array[Any]
    numbers: Labels  # (n_values,)

    @classmethod
    def of(cls, column: Column, occurring: pa.Table, chance: Chance) -> HouseholdNumbers:
        """``occurring``: a table of one column, the values that occur."""
        values = to_codes(column.name, occurring.column(0)).values
        return cls(values, 1 + chance.for_purpose("household").permutation(len(values)))

    def of_cells(self, cells: pa.ChunkedArray[Any]) -> pa.Array[Any]:
        return from_codes(positions_among(cells, self.values), pa.array(self.numbers, pa.int64()))


@dataclass(frozen=True)
class Order:
    """Places at random: every number from 0 to 2^64 has one of its own, and only the keys tell which."""

    keys: tuple[int, ...]  # too many bits to try them all

    @classmethod
    def of(cls, chance: Chance) -> Order:
        draws = chance.for_purpose("order of records")
        return cls(tuple(draws.whole() for _ in range(N_ROUNDS)))

    def places(self, record_ids: Labels) -> Labels:
        """(n_records,) rounds of SplitMix64, which mixes well and never gives two numbers one place."""
        mixed = record_ids.astype(np.uint64)
        for key in self.keys:
            mixed = _mixed(mixed + np.uint64(key))
        return mixed.view(np.int64)


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = numbers * GOLDEN
    for shift, multiplier in zip(SHIFTS, MULTIPLIERS, strict=True):
        mixed = (mixed ^ (mixed >> shift)) * multiplier
    return mixed ^ (mixed >> np.uint64(31))


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
    """A column of categories brings a list of them along: those of suppressed records must not be in it."""
    if not pa.types.is_dictionary(values.type):
        return values
    codes = to_codes(column.name, values)
    indices = pa.array(codes.codes, mask=codes.codes < 0, type=pa.int32())
    return pa.DictionaryArray.from_arrays(indices, codes.values, ordered=bool(values.type.ordered))
