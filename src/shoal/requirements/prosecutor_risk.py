"""Prosecutor risk: an intruder who knows that a person is in the release finds the record with a bounded probability.

El Emam & Dankar (2008), doi:10.1197/jamia.M2716.

    1 / n <= maximum        n: records, or units, of the class

It is k-anonymity with k = 1 / maximum, rounded up; so it is monotone.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.shares import SLACK


@dataclass(frozen=True)
class ProsecutorRisk:
    """Nobody who is known to be in the release is found with a probability above ``maximum``."""

    maximum: float
    """Largest probability of a record, above 0 and below 1; 0.2 is k = 5."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["prosecutor_risk"] = "prosecutor_risk"

    title: ClassVar[str] = "prosecutor risk"
    formula: ClassVar[str] = "1 / n <= maximum: k_anonymity with k = 1 / maximum, rounded up"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "maximum"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = True
    column: ClassVar[None] = None
    reads: ClassVar[Literal["totals"]] = "totals"
    native_test: ClassVar[None] = None  # its least_records is a parameter of the search
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.maximum < 1:
            raise PolicyError.not_between("prosecutor_risk.maximum", 0, 1, self.maximum, "it is a probability")

    @property
    def asked(self) -> float:
        return self.maximum

    @property
    def least_records(self) -> int:
        return ceil((1 - SLACK) / self.maximum)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return groups.totals >= self.least_records

    def reached(self, groups: Groups) -> float:
        return float(1 / groups.totals.min())
