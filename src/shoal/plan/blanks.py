"""Local suppression as a plan: the cells to blank, for the records of every combination of values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.kernels import Ints
from shoal.kernels.combinations import combination_keys

if TYPE_CHECKING:
    import pyarrow as pa

Cells = NDArray[np.bool_]  # (n, n_columns)


@dataclass(frozen=True, eq=False)
class Blanks:
    """Blanked cells. A combination may be split into parts: some of its records keep a cell that others lose.

    Records are identified by ``combinations``, one row for each that occurs: its quasi-identifiers and whatever other
    columns the decision depended on. Where a combination is split, the records that come first in the table are its
    first part.
    """

    columns: tuple[str, ...]  # the quasi-identifiers, which are the columns that may be blanked
    combinations: pa.Table  # (n_combinations,) without their counts
    rows: Ints  # (n_parts,) the combination of each part, ascending
    cells: Cells  # (n_parts, n_columns) whether a cell is blanked
    n: Ints  # (n_parts,) number of records

    @property
    def n_cells(self) -> int:
        """Total number of blanked cells."""
        return sum(self.n_blanked.values())

    @cached_property
    def n_blanked(self) -> dict[str, int]:
        """Number of blanked cells by column. Cells that were already missing are not counted."""
        known = np.column_stack([self.combinations[name].is_valid().to_numpy()[self.rows] for name in self.columns])
        blanked = (self.n[:, None] * (self.cells & known)).sum(axis=0)
        return dict(zip(self.columns, blanked.tolist(), strict=True))

    def of_records(self, table: pa.Table) -> Cells:
        """(n_records, n_columns) whether a cell is blanked; an error unless the table holds the counted records."""
        row = self._row_of_every_record(table)
        counted = np.bincount(self.rows, weights=self.n, minlength=len(self.combinations) + 1)
        if not np.array_equal(np.bincount(row, minlength=counted.size), counted):
            raise TableError.combinations_differ()
        part = np.empty_like(row)
        part[np.argsort(row, kind="stable")] = np.repeat(np.arange(self.rows.size), self.n)
        return self.cells[part]

    def _row_of_every_record(self, table: pa.Table) -> Ints:
        """(n_records,) the combination of every record; one that is not listed gets the number after the last."""
        import pyarrow as pa

        names = self.combinations.column_names
        counted, records = (_plain(each.select(names)) for each in (self.combinations, table))
        both: Any = pa.concat_tables([counted, records], promote_options="permissive")
        keys = combination_keys(map(_codes, both.columns), len(both))
        numbers = _codes(pa.chunked_array([keys])) - 1  # the combinations come first and are distinct
        return np.minimum(numbers[len(self.combinations) :], len(self.combinations))


def _plain(table: pa.Table) -> pa.Table:
    """The table with dictionary-encoded columns decoded: counted combinations are not dictionary-encoded."""
    import pyarrow as pa

    kinds: list[Any] = [field.type for field in table.schema]
    plain = [
        column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
        for kind, column in zip(kinds, table.columns, strict=True)
    ]
    return pa.table(plain, names=table.column_names)


def _codes(values: pa.ChunkedArray[Any]) -> Ints:
    """Codes 1, 2, ... by first occurrence, 0 for missing."""
    encoded: Any = values.combine_chunks()
    encoded = encoded.dictionary_encode()
    codes: Ints = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64) + 1
    return codes
