"""Disclosure that class sizes do not show: records that are unique on columns released unchanged, and classes whose
records all share a sensitive value.

counts of the released records -> number of exposed records
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from shoal.encode.class_numbers import value_numbers
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import listed
from shoal.findings import Finding
from shoal.gate.wildcards import wildcard_extremes
from shoal.kernels import Labels
from shoal.kernels.combinations import number_combinations

Cells: TypeAlias = "pa.ChunkedArray[Any]"

ExposureKind = Literal[
    "unique",
    "dependent",
    "homogeneous",
    "determined",
    "minimality",
    "suppressed",
    "blanked",
    "retied",
    "outermost",
    "intersected",
    "pinned",
    "unrecognized",
]
UNIQUE, HOMOGENEOUS = "unique on untouched columns", "in classes that share a sensitive value"
N_NAMED = 2  # columns


@dataclass(frozen=True)
class Exposure:
    """More records are exposed than the policy accepts without a warning."""

    kind: ExposureKind
    share: float  # percent of the released records; for minimality, of the accused records; for linkage, of the persons
    limit: float  # percent; for minimality and dependent columns, what the release gives away without them
    columns: tuple[str, ...]  # that contribute most, in descending order
    remedy: str  # TOML lines for the policy that avoid it; empty where there are none
    upper: float | None = None  # percent; of the 95 % interval, where the share is estimated from a sample

    @property
    def highest_share(self) -> float:
        return self.share if self.upper is None else self.upper

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def n_homogeneous_by_wildcards(counts: CountTable, codes_of: Callable[[Cells], Labels]) -> int:
    """Number of records in classes with exactly one known sensitive value, the last column, where a missing cell may be
    any value: the class of a record is all records that it matches, so that all combinations are counted together.
    ``codes_of``: the values of cells, equal for spellings of one value, -1 where missing."""
    *names, value = counts.names
    least, greatest = wildcard_extremes(counts.to_table(), names, codes_of(counts[value]))
    return counts.only(least == greatest).n_records


def by_number_of_values(table: pa.Table, names: Sequence[str]) -> tuple[str, ...]:
    """The columns, those with the most different values first."""
    return tuple(sorted(names, key=lambda name: -len(count_combinations(table, [name]))))


def columns_to_cover(table: pa.Table, names: Sequence[str], limit: float) -> tuple[str, ...]:
    """The first of ``names``, so many that at most ``limit`` percent of the records are unique on the others."""
    labels = np.zeros(len(table), dtype=np.int64)
    for at in range(len(names) - 1, 0, -1):  # from the last ones, which distinguish least
        labels = number_combinations([labels, value_numbers(table[names[at]])], len(table))
        if 100 * np.count_nonzero(np.bincount(labels) == 1) > limit * len(table):
            return tuple(names[: at + 1])
    return tuple(names[:1])


def unique_finding(share: float, names: Sequence[str], limit: float | None = None) -> Finding:
    meaning = f"Share of records that nobody else equals on the columns released as they are: {listed(names)}."
    return Finding(UNIQUE, share, meaning, baseline=0, goal=limit, unit="%")


def homogeneous_finding(share: float, name: str, limit: float | None = None) -> Finding:
    meaning = f"Share of records in classes that all have the same {name}: who finds the class knows it."
    return Finding(f"{HOMOGENEOUS}, {name}", share, meaning, baseline=0, goal=limit, unit="%")
