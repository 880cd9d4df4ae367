"""Values of several columns that a page shows together: how many records of the original have them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.gate.page.original_counts import Fold, Said, numbers_of, words_of

MOST_COLUMNS = 8  # of a combination; of more, the first ones are combined


@dataclass(frozen=True)
class ShownCombination:
    """The values of a line, row or paragraph, by column."""

    place: str
    values: Mapping[str, frozenset[Said]]

    @property
    def subsets(self) -> list[tuple[str, ...]]:
        """Pairs and triples of the columns, and all of them."""
        names = sorted(self.values)[:MOST_COLUMNS]
        sizes = {size for size in (2, 3, len(names)) if 2 <= size <= len(names)}
        return [chosen for size in sorted(sizes) for chosen in combinations(names, size)]


@dataclass
class CombinationCounts:
    shown: Sequence[ShownCombination]
    unit: str | None
    n: dict[tuple[int, tuple[str, ...]], int] = field(default_factory=dict)
    units: dict[tuple[int, tuple[str, ...]], set[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, fold: Fold, shown: Sequence[ShownCombination], unit: str | None) -> CombinationCounts:
        counts = cls(shown, unit)
        names = sorted({name for each in shown for name in each.values} | ({unit} if unit else set()))
        if shown:
            fold(names, counts.add)
        return counts

    def add(self, piece: pa.Table) -> None:
        for at, each in enumerate(self.shown):
            masks = {name: _has(piece[name].combine_chunks(), values) for name, values in each.values.items()}
            for chosen in each.subsets:
                both = masks[chosen[0]]
                for name in chosen[1:]:
                    both = pc.and_(both, masks[name])
                self.n[at, chosen] = self.n.get((at, chosen), 0) + (pc.sum(both).as_py() or 0)
                if self.unit:
                    found = piece[self.unit].combine_chunks().filter(both).to_pylist()
                    self.units.setdefault((at, chosen), set()).update(found)

    def held_by_few(self, k: int) -> list[tuple[ShownCombination, tuple[str, ...]]]:
        """The combinations that some records, or units, have, but fewer than k."""
        counted = {key: len(found) for key, found in self.units.items()} if self.unit else self.n
        return [(self.shown[at], chosen) for (at, chosen), n in counted.items() if 0 < n < k]


def _has(cells: pa.Array[Any], values: frozenset[Said]) -> pa.Array[Any]:
    """Whether each cell is one of the values."""
    phrases = pa.array([value for value in values if isinstance(value, str)], pa.string())
    found = pc.is_in(words_of(cells), value_set=phrases, skip_nulls=True)
    numbers = numbers_of(cells)
    if numbers is None:
        return found
    wanted = pa.array([value for value in values if isinstance(value, float)], pa.float64())
    return pc.or_(found, pc.is_in(numbers, value_set=wanted, skip_nulls=True))
