"""Taxonomies (value generalization hierarchies): Bachelors, Undergraduate, Higher education, *.

Level 0 holds the values of the column, the last level the root. A hierarchy file has one line per value,
``value;parent;...;*``, all with the same number of cells. It is a tree if no node has two parents.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from math import floor
from pathlib import Path
from typing import Literal, Self

import numpy as np

from shoal.errors import TaxonomyError
from shoal.kernels import Labels

ROOT = "*"
DatePart = Literal["month", "quarter", "year", "decade"]


def _is_whole(ratio: float) -> bool:
    """Whether the ratio is a whole number up to rounding: 0.3 is three times 0.1."""
    return abs(ratio - round(ratio)) < 1e-9 * ratio


@dataclass(frozen=True)
class Taxonomy:
    paths: tuple[tuple[str, ...], ...]  # (n_values, n_levels) from each value up to the root
    name: str = "taxonomy"  # the file it was read from, for messages

    def __post_init__(self) -> None:
        if not self.paths:
            raise TaxonomyError.empty(self.name)
        n_levels = len(self.paths[0])
        if n_levels < 2:
            raise TaxonomyError.flat(self.name)
        for line, path in enumerate(self.paths, 1):
            if len(path) != n_levels:
                raise TaxonomyError.ragged(self.name, line, len(path), n_levels)
        self._check_tree()

    def _check_tree(self) -> None:
        for level in range(self.height):
            parent: dict[str, str] = {}
            for line, path in enumerate(self.paths, 1):
                if parent.setdefault(path[level], path[level + 1]) != path[level + 1]:
                    raise TaxonomyError.two_parents(self.name, line, level)
        if len(self.values) < len(self.paths):
            raise TaxonomyError.repeated_value(self.name, len(self.paths) - len(self.values))
        n_roots = len({path[-1] for path in self.paths})
        if n_roots > 1:
            raise TaxonomyError.many_roots(self.name, n_roots)

    @classmethod
    def read(cls, file: str | Path) -> Self:
        """Reads a hierarchy file, ';'- or ','-separated."""
        path = Path(file)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as reason:
            raise TaxonomyError.no_file(path, reason) from None
        delimiter = ";" if ";" in text.partition("\n")[0] else ","
        lines = csv.reader(text.splitlines(), delimiter=delimiter)
        return cls(tuple(tuple(cell.strip() for cell in line) for line in lines if line), name=path.name)

    @classmethod
    def from_prefixes(cls, values: Iterable[str], lengths: Sequence[int]) -> Self:
        """Generalizes codes to ever shorter prefixes: lengths (3, 1) give 04712, 047**, 0****, *."""
        if list(lengths) != sorted(set(lengths), reverse=True) or min(lengths, default=0) < 1:
            raise TaxonomyError.bad_prefixes(lengths)

        def path(value: str) -> tuple[str, ...]:
            return (value, *(value[:n] + "*" * len(value[n:]) for n in lengths), ROOT)

        return cls(tuple(path(value) for value in sorted(set(values))), name="prefixes")

    @classmethod
    def from_intervals(cls, values: Iterable[float], widths: Sequence[float], origin: float = 0) -> Self:
        """Generalizes numbers to ever wider intervals: widths (5, 10) give 33, [30, 35), [30, 40), *."""
        nested = all(wide > narrow > 0 and _is_whole(wide / narrow) for narrow, wide in pairwise(widths))
        if not widths or widths[0] <= 0 or not nested:
            raise TaxonomyError.bad_widths(widths)

        def interval(value: float, width: float) -> str:
            low = origin + floor((value - origin) / width) * width
            return f"[{low:.15g}, {low + width:.15g})"

        return cls(
            tuple((str(value), *(interval(value, width) for width in widths), ROOT) for value in sorted(set(values))),
            name="intervals",
        )

    @classmethod
    def from_date_parts(cls, values: Iterable[date], parts: Sequence[DatePart]) -> Self:
        """Generalizes dates by parts of the calendar: parts (month, year) give 2024-05-17, 2024-05, 2024, *."""
        coarser: dict[str, int] = {"month": 0, "quarter": 1, "year": 2, "decade": 3}
        ranks = [coarser.get(part, -1) for part in parts]
        if not parts or -1 in ranks or ranks != sorted(set(ranks)):
            raise TaxonomyError.bad_date_parts(parts, tuple(coarser))

        def part_of(day: date, part: str) -> str:
            return {
                "month": f"{day.year}-{day.month:02}",
                "quarter": f"{day.year}-Q{(day.month + 2) // 3}",
                "year": f"{day.year}",
                "decade": f"{day.year // 10 * 10}s",
            }[part]

        days = sorted(set(values))
        return cls(tuple((str(day), *(part_of(day, part) for part in parts), ROOT) for day in days), name="date parts")

    def above(self, level: int) -> Self:
        """The same tree without the levels below ``level``, whose nodes become the values."""
        return type(self)(tuple(dict.fromkeys(path[level:] for path in self.paths)), self.name)

    @property
    def height(self) -> int:
        """Number of levels above the values: the largest possible distance of two values."""
        return len(self.paths[0]) - 1

    @cached_property
    def values(self) -> frozenset[str]:
        return frozenset(path[0] for path in self.paths)

    def n_outside(self, values: Iterable[str]) -> int:
        """Number of distinct ``values`` that are not in the taxonomy."""
        return len(set(values) - self.values)

    @cached_property
    def depth_first(self) -> tuple[tuple[str, ...], ...]:
        """The paths sorted so that values below a node are adjacent, otherwise in the order of the file."""
        ranks = []
        for level in range(self.height + 1):
            place: dict[str, int] = {}
            ranks.append([place.setdefault(path[level], len(place)) for path in self.paths])
        return tuple(self.paths[at] for at in np.lexsort(ranks))

    def nodes_above(self, values: Sequence[str]) -> Labels:
        """(n_values, height): the ancestor of every value at level 0, 1, ... below the root, numbered per level."""
        n_outside = self.n_outside(values)
        if n_outside:
            raise TaxonomyError.values_outside(self.name, n_outside)
        path_of = {path[0]: path for path in self.paths}
        levels = [[path_of[value][level] for value in values] for level in range(self.height)]
        return np.column_stack([np.unique(level, return_inverse=True)[1] for level in levels]).astype(np.int64)
