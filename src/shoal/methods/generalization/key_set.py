"""Quasi-identifiers that must not be joined to find a person, what must hold of them, and the sets to blank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import Vector
from shoal.plan.blanks import Cells
from shoal.requirements import KAnonymity, Requirement

MOST_SETS = 4096  # sets of columns that are tried: all of 12 columns, the smallest and the largest of more

MOST_COLUMNS = 64  # a bit for each


@dataclass(frozen=True)
class KeySet:
    names: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    importance: tuple[float, ...]  # what a blank cell of every column costs

    @property
    def k(self) -> int | None:
        """The largest that k-anonymity asks for; None where it is not asked for."""
        return max((wanted.k for wanted in self.requirements if isinstance(wanted, KAnonymity)), default=None)

    @property
    def weights(self) -> Vector:
        return np.array(self.importance, dtype=np.float64)

    @cached_property
    def patterns(self) -> Cells:
        """(n_patterns, n_columns) sets of columns to blank, from cheap to expensive; first columns first on ties."""
        q = len(self.names)
        sets = [chosen for size in sorted(_sizes(q)) for chosen in combinations(range(q), size)]
        sets.sort(key=lambda chosen: sum(self.importance[j] for j in chosen))
        return np.array([[j in chosen for j in range(q)] for chosen in sets])

    def cells(self, masks: NDArray[np.uint64]) -> Cells:
        """(n, n_columns) of sets of columns as the kernels write them, column j in bit j."""
        return (masks[:, None] >> np.arange(len(self.names), dtype=np.uint64) & np.uint64(1)).astype(bool)

    @property
    def masks(self) -> NDArray[np.uint64]:
        """(n_patterns,) the patterns as the kernels read them."""
        bits = np.uint64(1) << np.arange(len(self.names), dtype=np.uint64)
        return np.array(np.where(self.patterns, bits, np.uint64(0)).sum(axis=1), dtype=np.uint64)


def _sizes(q: int) -> list[int]:
    """Of the sets that are tried: 1, q, 2, q - 1, ..., as long as these are not too many."""
    sizes = sorted(range(1, q + 1), key=lambda size: (min(size, q + 1 - size), size))
    totals = accumulate(comb(q, size) for size in sizes)
    return [size for size, total in zip(sizes, totals, strict=True) if total <= MOST_SETS]


def key_sets(
    columns: tuple[str, ...], requirements: Sequence[Requirement], importance: Mapping[str, float]
) -> tuple[KeySet, ...]:
    """One for every set of quasi-identifiers that requirements are about."""
    for name, price in importance.items():
        if name not in columns:
            raise PolicyError.unlisted_in_policy("importance", name, columns)
        if not 0 < price < np.inf:
            raise PolicyError.not_above(f"importance of '{name}'", 0, price, "every blank costs something")
    if len(columns) > MOST_COLUMNS:
        raise PolicyError.outside("the number of quasi-identifiers", 1, MOST_COLUMNS, len(columns))
    wanted: dict[tuple[str, ...], list[Requirement]] = {}
    for requirement in requirements:
        for name in set(requirement.columns or ()) - set(columns):
            raise PolicyError.unlisted_in_policy(f"{requirement.name}.columns", name, columns)
        wanted.setdefault(requirement.columns or columns, []).append(requirement)
    return tuple(
        KeySet(names, tuple(some), tuple(float(importance.get(name, 1)) for name in names))
        for names, some in wanted.items()
    )
