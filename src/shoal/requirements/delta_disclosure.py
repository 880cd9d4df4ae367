"""delta-disclosure privacy: no sensitive value is much more, or much less, frequent in a group than in the release.

Brickell & Shmatikov (2008), doi:10.1145/1401890.1401904.

    | ln (p(group, s) / p(s)) | < delta, for every value s of the release

Natural logarithm; p among known values. A group that lacks a value of the release reveals that its members do not have
it, and fails at any delta. Monotone because the shares of a merged group are between those of its parts.
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
from shoal.requirements.tolerance import Tolerance, check_tolerance


@dataclass(frozen=True)
class DeltaDisclosure:
    """The share of every value in a group is within the factor exp(``delta``) of its share in the release."""

    delta: float
    """Largest difference of logarithms of shares, above 0."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    tolerance: Tolerance | None = None
    """How near amounts count as one value: 100, or "5%" of the value; left out: only equal ones do."""
    name: Literal["delta_disclosure"] = "delta_disclosure"

    title: ClassVar[str] = "delta-disclosure privacy"
    formula: ClassVar[str] = "abs(ln(q_s / p_s)) < delta for every s of the release"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "delta"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.delta < np.inf:
            raise PolicyError.not_above("delta_disclosure.delta", 0, self.delta, "no difference is below nothing")
        check_tolerance("delta_disclosure.tolerance", self.tolerance)

    @property
    def asked(self) -> float:
        return self.delta

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.delta, self.delta)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._difference(groups) < self.delta - SLACK

    def reached(self, groups: Groups) -> float:
        return float(self._difference(groups).max())

    def _difference(self, groups: Groups) -> Vector:
        """(n_groups,) largest difference of any value; infinite where a group lacks a value of the release."""
        shares, overall = Shares.of(groups), groups.overall
        with np.errstate(divide="ignore"):  # a value that does not occur in the whole release
            gaps = np.abs(np.log(shares.of_values / overall[shares.values]))
        largest = shares.max_by_group(gaps, if_empty=np.inf)
        return np.where(shares.n_distinct < np.count_nonzero(overall), np.inf, largest)
