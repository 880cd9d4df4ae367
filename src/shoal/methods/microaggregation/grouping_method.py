"""What all methods of microaggregation share in a policy: k, households, and groups under more than k."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.errors import PolicyError
from shoal.kernels import Matrix
from shoal.methods.microaggregation.households import Households
from shoal.methods.microaggregation.merge import Holds, merge_failing
from shoal.plan import Partition


@dataclass(frozen=True)
class GroupingMethod(ABC):
    """Parameters of a method of microaggregation.

    k                 records (or units) of a group at least; left out, that of the k-anonymity asked for
    merge             groups that fail a requirement are merged with a neighbor; otherwise they are suppressed
    split_households  members of a household, or records of a unit, may come into different groups
    """

    k: int | None = None
    merge: bool = True
    split_households: bool = False

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        if self.k is not None and self.k < 2:
            raise PolicyError.too_small("method.k", 2, self.k, "a group of one record protects nobody")

    def group(self, X: Matrix, k: int, households: Households | None, holds: Holds, seed: int) -> Partition:
        """A group for every record, such that as many groups as can be hold what is asked."""
        if households is None or self.split_households:
            partition = self.plan(X, k, seed)
        else:
            partition = households.spread(self.plan(households.means(X), k, seed))
        return self.merged(X, partition, holds)

    def merged(self, X: Matrix, partition: Partition, holds: Holds) -> Partition:
        """Where it is wanted, such that as many groups as can be hold what is asked."""
        return merge_failing(X, partition, holds) if self.merge else partition

    @abstractmethod
    def plan(self, X: Matrix, k: int, seed: int) -> Partition:
        """A group for every unit, each of at least k units."""
