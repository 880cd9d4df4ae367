"""Standard blocking: records are compared if they agree on a blocking key.

two files -> Candidates

The blocking key of Jaro (1989), doi:10.1080/01621459.1989.10478785: the value of a categorical column, or a
number scaled to [0, 1] by the range in its own file and rounded. A key of several columns requires agreement on all of
them; several keys are several passes, and a pair is compared if it agrees on at least one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels
from shoal.kernels.combinations import number_combinations
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.key_bins import MISSING_KEY, KeyBins
from shoal.linkage.linkage_tables import LinkageColumn, LinkageTables

Key = str | Sequence[str]


@dataclass(frozen=True)
class StandardBlocking:
    """``keys``: each one or several columns; empty: every column is a key. Missing values agree with each other."""

    keys: Sequence[Key] = ()
    decimals: int | None = None  # 1 if neither is given
    n_blocks: int | None = None

    @property
    def bins(self) -> KeyBins:
        return KeyBins(1 if self.decimals is None and self.n_blocks is None else self.decimals, self.n_blocks)

    def candidates(self, tables: LinkageTables) -> Candidates:
        keys = self.keys or [column.name for column in tables.original]
        return Candidates(tuple(self._pass(tables, [key] if isinstance(key, str) else key) for key in keys))

    def _pass(self, tables: LinkageTables, names: Sequence[str]) -> Runs:
        indices = [tables.column_index(name) for name in names]
        columns = [column_keys(tables.original[at], tables.released[at], self.bins) for at in indices]
        return Runs.of_keys(*_combine_keys(columns))


def column_keys(original: LinkageColumn, released: LinkageColumn, bins: KeyBins) -> tuple[Labels, Labels]:
    if original.codes is not None and released.codes is not None:
        return np.where(original.missing, MISSING_KEY, original.codes), np.where(
            released.missing, MISSING_KEY, released.codes
        )
    return bins.keys(original.scaled, released.scaled)


def _combine_keys(columns: Sequence[tuple[Labels, Labels]]) -> tuple[Labels, Labels]:
    """One number for the combined keys of several columns, equal if all of them are."""
    n = len(columns[0][0])
    both = [np.concatenate(tables) for tables in columns]
    numbers = number_combinations(both, len(both[0]))
    return numbers[:n], numbers[n:]
