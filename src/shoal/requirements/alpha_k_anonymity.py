"""(alpha, k)-anonymity: k-anonymity, and no sensitive value is too frequent in a group.

Wong, Li, Fu & Wang (2006), doi:10.1145/1150402.1150499.

    n(group, s) / n_known(group) <= alpha, for every value s of the column, and n(group) >= k

The paper may also limit one chosen value only; here every value is limited, so that no policy names a sensitive value.
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
class AlphaKAnonymity:
    """Groups of at least ``k`` records; no value has more than the share ``alpha`` of a group's known values."""

    alpha: float
    """Largest share of any one value, above 0 and below 1."""
    k: int
    """Records of a class at least, 2 or more; records with a missing value count."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    tolerance: Tolerance | None = None
    """How near amounts count as one value: 100, or "5%" of the value; left out: only equal ones do."""
    name: Literal["alpha_k_anonymity"] = "alpha_k_anonymity"

    title: ClassVar[str] = "(alpha, k)-anonymity"
    formula: ClassVar[str] = "n >= k, q_s <= alpha for every s"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "alpha"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise PolicyError.not_between("alpha_k_anonymity.alpha", 0, 1, self.alpha, "it is a share of a group")
        if self.k < 2:
            raise PolicyError.too_small("alpha_k_anonymity.k", 2, self.k, "a group of one record protects nobody")
        check_tolerance("alpha_k_anonymity.tolerance", self.tolerance)

    @property
    def asked(self) -> float:
        return self.alpha

    @property
    def least_records(self) -> int:
        return self.k

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.share, self.alpha)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._share(groups) <= self.alpha + SLACK

    def reached(self, groups: Groups) -> float:
        return float(self._share(groups).max())

    def _share(self, groups: Groups) -> Vector:
        """(n_groups,) share of the most frequent value; 1, full disclosure, for a group of fewer than k records."""
        shares = Shares.of(groups)
        return np.where(groups.totals >= self.k, shares.max_by_group(shares.of_units, if_empty=1.0), 1.0)
