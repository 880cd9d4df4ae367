"""The columns of a release that an intruder may know, and the records that they single out.

released records -> KnownColumns -> how many are alone on all columns, and on which few of them already

A missing cell is a value of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Self

import numpy as np
import pyarrow as pa

from shoal.assessment.profile.key_table import KeyTable
from shoal.assessment.profile.special_uniques import SpecialUniques, special_uniques
from shoal.assessment.profile.unique_sets import UniqueSet, UniqueSets, unique_sets
from shoal.assessment.risk.suda import suda_weights
from shoal.encode.codes import Codes, has_codes, to_codes
from shoal.encode.count_table import CountTable
from shoal.gate.wildcards import wildcard_class_sizes
from shoal.kernels import Labels
from shoal.kernels.combinations import distinct_combinations
from shoal.schema.helper_columns import UNIT

MOST_NAMED = 20  # columns of the sets that are named for a single record


@dataclass(frozen=True)
class RiskyRecord:
    """A record that few columns single out: its number in the original, from 1, and the smallest sets that do."""

    number: int
    sets: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class KnownColumns:
    """``keys``: one row for every combination; ``first``: the first record of each."""

    keys: KeyTable
    first: Labels

    @classmethod
    def of(cls, released: pa.Table, names: Sequence[str], units: Any | None = None) -> Self | None:
        """``units``: the unit of every record, where these are counted; None where no column can be compared."""
        known = [name for name in names if has_codes(released[name].type)]
        if not known or not len(released):
            return None
        table = released.select(known)
        unit = [] if units is None else [UNIT]
        if units is not None:
            table = table.append_column(UNIT, units)
        columns = [to_codes(name, table[name]).codes for name in (*unit, *known)]
        first, _ = distinct_combinations(columns, len(table))
        counts = CountTable(table, np.ones(len(table), dtype=np.int64))
        return cls(KeyTable.of(counts, known, unit=UNIT if unit else None), first)

    @property
    def names(self) -> tuple[str, ...]:
        return self.keys.names

    @cached_property
    def n_singled_out(self) -> int:
        """Records that no other record, or no record of another unit, equals on all columns."""
        classes = self.keys.classes()
        return int(classes.n[classes.n_units == 1].sum())

    @property
    def share(self) -> float:
        """The same in percent of the records."""
        return 100 * self.n_singled_out / self.keys.n_records

    @property
    def share_by_wildcards(self) -> float:
        """The same where a missing cell may be any value: a record is alone if it matches no other."""
        names = [str(at) for at in range(len(self.names))]
        cells = pa.table([_cells(column) for column in self.keys.columns], names=names)
        counts = CountTable(cells, self.keys.n)
        alone = wildcard_class_sizes(counts.to_table(), names) == 1
        return 100 * int(self.keys.n[alone].sum()) / self.keys.n_records

    @cached_property
    def _sets(self) -> UniqueSets:
        return unique_sets(self.keys)

    @cached_property
    def special(self) -> SpecialUniques:
        """Records that some of the columns single out already, and what each column contributes."""
        return special_uniques(self.keys, self.keys.classes(), self._sets)

    @cached_property
    def contributions(self) -> dict[str, float]:
        """Percent of the scores of minimal sample uniques that are due to each column, the largest first; of equal
        ones that with the most values."""
        shares = dict(zip(self.special.keys, self.special.contributions, strict=True))
        n_values = {name: column.n_values for name, column in zip(self.names, self.keys.columns, strict=True)}
        ranked = sorted(self.names, key=lambda name: (-shares.get(name, 0.0), -n_values[name]))
        return {name: shares.get(name, 0.0) for name in ranked}

    def worst_sets(self, most: int) -> tuple[UniqueSet, ...]:
        """The sets that single out most records which no smaller part of them does."""
        found = [each for each in self._sets.sets if each.n_minimal]
        return tuple(sorted(found, key=lambda each: (-each.n_minimal, len(each.keys)))[:most])

    def riskiest(self, most: int, numbers: Labels) -> tuple[RiskyRecord, ...]:
        """The records with the highest scores. ``numbers``: the position in the original of every released record."""
        scores = self._sets.by_row @ suda_weights(len(self._sets.combined), self._sets.largest)
        rows = [row for row in np.argsort(-scores, kind="stable")[:most] if scores[row] > 0]
        return tuple(RiskyRecord(int(numbers[self.first[row]]) + 1, self._minimal_sets(int(row))) for row in rows)

    def _minimal_sets(self, row: int) -> tuple[tuple[str, ...], ...]:
        """The smallest sets of columns that single out one row, of those that contribute most."""
        named = list(self.contributions)[:MOST_NAMED]
        shared = self._shared_by_others(row, [self.names.index(name) for name in named])
        found: list[int] = []
        for size in range(1, min(self._sets.largest, len(named)) + 1):
            for places in combinations(range(len(named)), size):
                chosen = sum(1 << place for place in places)
                contains_smaller = any(smaller & chosen == smaller for smaller in found)
                if not contains_smaller and not (shared & chosen == chosen).any():
                    found.append(chosen)
        return tuple(tuple(name for at, name in enumerate(named) if chosen >> at & 1) for chosen in found)

    def _shared_by_others(self, row: int, keys: Sequence[int]) -> Labels:
        """Which keys the rows of other units share with this one, each pattern once: bit i stands for the i-th key."""
        bits = np.zeros(len(self.keys), dtype=np.int64)
        for at, key in enumerate(keys):
            codes = self.keys.columns[key].codes
            bits |= (codes == codes[row]).astype(np.int64) << at
        return np.unique(bits[self.keys.units != self.keys.units[row]])


def _cells(column: Codes) -> Any:
    """The codes of a column, missing where they are negative."""
    return pa.array(column.codes, mask=column.codes < 0)
