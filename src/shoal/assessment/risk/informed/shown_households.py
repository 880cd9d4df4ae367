"""Which records the release shows to belong together, and the households of the original that they may be.

aligned tables -> households of both tables, by their size

A household number tells which records are of one household, a pseudonym which are of one person. Both are new values,
but equal where those of the original are. A record without a number is a household of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assessment.table_pair import AlignedTables
from shoal.encode.codes import to_codes
from shoal.kernels import Labels
from shoal.schema import Schema

MOST_MEMBERS = 30  # of a household that is compared as a whole


@dataclass(frozen=True, eq=False)
class HouseholdsOfSize:
    """All households of one size; a row holds the records of one."""

    originals: Labels  # (n_originals, size) records of the original
    released: Labels  # (n_released, size) released records

    @property
    def size(self) -> int:
        return int(self.originals.shape[1])

    @property
    def n_compared(self) -> int:
        """Pairs of a person and a record, for one household of the original."""
        return len(self.released) * self.size**2


@dataclass(frozen=True, eq=False)
class ShownHouseholds:
    """Households of up to ``MOST_MEMBERS`` records in both tables, ascending by size."""

    column: str  # of household numbers or pseudonyms
    by_size: tuple[HouseholdsOfSize, ...]

    @classmethod
    def of(cls, aligned: AlignedTables) -> ShownHouseholds | None:
        """By the column that puts most records together; None where the release shows no records to be so."""
        found = (cls._by(aligned, name) for name in _linking_columns(aligned.schema))
        return max((each for each in found if each.n_together), key=lambda each: each.n_together, default=None)

    @classmethod
    def _by(cls, aligned: AlignedTables, name: str) -> ShownHouseholds:
        tables = [_rows_by_size(name, table[name]) for table in (aligned.original, aligned.released)]
        both = sorted(set(tables[0]) & set(tables[1]))
        return cls(name, tuple(HouseholdsOfSize(tables[0][size], tables[1][size]) for size in both))

    @property
    def n_together(self) -> int:
        """Released records in households of several."""
        return sum(each.released.size for each in self.by_size if each.size > 1)

    def n_shown(self, truth: Labels) -> int:
        """Persons whose household is released with all its members and nobody else. ``truth``: (n_original,)."""
        return sum(
            each.originals.shape[1] * _n_same_rows(truth[each.originals], each.released) for each in self.by_size
        )


def _linking_columns(schema: Schema) -> Iterator[str]:
    """Columns whose released values tell which records belong together; other identifiers are not released."""
    for column in schema.columns:
        if column.role == "household" or (column.role == "identifier" and column.key_file is not None):
            yield column.name


def _rows_by_size(name: str, cells: pa.ChunkedArray[Any]) -> dict[int, Labels]:
    """The records of every household, as rows of one array for every size."""
    codes = to_codes(name, cells).codes
    is_alone = codes < 0
    codes = np.where(is_alone, codes.max(initial=0) + np.cumsum(is_alone), codes)
    order, sizes = np.argsort(codes, kind="stable"), np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    occurring = [int(size) for size in np.unique(sizes) if 0 < size <= MOST_MEMBERS]
    return {size: order[starts[sizes == size][:, None] + np.arange(size)] for size in occurring}


def _n_same_rows(some: Labels, others: Labels) -> int:
    """How many rows of ``some`` hold the same numbers as a row of ``others``, of which no two share a number."""
    place = np.full(max(int(some.max(initial=0)), int(others.max(initial=0))) + 2, -1)  # the last: of no record, -1
    place[others] = np.arange(len(others))[:, None]
    rows = place[some]
    return int(np.count_nonzero((rows[:, 0] >= 0) & (rows == rows[:, :1]).all(axis=1)))
