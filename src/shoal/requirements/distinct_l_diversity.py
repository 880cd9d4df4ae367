"""Distinct l-diversity: knowing a person's group does not reveal their sensitive value.

Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), doi:10.1145/1217299.1217302.
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
from shoal.requirements.tolerance import Tolerance, check_tolerance


@dataclass(frozen=True)
class DistinctLDiversity:
    """Every group shows at least ``l`` different values of the sensitive column. Missing is not a value."""

    l: int  # noqa: E741 the letter of the paper
    """Different values of a class at least, 2 or more."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    tolerance: Tolerance | None = None
    """How near amounts count as one value: 100, or "5%" of the value; left out: only equal ones do."""
    name: Literal["distinct_l_diversity"] = "distinct_l_diversity"

    title: ClassVar[str] = "distinct l-diversity"
    formula: ClassVar[str] = "#{s: n_s > 0} >= l"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "l"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = True
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if self.l < 2:
            raise PolicyError.too_small("distinct_l_diversity.l", 2, self.l, "one value tells everything")
        check_tolerance("distinct_l_diversity.tolerance", self.tolerance)

    @property
    def asked(self) -> int:
        return self.l

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.distinct, self.l, least_records=self.l)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._distinct(groups) >= self.l

    def reached(self, groups: Groups) -> int:
        return int(self._distinct(groups).min())

    def _distinct(self, groups: Groups) -> Labels:
        """(n_groups,) number of different known values."""
        return np.asarray((groups.sensitive > 0).sum(axis=1), dtype=np.int64)
