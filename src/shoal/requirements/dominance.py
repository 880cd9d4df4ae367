"""Dominance: the largest contributors of a class have no more than a given share of its total.

The (n, k)-rule of business statistics: Hundepool et al. (2012), Statistical Disclosure Control,
doi:10.1002/9781118348239

    x_1 + ... + x_n <= share (x_1 + x_2 + ...)        x_1 >= x_2 >= ...: absolute amounts of the contributors

Monotone: the n largest of a merged class have in each part no more than the n largest there. The sum over the parts is
at most the share of the sum of their totals. A contributor with records in both parts changes nothing in this, since
the absolute amounts of its records are added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import Vector
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.shares import SLACK


@dataclass(frozen=True)
class Dominance:
    """The ``contributors`` largest of every class have at most ``share`` of its total of ``column``."""

    share: float
    """Largest share of the total, above 0 and below 1."""
    column: str
    """The numeric column of the amounts: sensitive, or a quasi-identifier."""
    contributors: int = 1
    """How many of the largest contributors are added up, 1 or more."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["dominance"] = "dominance"

    title: ClassVar[str] = "dominance rule"
    formula: ClassVar[str] = "x_1 + ... + x_n <= share * (x_1 + x_2 + ...), n the contributors"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "share"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["amounts"]] = "amounts"
    least_records: ClassVar[None] = None
    native_test: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise PolicyError.not_between("dominance.share", 0, 1, self.share, "it is a share of a total")
        if self.contributors < 1:
            raise PolicyError.too_small("dominance.contributors", 1, self.contributors, "nobody has nothing")

    @property
    def asked(self) -> float:
        return self.share

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._share(groups) <= self.share + SLACK

    def reached(self, groups: Groups) -> float:
        return float(self._share(groups).max())

    def _share(self, groups: Groups) -> Vector:
        """(n_groups,) share of the largest; 0 where all amounts are 0 or missing."""
        found = groups.contributed
        largest, totals = found.largest(self.contributors), found.totals
        return np.divide(largest, totals, out=np.zeros_like(totals), where=totals > 0)
