"""How the records are divided for the sake of size: every stratum that is large, by a 2^d-tree of its own.

The tree is made from counts of all records, so that policy and data decide, never the engine or its memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Protocol, Self, TypeVar

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.blocking.cells import Cells
from shoal.blocking.dimensions import Spread
from shoal.blocking.growth import Growth
from shoal.blocking.limit import smallest_limit
from shoal.blocking.space import Ranges
from shoal.blocking.tree_plan import TreeOptions, TreePlan, plan_tree
from shoal.encode.embedding import Embedding, Fold
from shoal.engines.protocol import BLOCK
from shoal.errors import PolicyError
from shoal.kernels import Labels, Matrix
from shoal.policy import Policy
from shoal.run.strata import Strata
from shoal.schema import Schema

MOST_UNDIVIDED = 200_000  # records that are grouped whole in some seconds
AT_ONCE = 1 << 20  # records that are counted together


@dataclass(frozen=True)
class Division:
    """A block for every record."""

    strata: Strata
    plans: dict[int, TreePlan]  # of the strata that are divided
    embedding: Embedding
    notes: tuple[str, ...]

    @classmethod
    def of(cls, policy: Policy, schema: Schema, strata: Strata, embedding: Embedding, fold: Fold) -> Self:
        k = policy.k or 1
        large = np.flatnonzero(strata.sizes > _most_undivided(policy, k))
        if policy.blocking.method == "none" or not large.size:
            return cls(strata, {}, embedding, ())
        if schema.with_role("household") and policy.keeps_households:
            return cls(strata, {}, embedding, _whole_households(policy))
        options = TreeOptions(policy.blocking.limit, k)
        plans = {}
        with progress.stage("dividing records into blocks", 0):
            for stratum in large.tolist():
                plans[stratum] = plan_tree(_InStratum(stratum, strata, embedding, fold), options)
        return cls(strata, plans, embedding, (_note(strata, plans),))

    @property
    def first(self) -> Labels:
        """(n_strata,) the number of the first block of every stratum."""
        n_blocks = [self.plans[at].rule.n_blocks if at in self.plans else 1 for at in range(len(self.strata.sizes))]
        return np.cumsum([0, *n_blocks[:-1]])

    def mark(self, table: pa.Table) -> pa.Table:
        """The table with the block of every record."""
        strata = self.strata.stratum_of(table)
        blocks = self.first[strata]
        points = self.embedding.lines(table) if self.plans else None
        for stratum, plan in self.plans.items():
            members = np.flatnonzero(strata == stratum)
            if points is not None and members.size:
                blocks[members] += plan.rule.block_of(points[members])
        return table.append_column(BLOCK, pa.array(blocks))


def _most_undivided(policy: Policy, k: int) -> int:
    if policy.blocking.method == "auto":
        return MOST_UNDIVIDED
    return smallest_limit(k) if policy.blocking.limit == "auto" else policy.blocking.limit


def _whole_households(policy: Policy) -> tuple[str, ...]:
    """A border would part the members of a household."""
    if policy.blocking.method != "auto":
        raise PolicyError.blocks_part_households()
    return ("The table is large but not divided into blocks: their borders would part the members of a household.",)


def _note(strata: Strata, plans: dict[int, TreePlan]) -> str:
    n_records = sum(int(strata.sizes[stratum]) for stratum in plans)
    n_blocks = sum(plan.rule.n_blocks for plan in plans.values())
    where = f", each of {len(plans)} strata by itself" if len(strata.sizes) > 1 else ""
    reasons = dict.fromkeys(reason for plan in plans.values() for reason in plan.reasons)
    told = f" {' '.join(reasons)}" if len(plans) == 1 else ""
    return f"{n_records:,} records were grouped inside of {n_blocks:,} blocks of a 2^d-tree{where}.{told}"


class _Sum(Protocol):
    def __add__(self: S, other: S) -> S: ...


S = TypeVar("S", bound=_Sum)


@dataclass(frozen=True)
class _InStratum:
    """Counts of the records of one stratum, whoever carries them."""

    stratum: int
    strata: Strata
    embedding: Embedding
    fold: Fold

    def ranges(self) -> Ranges:
        return self._sum(Ranges.of)

    def spread(self, ranges: Ranges) -> Spread:
        return self._sum(lambda X: Spread.of(X, ranges))

    def cells(self, growth: Growth) -> Cells:
        return self._sum(growth.count)

    def _sum(self, of: Callable[[Matrix], S]) -> S:
        """Pieces are gathered: adding up is as much work for few records as for many."""
        found: list[S] = []
        waiting: list[Matrix] = []

        def count() -> None:
            if waiting:
                found[:] = [reduce(add, [*found, of(np.vstack(waiting))])]
                waiting.clear()

        def see(piece: pa.Table) -> None:
            members = np.flatnonzero(self.strata.stratum_of(piece) == self.stratum)
            if members.size:
                waiting.append(self.embedding.lines(piece.take(members)))
            if sum(map(len, waiting)) >= AT_ONCE:
                count()

        self.fold(list(dict.fromkeys((*self.embedding.names, *self.strata.names))), see)
        count()
        return found[0]
