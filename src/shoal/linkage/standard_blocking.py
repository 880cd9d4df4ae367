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
from shoal.linkage.key_bins import NOT_KNOWN, KeyBins
from shoal.linkage.linkage_tables import LinkageColumn, LinkageTables

Key = str | Sequence[str]


@dataclass(frozen=True)
class StandardBlocking:
    """``keys``: each one or several columns; empty: every column is a key. Missing values agree with each other."""

    keys: Sequence[Key] = ()
    decimals: int | None = None  # 1 if neither is given
    n_blocks: int | None = None

    @property
    def rounding(self) -> KeyBins:
        return KeyBins(1 if self.decimals is None and self.n_blocks is None else self.decimals, self.n_blocks)

    def candidates(self, sides: LinkageTables) -> Candidates:
        keys = self.keys or [field.name for field in sides.original]
        return Candidates(tuple(self._pass(sides, [key] if isinstance(key, str) else key) for key in keys))

    def _pass(self, sides: LinkageTables, names: Sequence[str]) -> Runs:
        places = [sides.place(name) for name in names]
        columns = [column_keys(sides.original[at], sides.released[at], self.rounding) for at in places]
        return Runs.of_keys(*_combined(columns))


def column_keys(original: LinkageColumn, released: LinkageColumn, rounding: KeyBins) -> tuple[Labels, Labels]:
    if original.codes is not None and released.codes is not None:
        return np.where(original.missing, NOT_KNOWN, original.codes), np.where(
            released.missing, NOT_KNOWN, released.codes
        )
    return rounding.keys(original.unit, released.unit)


def _combined(columns: Sequence[tuple[Labels, Labels]]) -> tuple[Labels, Labels]:
    """One number for the combined keys of several columns, equal if all of them are."""
    n = len(columns[0][0])
    both = [np.concatenate(sides) for sides in columns]
    numbers = number_combinations(both, len(both[0]))
    return numbers[:n], numbers[n:]
