"""Length restriction: no class releases a quasi-identifier more precisely than the policy allows.

Hore, Jammalamadaka, Mehrotra & D'Ascanio, Constrained generalization for data anonymization: a systematic search based
approach; there as k-anonymity with length restrictions.

    high - low >= width for an interval [low, high), level >= width for a node of a taxonomy (level 0: original values)

It restricts the released extent of a class, not its records. A centroid has no extent, so this requirement is refused
for a release of centroids. Monotone because a merged class is at least as long as its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import TestKind
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.native_test import NativeTest
from shoal.requirements.shares import SLACK


@dataclass(frozen=True)
class MinimumLength:
    """The interval or taxonomy node of the quasi-identifier ``column`` is at least ``width`` long in every group."""

    width: float
    """Least length of an interval, in the units of the column, or least level of a taxonomy node; above 0."""
    column: str
    """The quasi-identifier."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["minimum_length"] = "minimum_length"

    title: ClassVar[str] = "minimum length"
    formula: ClassVar[str] = "high - low >= width, or level of the taxonomy node >= width"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "width"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = True
    reads: ClassVar[Literal["extents"]] = "extents"
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 < self.width < np.inf:
            raise PolicyError.not_above("minimum_length.width", 0, self.width, "every interval is longer than nothing")

    @property
    def asked(self) -> float:
        return self.width

    @property
    def native_test(self) -> NativeTest:
        return NativeTest(TestKind.length, self.width)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return groups.extent(self.column) >= self.width * (1 - SLACK)

    def reached(self, groups: Groups) -> float:
        return float(groups.extent(self.column).min())
