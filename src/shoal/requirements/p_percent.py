"""p % rule: nobody in a class can estimate the amount of another contributor to within p percent.

Hundepool et al. (2012), Statistical Disclosure Control, doi:10.1002/9781118348239: the second largest
contributor subtracts the own amount from the total, which comes closest to the largest.

    (x_3 + x_4 + ...) >= p / 100 x_1        x_1 >= x_2 >= ...: absolute amounts of the contributors

Monotone: let u and v be the two largest of a merged class. In each part, what is left without u and v is at least
what is left without its own two largest, so at least p percent of its largest, and so of what u has there. The sum over
the parts is the rule for the merged class. A contributor with records in both parts changes nothing in this, since the
absolute amounts of its records are added.
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
class PPercent:
    """From the total of a class, its second largest contributor cannot estimate the largest to within ``p`` percent."""

    p: float
    """Percent of the largest amount that the others must add up to, above 0."""
    column: str
    """The numeric column of the amounts: sensitive, or a quasi-identifier."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["p_percent"] = "p_percent"

    title: ClassVar[str] = "p % rule"
    formula: ClassVar[str] = "x_3 + x_4 + ... >= p / 100 * x_1"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "p"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["amounts"]] = "amounts"
    least_records: ClassVar[None] = None
    native_test: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.p < np.inf:
            raise PolicyError.not_above("p_percent.p", 0, self.p, "every estimate has some error")

    @property
    def asked(self) -> float:
        return self.p

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._percent(groups) >= self.p * (1 - SLACK)

    def reached(self, groups: Groups) -> float:
        return float(self._percent(groups).min())

    def _percent(self, groups: Groups) -> Vector:
        """(n_groups,) percent of the largest amount that all but the two largest have; infinite without any amount."""
        found = groups.contributed
        first, rest = found.largest(1), np.maximum(found.totals - found.largest(2), 0)
        return 100 * np.divide(rest, first, out=np.full_like(first, np.inf), where=first > 0)
