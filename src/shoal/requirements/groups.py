"""Sizes, counts of sensitive values and extents of groups of records: the input of every requirement.

Where several records belong to one unit (stays of a patient, members of a household), distinct units are counted: a
unit with two sensitive values counts for both, so the counts of a group may add up to more than its units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import combination_keys
from shoal.requirements.contributions import Contributions, OfUnit

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Weaker = Literal["smaller", "larger"]  # which of two reached values protects less


@dataclass(frozen=True)
class Groups:
    """Counts of groups of records.

    A record with a missing sensitive value counts in the total of its group but for no value: an unknown value adds no
    diversity. Sensitive values are numbered in their order, where they have one.
    """

    totals: Labels  # (n_groups,) records, or different units
    counts: csr_array[np.int64] | None = None  # (n_groups, n_sensitive_values) records; None: no sensitive column
    whole: Labels | None = None  # (n_sensitive_values,) records of the whole release; None: the sum of these groups
    tree: Labels | None = None  # (n_sensitive_values, n_levels) node of every value, level by level, without the root
    extents: Mapping[str, Vector] | None = None  # column -> (n_groups,) length of an interval, or level of a node
    known: Labels | None = None  # (n_groups,) distinct units with a known value; None: the sum of ``counts``
    contributions: Contributions | None = None  # to the total of a numeric column; None: none is read
    persons: Vector | None = None  # (n_groups,) of a table of the population, in the group; None: there is no table

    @classmethod
    def of(
        cls,
        labels: Labels,
        n: Labels,
        values: Labels | None = None,
        tree: Labels | None = None,
        whole: Labels | None = None,
        units: Labels | None = None,
    ) -> Self:
        """From rows of (group, n records, sensitive value); a value of -1 is missing.

        ``units``: the unit that the records of a row belong to; -1: each record is a unit of its own.
        """
        n_groups = int(labels.max()) + 1
        totals = _counts_by_group(labels, n if units is None else first_of_units(labels, n, units), n_groups)
        if values is None:
            return cls(totals)
        from scipy.sparse import coo_array

        known = values >= 0
        n_values = max([int(values.max(initial=0)) + 1, *(len(each) for each in (tree, whole) if each is not None)])
        at, what = labels[known], values[known]
        of_values = (
            n[known] if units is None else first_of_units(combination_keys([at, what], at.size), n[known], units[known])
        )
        counts = coo_array((of_values, (at, what)), shape=(n_groups, n_values)).tocsr()
        if units is None:
            return cls(totals, counts, whole, tree)
        return cls(
            totals,
            counts,
            whole,
            tree,
            known=_counts_by_group(at, first_of_units(at, n[known], units[known]), n_groups),
        )

    @classmethod
    def of_amounts(
        cls, labels: Labels, n: Labels, amounts: Vector, units: Labels | None = None, of_unit: OfUnit = "sum"
    ) -> Self:
        """From rows of (group, n records, amount); NaN is missing. ``units``: as in ``of``; ``of_unit``: what the
        amounts of the records of a unit count as."""
        totals = cls.of(labels, n, units=units)
        return replace(totals, contributions=Contributions.of(totals.n_groups, labels, n, amounts, units, of_unit))

    @property
    def n_groups(self) -> int:
        return int(self.totals.size)

    @property
    def sensitive(self) -> csr_array[np.int64]:
        """The counts; raises TypeError where there is no sensitive column."""
        if self.counts is None:
            raise TypeError("this requirement needs groups with counts of its sensitive column")
        return self.counts

    @property
    def overall(self) -> Vector:
        """(n_sensitive_values,) shares among all known values of the release."""
        counts = self.sensitive
        n = np.asarray(counts.sum(axis=0)) if self.whole is None else self.whole
        return n / max(int(n.sum()), 1)

    @property
    def contributed(self) -> Contributions:
        """The contributions; raises TypeError where no numeric column was read."""
        if self.contributions is None:
            raise TypeError("this requirement needs groups with the amounts of its column")
        return self.contributions

    @property
    def population(self) -> Vector:
        """(n_groups,) persons of the population; raises PolicyError where no table of them was read."""
        if self.persons is None:
            raise PolicyError.population_not_read()
        return self.persons

    def extent(self, column: str) -> Vector:
        """(n_groups,) length of the interval, or level of the taxonomy node, of a quasi-identifier."""
        if self.extents is None or column not in self.extents:
            raise PolicyError.no_extents(column)
        return self.extents[column]

    def only(self, kept: NDArray[np.bool_]) -> Self:
        """The groups selected by a mask; without a ``whole`` the selected groups become the whole."""
        if kept.all():
            return self
        extents = None if self.extents is None else {name: length[kept] for name, length in self.extents.items()}
        counts = None if self.counts is None else self.counts[np.flatnonzero(kept)]
        known = None if self.known is None else self.known[kept]
        amounts = None if self.contributions is None else self.contributions.only(kept)
        persons = None if self.persons is None else self.persons[kept]
        return replace(
            self,
            totals=self.totals[kept],
            counts=counts,
            extents=extents,
            known=known,
            contributions=amounts,
            persons=persons,
        )


def first_of_units(labels: Labels, n: Labels, units: Labels) -> Labels:
    """(n_rows,) how many units each row adds to its label: 1 for the first row of a unit that has records, 0 for the
    others; all of its records where each is a unit of its own (-1)."""
    added = np.where(units < 0, n, 0)
    of_units = np.flatnonzero((units >= 0) & (n > 0))
    pairs = combination_keys([labels[of_units], units[of_units]], of_units.size)
    added[of_units[np.unique(pairs, return_index=True)[1]]] = 1
    return added


def _counts_by_group(labels: Labels, n: Labels, n_groups: int) -> Labels:
    return np.bincount(labels, weights=n, minlength=n_groups).astype(np.int64)
