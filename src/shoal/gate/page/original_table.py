"""What a page must be silent about: the records of the original, its names and numbers, and k."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from shoal.errors import visible
from shoal.gate.page.passages import plain
from shoal.gate.page.readings import normalized
from shoal.total import Total


@dataclass(frozen=True)
class RecodedColumns:
    """Columns that were recoded by hand, and their records with the coarser values."""

    columns: tuple[str, ...]
    total: Total = field(repr=False)


@dataclass(frozen=True)
class OriginalTable:
    """What a page must be silent about.

    total     adds up over the records of the original, as they were read
    schema    names and types of its columns
    k         fewest records, or units, that a value may be of
    released  names of the released columns; n_released: number of released records
    unit      the column whose distinct values are counted; None: records are
    seed      of the policy; names: of files that the page must not name
    recoded   passes the columns that the policy recodes, with their coarser values: a figure may show those of k
    """

    total: Total = field(repr=False)
    schema: pa.Schema
    k: int
    released: tuple[str, ...]
    n_records: int
    n_released: tuple[int, ...]
    unit: str | None = None
    seed: int | None = None
    names: tuple[str, ...] = ()
    recoded: RecodedColumns | None = None

    @cached_property
    def by_plain_name(self) -> dict[str, str]:
        """The columns of the original by their names in plain text, as a figure shows them."""
        return {plain(visible(name)): name for name in self.schema.names}

    @cached_property
    def _hidden(self) -> tuple[str, ...]:
        return tuple(name for name in self.schema.names if name not in set(self.released))

    @cached_property
    def hidden_names(self) -> frozenset[str]:
        """Names of columns that are not released, in words."""
        return frozenset(filter(None, map(normalized, self._hidden)))

    @cached_property
    def wordless(self) -> tuple[str, ...]:
        """Those that have no word."""
        return tuple(filter(None, (plain(name) for name in self._hidden if not normalized(name))))
