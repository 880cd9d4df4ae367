"""Entropy l-diversity: the sensitive values of a group are as diverse as at least l equally frequent ones.

Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), doi:10.1145/1217299.1217302.

    - sum p_s log p_s >= log l        p_s: share of the value s among the known values of the group

Monotone because entropy is concave: a merged group has at least the smaller of the entropies of its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
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
class EntropyLDiversity:
    """The entropy of the sensitive values is log ``l`` or more in every group. Missing is not a value."""

    l: float  # noqa: E741 the letter of the paper
    """Equally frequent values that would be as diverse, more than 1; 2.5 is fine."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    tolerance: Tolerance | None = None
    """How near amounts count as one value: 100, or "5%" of the value; left out: only equal ones do."""
    name: Literal["entropy_l_diversity"] = "entropy_l_diversity"

    title: ClassVar[str] = "entropy l-diversity"
    formula: ClassVar[str] = "-sum q_s ln q_s >= ln l"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "l"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 1 < self.l < np.inf:
            raise PolicyError.not_above("entropy_l_diversity.l", 1, self.l, "one value tells everything")
        check_tolerance("entropy_l_diversity.tolerance", self.tolerance)

    @property
    def asked(self) -> float:
        return self.l

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.entropy, log(self.l))

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._entropy(groups) >= log(self.l) - SLACK

    def reached(self, groups: Groups) -> float:
        return float(np.exp(self._entropy(groups).min()))

    def _entropy(self, groups: Groups) -> Vector:
        """(n_groups,) in nats; 0 where no value is known."""
        shares = Shares.of(groups)
        return shares.sum_by_group(-shares.of_values * np.log(shares.of_values))
