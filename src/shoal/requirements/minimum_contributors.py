"""Minimum number of contributors: the total of a class has several contributors.

The threshold rule of business statistics: Hundepool et al. (2012), Statistical Disclosure Control,
doi:10.1002/9781118348239

An amount of 0 and a missing one contribute nothing: they hide nobody. Monotone because a merged class has at least the
contributors of each part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.requirements.groups import Groups, Weaker


@dataclass(frozen=True)
class MinimumContributors:
    """In every class at least ``n`` records, or units, have an amount of ``column`` that is not 0."""

    n: int
    """Contributors of a class at least, 2 or more."""
    column: str
    """The numeric column of the amounts: sensitive, or a quasi-identifier."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["minimum_contributors"] = "minimum_contributors"

    title: ClassVar[str] = "minimum number of contributors"
    formula: ClassVar[str] = "#{i: x_i != 0} >= n"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "n"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["amounts"]] = "amounts"
    least_records: ClassVar[None] = None
    native_test: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if self.n < 2:
            raise PolicyError.too_small("minimum_contributors.n", 2, self.n, "one contributor is the total")

    @property
    def asked(self) -> int:
        return self.n

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return groups.contributed.n_contributors >= self.n

    def reached(self, groups: Groups) -> int:
        return int(groups.contributed.n_contributors.min())
