"""Counts of a written release as the gate reads them: combinations of values, and the number of records of each.

Which records are equal and how many there are is all that the gate relies on, so this code is the gate's own and is not
shared with what produced the release.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.kernels import Labels
from shoal.schema.helper_columns import COUNT

LARGEST = 2**62  # largest number of combinations: fits an int64


@dataclass(frozen=True, eq=False)
class WrittenRows:
    """Rows of counts as they come, to be put one below the other."""

    table: pa.Table

    def __add__(self, other: WrittenRows) -> WrittenRows:
        return WrittenRows(pa.concat_tables([self.table, other.table]))


@dataclass(frozen=True, eq=False)
class WrittenCounts:
    combinations: pa.Table  # (n_rows, n_columns)
    n: Labels  # (n_rows,) number of records of each

    @classmethod
    def of(cls, counts: pa.Table) -> Self:
        """``counts``: a row per combination that occurs; the last column, of any name, holds its number of records."""
        *columns, n = counts.columns
        return cls(pa.table(columns, names=counts.column_names[: len(columns)]), n.to_numpy().astype(np.int64))

    def __contains__(self, name: str) -> bool:
        return name in self.combinations.column_names

    def __getitem__(self, name: str) -> pa.ChunkedArray[Any]:
        """The first column of this name."""
        return self.combinations.column(self.combinations.column_names.index(name))

    @property
    def values(self) -> pa.ChunkedArray[Any]:
        """The first column: the values, where a single column was counted."""
        return self.combinations.column(0)

    @property
    def known(self) -> Self:
        """The rows whose first column is not missing."""
        return self.only(pc.is_valid(self.values))

    def only(self, rows: Any) -> Self:
        """The rows where the Boolean mask ``rows`` is True."""
        return type(self)(self.combinations.filter(rows), self.n[np.asarray(rows)])

    @property
    def n_records(self) -> int:
        return int(self.n.sum())

    def by(self, names: Sequence[str]) -> Self:
        """Counts by the columns ``names``, summed over the others."""
        summed: Any = self.to_table().group_by(list(names)).aggregate([(COUNT, "sum")])
        return self.of(summed.select([*names, f"{COUNT}_sum"]))

    def codes(self, name: str) -> tuple[Labels, pa.Array[Any]]:
        """(n_rows,) codes of the values, -1 for missing; and the values by code."""
        encoded: Any = self[name].combine_chunks()
        if not pa.types.is_dictionary(encoded.type):
            encoded = pc.dictionary_encode(encoded)
        codes: Labels = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        return codes, encoded.dictionary

    def classes(self, names: Sequence[str]) -> Labels:
        """(n_rows,) the equivalence class of every row on ``names``; missing equals missing."""
        return numbered_rows((self.codes(name)[0] for name in names), len(self.n))

    def to_table(self) -> pa.Table:
        return self.combinations.append_column(COUNT, pa.array(self.n))


def numbered_rows(columns: Iterable[Labels], n_rows: int) -> Labels:
    """(n_rows,) numbers 0, 1, ... in order of first occurrence, equal for rows with equal codes; a code may be -1."""
    numbers, n_numbers = np.zeros(n_rows, dtype=np.int64), 1
    for codes in columns:
        n_codes = int(codes.max(initial=-1)) + 2
        if n_numbers * n_codes > LARGEST:
            numbers, n_numbers = _dense(numbers), n_rows
        numbers, n_numbers = numbers * n_codes + codes + 1, n_numbers * n_codes
    return _dense(numbers)


def _dense(numbers: Labels) -> Labels:
    encoded: Any = pc.dictionary_encode(pa.array(numbers))
    dense: Labels = encoded.indices.to_numpy().astype(np.int64)
    return dense
