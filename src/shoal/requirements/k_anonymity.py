"""k-anonymity: every record shares its quasi-identifiers with at least k - 1 others.

Samarati & Sweeney (1998); Samarati (2001), doi:10.1109/69.971193.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.requirements.groups import Groups, Weaker


@dataclass(frozen=True)
class KAnonymity:
    """Every group has at least ``k`` records, or units where a column says which records are of one."""

    k: int
    """Records of a class at least, 2 or more."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["k_anonymity"] = "k_anonymity"

    title: ClassVar[str] = "k-anonymity"
    formula: ClassVar[str] = "n >= k"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "k"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = True
    column: ClassVar[None] = None
    reads: ClassVar[Literal["totals"]] = "totals"
    native_test: ClassVar[None] = None  # its least_records is a parameter of the search
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if self.k < 2:
            raise PolicyError.too_small("k_anonymity.k", 2, self.k, "a group of one record protects nobody")

    @property
    def asked(self) -> int:
        return self.k

    @property
    def least_records(self) -> int:
        return self.k

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return groups.totals >= self.k

    def reached(self, groups: Groups) -> int:
        return int(groups.totals.min())
