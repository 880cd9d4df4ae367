"""Values of several columns that a page shows together: how many records of the original have them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.gate.page.original_counts import Said, numbers_of, words_of
from shoal.total import Total

MOST_SUBSETS = 5_000  # of the columns of a combination: those of 31 columns
SLICE = 1_000  # records whose units are read at once: mostly, the first ones are of k units
Mask = np.ndarray[Any, np.dtype[np.bool_]]  # (n_records,)


@dataclass(frozen=True)
class ShownCombination:
    """The values of a line, row or paragraph, by column."""

    place: str
    values: Mapping[str, frozenset[Said]]

    @property
    def is_countable(self) -> bool:
        n = len(self.values)
        return comb(n, 2) + comb(n, 3) <= MOST_SUBSETS

    @cached_property
    def subsets(self) -> list[tuple[str, ...]]:
        """Pairs and triples of the columns, and all of them."""
        names = sorted(self.values)
        sizes = {size for size in (2, 3, len(names)) if 2 <= size <= len(names)}
        return [chosen for size in sorted(sizes) for chosen in combinations(names, size)]


@dataclass(frozen=True)
class ColumnCodes:
    """A column as numbers of its distinct values, so that each of these is read once, however often it is looked for.

    codes    int (n_records,)
    words    the distinct values in words; numbers: as numbers, None where they are none
    """

    codes: Any
    words: pa.Array[Any]
    numbers: pa.Array[Any] | None

    @classmethod
    def of(cls, cells: pa.ChunkedArray[Any]) -> ColumnCodes:
        flat: Any = cells.combine_chunks()
        if pa.types.is_dictionary(flat.type):
            flat = flat.cast(flat.type.value_type)
        if pa.types.is_nested(flat.type):  # which is not compared
            flat = pa.nulls(len(flat), pa.string())
        coded: Any = flat.dictionary_encode()
        distinct = coded.dictionary
        codes = pc.fill_null(coded.indices.cast(pa.int64()), len(distinct)).to_numpy()
        return cls(codes, words_of(distinct), numbers_of(distinct))

    def are(self, values: frozenset[Said]) -> Mask:
        """Whether each cell is one of the values; a missing cell is none."""
        phrases = pa.array([value for value in values if isinstance(value, str)], pa.string())
        found: Any = pc.is_in(self.words, value_set=phrases, skip_nulls=True)
        if self.numbers is not None:
            wanted = pa.array([value for value in values if isinstance(value, float)], pa.float64())
            found = pc.or_(found, pc.is_in(self.numbers, value_set=wanted, skip_nulls=True))
        mask: Mask = np.append(found.to_numpy(zero_copy_only=False), False)[self.codes]
        return mask


@dataclass
class CombinationCounts:
    """Numbers of records, or of units, that have what is shown; those of units are counted up to k."""

    shown: Sequence[ShownCombination]
    unit: str | None
    k: int
    n: dict[tuple[int, tuple[str, ...]], int] = field(default_factory=dict)
    units: dict[tuple[int, tuple[str, ...]], set[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, total: Total, shown: Sequence[ShownCombination], unit: str | None, k: int) -> CombinationCounts:
        counts = cls(shown, unit, k)
        names = sorted(counts.names | ({unit} if unit else set()))
        return total(names, counts.of_piece) if shown else counts

    @cached_property
    def names(self) -> set[str]:
        return {name for each in self.shown for name in each.values}

    def of_piece(self, piece: pa.Table) -> CombinationCounts:
        """The counts of a piece."""
        counts = CombinationCounts(self.shown, self.unit, self.k)
        counts._add(piece)
        return counts

    def __add__(self, other: CombinationCounts) -> CombinationCounts:
        n = {key: n + other.n[key] for key, n in self.n.items()}
        units = {key: units | other.units[key] for key, units in self.units.items()}
        return CombinationCounts(self.shown, self.unit, self.k, n, units)

    def _add(self, piece: pa.Table) -> None:
        columns = {name: ColumnCodes.of(piece[name]) for name in self.names}
        units = piece[self.unit].combine_chunks() if self.unit else None
        for at, each in enumerate(self.shown):
            masks = {name: columns[name].are(values) for name, values in each.values.items()}
            for chosen in each.subsets:
                self._add_mask((at, chosen), np.logical_and.reduce([masks[name] for name in chosen]), units)

    def _add_mask(self, key: tuple[int, tuple[str, ...]], mask: Mask, units: Any) -> None:
        places = np.flatnonzero(mask)
        self.n[key] = self.n.get(key, 0) + len(places)
        if units is None:
            return
        found = self.units.setdefault(key, set())
        for first in range(0, len(places), SLICE):
            if len(found) >= self.k:
                break
            found.update(units.take(pa.array(places[first : first + SLICE])).to_pylist())

    def held_by_few(self) -> list[tuple[ShownCombination, tuple[str, ...]]]:
        """The combinations that some records, or units, have, but fewer than k."""
        counted = {key: len(found) for key, found in self.units.items()} if self.unit else self.n
        return [(self.shown[at], chosen) for (at, chosen), n in counted.items() if 0 < n < self.k]
