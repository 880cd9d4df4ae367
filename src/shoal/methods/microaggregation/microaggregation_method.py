"""Base of the microaggregation methods of a policy: k, households, and the treatment of failing groups."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from shoal.errors import PolicyError
from shoal.kernels import Matrix
from shoal.methods.method import Method
from shoal.plan import Partition
from shoal.schema import Kind


@dataclass(frozen=True)
class MicroaggregationMethod(Method):
    """Parameters of a microaggregation method.

    k                 minimum number of records (or units) in a group; if omitted, the k of the required k-anonymity
    merge             groups that fail a requirement are merged with a neighboring group; otherwise they are suppressed
    decoys            groups are paired beforehand, and a group that fails is merged with its partner: an attacker who
                      recomputes the groups cannot infer which of the two failed. This share of the pairs that satisfy
                      the requirements is merged as well; "auto": none. If omitted, a failing group is merged with the
                      neighbor whose merging costs least
    split_households  records of a household or unit are grouped one by one, and not as a vector with those of others
    """

    k: int | None = None
    merge: bool = True
    decoys: Annotated[float, Field(strict=True)] | Literal["auto"] | None = None
    split_households: bool = False

    forms_groups: ClassVar[bool] = True
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        if self.k is not None and self.k < 2:
            raise PolicyError.too_small("method.k", 2, self.k, "a group of one record protects nobody")
        if self.decoys is not None and not 0 <= self.decoy_rate <= 1:
            raise PolicyError.outside("method.decoys", 0, 1, self.decoys)
        if self.decoys is not None and not self.merge:
            raise PolicyError.only_for("method.decoys", "method.merge = true", "merge = false")

    @property
    def decoy_rate(self) -> float:
        """Share of the pairs that are merged although they satisfy the requirements."""
        return self.decoys if isinstance(self.decoys, int | float) else 0.0

    @property
    def merges_groups(self) -> bool:
        return self.merge

    @property
    def other_settings(self) -> tuple[tuple[str, Self], ...]:
        own: Any = self
        return (
            (f"method.merge = {'false' if self.merge else 'true'}", replace(own, merge=not self.merge, decoys=None)),
        )

    @property
    def pairs_groups(self) -> bool:
        return self.decoys is not None

    @property
    def keeps_households(self) -> bool:
        return not self.split_households

    @property
    def seeks_optimum(self) -> bool:
        """Whether the report says how far its groups are from the optimum at most."""
        return False

    @property
    def chooses_gamma(self) -> bool:
        """Whether every block is grouped with a gamma of its own (V-MDAV)."""
        return False

    @property
    def weighs_columns(self) -> bool:
        return True

    def uses_taxonomy(self, kind: Kind) -> bool:
        """Only nominal values: distances of numbers, dates and ranks need no taxonomy."""
        return kind == "nominal"

    @property
    def microaggregation(self) -> MicroaggregationMethod:
        return self

    @abstractmethod
    def plan(self, X: Matrix, k: int, seed: int) -> Partition:
        """The group of every record, or vector of records, at least k of them per group; by k alone."""
