"""Cells that are blanked, for the records of every combination of values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.kernels import Labels
from shoal.kernels.combinations import combination_keys

if TYPE_CHECKING:
    import pyarrow as pa

Cells = NDArray[np.bool_]  # (n, n_columns)


@dataclass(frozen=True, eq=False)
class Blanks:
    """A combination may be divided: some of its records keep a cell that others lose.

    Records are known by ``combinations``, a row for every one that occurs: of quasi-identifiers, and of whatever else
    decided. Of a divided one the first records of a table are the first part.
    """

    columns: tuple[str, ...]  # the quasi-identifiers: those that may be blanked
    combinations: pa.Table  # (n_combinations,) without their counts
    rows: Labels  # (n_parts,) which combination, in their order
    cells: Cells  # (n_parts, n_columns) whether a cell is blanked
    n: Labels  # (n_parts,) records

    @property
    def n_cells(self) -> int:
        """Cells that are blanked in all."""
        return sum(self.n_blanked.values())

    @cached_property
    def n_blanked(self) -> dict[str, int]:
        """Blanked cells of every column. A cell that was missing before is not counted."""
        known = np.column_stack([self.combinations[name].is_valid().to_numpy()[self.rows] for name in self.columns])
        blanked = (self.n[:, None] * (self.cells & known)).sum(axis=0)
        return dict(zip(self.columns, blanked.tolist(), strict=True))

    def of_records(self, table: pa.Table) -> Cells:
        """(n_records, n_columns) whether a cell of the table is blanked. Its records are those that were counted."""
        row = self._row_of_every_record(table)
        counted = np.bincount(self.rows, weights=self.n, minlength=len(self.combinations) + 1)
        if not np.array_equal(np.bincount(row, minlength=counted.size), counted):
            raise TableError.other_combinations()
        part = np.empty_like(row)
        part[np.argsort(row, kind="stable")] = np.repeat(np.arange(self.rows.size), self.n)
        return self.cells[part]

    def _row_of_every_record(self, table: pa.Table) -> Labels:
        """(n_records,) its combination; a record of none is given the number after the last."""
        import pyarrow as pa

        names = self.combinations.column_names
        counted, records = (_plain(each.select(names)) for each in (self.combinations, table))
        both: Any = pa.concat_tables([counted, records], promote_options="permissive")
        keys = combination_keys(map(_codes, both.columns), len(both))
        numbers = _codes(pa.chunked_array([keys])) - 1  # the combinations come first, and all are different
        return np.minimum(numbers[len(self.combinations) :], len(self.combinations))


def _plain(table: pa.Table) -> pa.Table:
    """Categories as the values that they are: where these are counted they are no categories any more."""
    import pyarrow as pa

    kinds: list[Any] = [field.type for field in table.schema]
    plain = [
        column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
        for kind, column in zip(kinds, table.columns, strict=True)
    ]
    return pa.table(plain, names=table.column_names)


def _codes(values: pa.ChunkedArray[Any]) -> Labels:
    """1, 2, ... in the order the values are met, 0 for missing."""
    encoded: Any = values.combine_chunks()
    encoded = encoded.dictionary_encode()
    codes: Labels = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64) + 1
    return codes
