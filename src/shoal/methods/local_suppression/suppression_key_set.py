"""Key sets: quasi-identifiers an intruder might combine, their requirements, and the sets of columns to blank."""

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
from shoal.requirements import Requirement
from shoal.requirements.requirement import least_records

MAX_SETS = 4096  # sets of columns tried: all for 12 columns, the smallest and the largest for more

MAX_COLUMNS = 64  # one bit for each


@dataclass(frozen=True)
class SuppressionKeySet:
    names: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    importance: tuple[float, ...]  # cost of a blanked cell, by column

    @property
    def k(self) -> int | None:
        """The largest k of the required k-anonymity; None if it is not required."""
        return least_records(wanted for wanted in self.requirements if wanted.reads == "totals")

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
        """(n, n_columns) from the kernels' bit masks of columns, column j in bit j."""
        return (masks[:, None] >> np.arange(len(self.names), dtype=np.uint64) & np.uint64(1)).astype(bool)

    @property
    def masks(self) -> NDArray[np.uint64]:
        """(n_patterns,) the patterns as bit masks for the kernels."""
        bits = np.uint64(1) << np.arange(len(self.names), dtype=np.uint64)
        return np.array(np.where(self.patterns, bits, np.uint64(0)).sum(axis=1), dtype=np.uint64)


def _sizes(q: int) -> list[int]:
    """Sizes of the sets that are tried: 1, q, 2, q - 1, ..., as long as the sets are not too many."""
    sizes = sorted(range(1, q + 1), key=lambda size: (min(size, q + 1 - size), size))
    totals = accumulate(comb(q, size) for size in sizes)
    return [size for size, total in zip(sizes, totals, strict=True) if total <= MAX_SETS]


def key_sets(
    columns: tuple[str, ...], requirements: Sequence[Requirement], importance: Mapping[str, float]
) -> tuple[SuppressionKeySet, ...]:
    """One for every set of quasi-identifiers to which requirements apply."""
    for name, price in importance.items():
        if name not in columns:
            raise PolicyError.unlisted_in_policy("importance", name, columns)
        if not 0 < price < np.inf:
            raise PolicyError.not_above(f"importance of '{name}'", 0, price, "every blank costs something")
    if len(columns) > MAX_COLUMNS:
        raise PolicyError.outside("the number of quasi-identifiers", 1, MAX_COLUMNS, len(columns))
    by_columns: dict[tuple[str, ...], list[Requirement]] = {}
    for requirement in requirements:
        for name in set(requirement.columns or ()) - set(columns):
            raise PolicyError.unlisted_in_policy(f"{requirement.name}.columns", name, columns)
        by_columns.setdefault(requirement.columns or columns, []).append(requirement)
    return tuple(
        SuppressionKeySet(names, tuple(some), tuple(float(importance.get(name, 1)) for name in names))
        for names, some in by_columns.items()
    )
