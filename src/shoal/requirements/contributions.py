"""Contributions to the total of every group: what each record, or each unit with all of its records, adds to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import distinct_combinations

OfUnit = Literal["sum", "least"]  # what the amounts of the records of a unit count as


@dataclass(frozen=True)
class Contributions:
    """One entry for equal contributions to a group, by group and then by amount, so that sums do not depend on the
    order of the records. Missing amounts contribute nothing and have no entry."""

    n_groups: int
    groups: Labels  # (n_entries,)
    amounts: Vector  # (n_entries,)
    n: Labels  # (n_entries,) contributors with this amount, at least 1

    @classmethod
    def of(
        cls, n_groups: int, groups: Labels, n: Labels, amounts: Vector, units: Labels | None, of_unit: OfUnit
    ) -> Self:
        """From rows of (group, n records, amount); an amount of NaN is missing. ``units``: of the records of every row;
        -1 or None: each record is a unit of its own. Absolute amounts are added: a loss can be estimated as a gain can,
        and the gains of a unit do not hide its losses."""
        known = ~np.isnan(amounts) & (n > 0)
        groups, n, amounts = groups[known], n[known], np.abs(amounts[known]) if of_unit == "sum" else amounts[known]
        units = np.full(groups.size, -1, dtype=np.int64) if units is None else units[known]
        alone = units < 0
        joined = _joined(groups[~alone], n[~alone], amounts[~alone], units[~alone], of_unit)
        return cls._sorted(
            n_groups,
            np.concatenate([groups[alone], joined[0]]),
            np.concatenate([amounts[alone], joined[1]]),
            np.concatenate([n[alone], np.ones(joined[0].size, dtype=np.int64)]),
        )

    @classmethod
    def _sorted(cls, n_groups: int, groups: Labels, amounts: Vector, n: Labels) -> Self:
        order = np.lexsort((amounts, groups))
        return cls(n_groups, groups[order], amounts[order], n[order])

    def only(self, kept: NDArray[np.bool_]) -> Self:
        """Those of the groups selected by a mask."""
        of_kept, numbers = kept[self.groups], np.cumsum(kept) - 1
        groups = numbers[self.groups[of_kept]]
        return type(self)(int(kept.sum()), groups, self.amounts[of_kept], self.n[of_kept])

    @property
    def totals(self) -> Vector:
        """(n_groups,) sum of all contributions."""
        return self._sums(self.amounts * self.n)

    @property
    def n_contributors(self) -> Labels:
        """(n_groups,) contributors whose amount is not 0."""
        return self._sums((self.amounts != 0) * self.n).astype(np.int64)

    def largest(self, n_largest: int) -> Vector:
        """(n_groups,) sum of the ``n_largest`` largest contributions, or of all where there are fewer."""
        ends = np.cumsum(np.bincount(self.groups, weights=self.n, minlength=self.n_groups))  # of every group
        above = ends[self.groups] - np.cumsum(self.n)  # contributors of the group that come later, none smaller
        return self._sums(self.amounts * np.clip(n_largest - above, 0, self.n))

    def _sums(self, entries: Vector) -> Vector:
        return np.bincount(self.groups, weights=entries, minlength=self.n_groups).astype(np.float64)


def _joined(groups: Labels, n: Labels, amounts: Vector, units: Labels, of_unit: OfUnit) -> tuple[Labels, Vector]:
    """Group and amount of every unit of every group, all of its records together."""
    order = np.lexsort((amounts, units, groups))
    groups, n, amounts, units = groups[order], n[order], amounts[order], units[order]
    first, unit = distinct_combinations([groups, units], groups.size)
    if of_unit == "least":
        found = np.full(first.size, np.inf)
        np.minimum.at(found, unit, amounts)
    else:
        found = np.bincount(unit, weights=amounts * n, minlength=first.size).astype(np.float64)
    return groups[first], found
