"""epsilon-privacy against realistic adversaries of class II, whose strong prior belief can be changed by data.

Machanavajjhala, Gehrke & Goetz (2009), Data publishing against realistic adversaries, PVLDB 2(1), 790-801.

The adversary's prior is worth sigma individuals observed elsewhere, of any distribution, and they know b records of the
table exactly. Their belief about a person must change by no more than the factor epsilon, in both directions, whether
the person is in the table or not. For a group q and every sensitive value s, with N = n(q) - b and S = sigma + b:

    R1   N >= S / (epsilon - 1)
    R2   n(q, s) / N <= 1 - 1 / (epsilon' + delta)      epsilon' = epsilon (1 - 1 / S), delta = (epsilon - 1) N / S

One term differs from the form printed elsewhere: the left side of R2 is n(q, s) / (n(q) - b). With n(q) + b two groups
that satisfy the rules may merge into one that does not, and records that the adversary knows would protect others.
Both rules are linear in epsilon, so the smallest epsilon that a group satisfies has a closed form. n(q) counts known
values: fewer records make both rules stricter.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import TestKind, Vector
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.native_test import NativeTest
from shoal.requirements.shares import SLACK, Shares


@dataclass(frozen=True)
class EpsilonPrivacy:
    """Belief in any sensitive value changes at most by the factor ``epsilon``. Missing is not a value."""

    epsilon: float
    """Largest factor, above 1."""
    sigma: float
    """How stubborn the adversary is: individuals they learned from elsewhere, 1 or more."""
    b: int
    """Records of the table that they know, 0 or more."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["epsilon_privacy"] = "epsilon_privacy"

    title: ClassVar[str] = "epsilon-privacy"
    formula: ClassVar[str] = (
        "R1: N >= S / (epsilon - 1); "
        "R2: n_s / N <= 1 - 1 / (epsilon (1 - 1/S) + (epsilon - 1) N / S); N = n - b, S = sigma + b"
    )
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "epsilon"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 1 < self.epsilon < np.inf:
            raise PolicyError.not_above("epsilon_privacy.epsilon", 1, self.epsilon, "some belief always changes")
        if not 1 <= self.sigma < np.inf:
            raise PolicyError.too_small("epsilon_privacy.sigma", 1, self.sigma, "it counts individuals")
        if self.b < 0:
            raise PolicyError.too_small("epsilon_privacy.b", 0, self.b, "it counts records")

    @property
    def asked(self) -> float:
        return self.epsilon

    @property
    def native_test(self) -> NativeTest:
        S = self.sigma + self.b
        by_size = ceil((self.b + S / (self.epsilon - 1)) * (1 - 2 * SLACK))  # R1
        return NativeTest(TestKind.epsilon, self.epsilon, since=self.b, sigma=S, least_records=by_size)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._least_epsilon(groups) <= self.epsilon * (1 + SLACK)

    def reached(self, groups: Groups) -> float:
        return float(self._least_epsilon(groups).max())

    def _least_epsilon(self, groups: Groups) -> Vector:
        """(n_groups,) smallest epsilon satisfied; infinite where all records but b or fewer have the same value."""
        shares = Shares.of(groups)
        N, S = (shares.n_units - self.b).astype(np.float64), self.sigma + self.b
        most = shares.max_by_group(shares.counts.astype(np.float64), if_empty=np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            by_size = 1 + S / N
            by_value = (S * N / (N - most) + N) / (S - 1 + N)
        return np.where((N > 0) & (most < N), np.maximum(by_size, by_value), np.inf)
