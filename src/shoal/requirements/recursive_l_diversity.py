"""Recursive (c, l)-diversity: the most frequent value is not too frequent, the rare ones are not too rare.

Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), doi:10.1145/1217299.1217302.

    r_1 < c (r_l + r_{l+1} + ... + r_m)        r_1 >= r_2 >= ...: records with each value of the group

Both sides are counts, so there is no denominator, and a missing value counts on neither side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import Labels, TestKind
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.native_test import NativeTest
from shoal.requirements.shares import SLACK, Shares
from shoal.requirements.tolerance import Tolerance, check_tolerance


@dataclass(frozen=True)
class RecursiveLDiversity:
    """The most frequent value has fewer than ``c`` times the records of the ``l``-th and all rarer ones together."""

    c: float
    """How many times more frequent the first value may be, above 0."""
    l: int  # noqa: E741 the letter of the paper
    """From which value on the rest is counted, 2 or more."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    tolerance: Tolerance | None = None
    """How near amounts count as one value: 100, or "5%" of the value; left out: only equal ones do."""
    name: Literal["recursive_l_diversity"] = "recursive_l_diversity"

    title: ClassVar[str] = "recursive (c, l)-diversity"
    formula: ClassVar[str] = "r_1 < c (r_l + ... + r_m), r_1 >= r_2 >= ... the counts"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "l"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.c < np.inf:
            raise PolicyError.not_above("recursive_l_diversity.c", 0, self.c, "no count is below nothing")
        if self.l < 2:
            raise PolicyError.too_small("recursive_l_diversity.l", 2, self.l, "one value tells everything")
        check_tolerance("recursive_l_diversity.tolerance", self.tolerance)

    @property
    def asked(self) -> int:
        return self.l

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.recursive, self.c, since=self.l)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._largest_l(groups) >= self.l

    def reached(self, groups: Groups) -> int:
        """The largest l that every group satisfies with this c; 0 where there is none."""
        return int(self._largest_l(groups).min())

    def _largest_l(self, groups: Groups) -> Labels:
        """(n_groups,) number of values whose rest, the records from that value on, is large enough: the rest shrinks
        with l, so these values are the first ones."""
        shares = Shares.of(groups)
        order = np.lexsort((-shares.counts, shares.groups))  # group by group, most frequent first
        group, counts = shares.groups[order], shares.counts[order]
        first = np.concatenate([[0], np.cumsum(shares.n_distinct)])[group]  # (n_entries,) where its group begins
        before = np.concatenate([[0], np.cumsum(counts)])
        rest = shares.known[group] - (before[:-1] - before[first])  # this value and all rarer ones
        enough = counts[first] < self.c * rest * (1 - SLACK)
        return np.bincount(group[enough], minlength=groups.n_groups)
