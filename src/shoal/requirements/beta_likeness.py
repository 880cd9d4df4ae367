"""beta-likeness: an intruder's belief in any sensitive value grows by no more than beta, in proportion.

Cao & Karras (2012), doi:10.14778/2350229.2350255.

    basic     (q_s - p_s) / p_s <= beta                 wherever q_s > p_s
    enhanced  (q_s - p_s) / p_s <= min(beta, -ln p_s)   so that frequent values do not become certain either

q: shares in the group, p: in the release, both among known values. Monotone because the shares of a merged group are
between those of its parts. A decrease of belief (a person does not have a value) is not limited.
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
class BetaLikeness:
    """No value is more than 1 + ``beta`` times as frequent in a group as in the release."""

    beta: float
    """Largest relative gain, above 0."""
    column: str
    """The sensitive column."""
    enhanced: bool = False
    """True: the gain of a value with the overall share p is also at most -ln p."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    tolerance: Tolerance | None = None
    """How near amounts count as one value: 100, or "5%" of the value; left out: only equal ones do."""
    name: Literal["beta_likeness"] = "beta_likeness"

    title: ClassVar[str] = "beta-likeness"
    formula: ClassVar[str] = "(q_s - p_s) / p_s <= beta; enhanced: also <= -ln p_s"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "beta"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.beta < np.inf:
            raise PolicyError.not_above("beta_likeness.beta", 0, self.beta, "no gain is below nothing")
        check_tolerance("beta_likeness.tolerance", self.tolerance)

    @property
    def asked(self) -> float:
        return self.beta

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.enhanced_beta if self.enhanced else TestKind.beta, self.beta)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._gain(groups) <= self.beta + SLACK

    def reached(self, groups: Groups) -> float:
        return float(self._gain(groups).max())

    def _gain(self, groups: Groups) -> Vector:
        """(n_groups,) largest relative gain of any value; infinite where the group fails at any beta."""
        shares = Shares.of(groups)
        overall = groups.overall[shares.values]
        with np.errstate(divide="ignore"):  # a value that does not occur in the whole release
            gains = np.maximum(shares.of_values / overall - 1, 0.0)
            if self.enhanced:
                gains = np.where(gains > -np.log(overall) + SLACK, np.inf, gains)
        return shares.max_by_group(gains, if_empty=np.inf)
