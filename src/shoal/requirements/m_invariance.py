"""m-invariance: comparing releases of the same persons excludes no sensitive value of a person.

Xiao & Tao (2007), doi:10.1145/1247480.1247556.

    n(group, s) / n_known(group) <= 1 / m, for every value s of the column

This is what one release can be asked: at least m values, none of them in more than one of m records. The paper demands
that every value occurs once (m-uniqueness), which gives the same bound of 1 / m for a guess. Where earlier releases are
given, the gate proves besides that a person's classes show the same values in all of them, and that what a class has
lost since is the value of nobody in particular (``gate/invariance.py``).

Monotone because the largest share of a merged group is at most the larger of those of its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import TestKind, Vector
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.native_test import NativeTest
from shoal.requirements.shares import SLACK, Shares


@dataclass(frozen=True)
class MInvariance:
    """At least ``m`` values in every group, none in more than one of ``m`` records, and the same in all releases."""

    m: int
    """Different values of a class at least, 2 or more; a value has at most one of m records."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["m_invariance"] = "m_invariance"

    title: ClassVar[str] = "m-invariance"
    formula: ClassVar[str] = "q_s <= 1 / m for every s; the same s in all classes of a person"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "m"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    of_all_releases: ClassVar[Literal[True]] = True
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if self.m < 2:
            raise PolicyError.too_small("m_invariance.m", 2, self.m, "one value tells everything")

    @property
    def asked(self) -> int:
        return self.m

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.share, 1 / self.m, least_records=self.m)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return np.asarray(self._reached(groups) >= self.m - SLACK)

    def reached(self, groups: Groups) -> float:
        return float(self._reached(groups).min())

    def _reached(self, groups: Groups) -> Vector:
        """(n_groups,) known records, or units, for one with the most frequent value; 0 without a known value."""
        shares = Shares.of(groups)
        return shares.n_units / shares.max_by_group(shares.counts.astype(np.float64), if_empty=1.0)
