"""The problem given to a search: a table of counts, the requirements, the loss, and whether blocks may be empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self, get_args

from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError
from shoal.kernels import Labels
from shoal.losses import LOSSES, measure, total
from shoal.methods.generalization.certificate import classes_of
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.column_reader import read_counts
from shoal.methods.generalization.enumeration.bounds import BoxCosts, LossName
from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.box_table import BoxTable
from shoal.methods.generalization.enumeration.split_set import SplitSet
from shoal.methods.generalization.mondrian import Mondrian
from shoal.methods.generalization.splits import Cuts
from shoal.plan import CutTree
from shoal.requirements import Requirement
from shoal.schema import Schema


@dataclass(frozen=True, eq=False)
class Problem:
    counts: CountTable
    schema: Schema
    wanted: tuple[Requirement, ...]
    loss: LossName
    target: str | None
    cuts: Cuts | None
    empty_blocks: bool

    @classmethod
    def of(
        cls,
        table: Any,
        schema: Schema,
        wanted: Sequence[Requirement],
        loss: LossName,
        target: str | None,
        cuts: Cuts | None,
        empty_blocks: bool,
    ) -> Self:
        if loss not in get_args(LossName):
            raise PolicyError.unknown_choice("loss", loss, get_args(LossName))
        if loss == "classification" and target is None:
            raise PolicyError.no_target()
        counts = read_counts(table, schema, wanted, target)
        return cls(counts, schema, tuple(wanted), loss, target, cuts, empty_blocks)

    @cached_property
    def coded(self) -> CodedCounts:
        return CodedCounts.of(self.counts, self.schema, self.wanted, self.cuts)

    @cached_property
    def splits(self) -> SplitSet:
        return SplitSet.of(self.coded.attributes, [self._shortest(a.domain.name) for a in self.coded.attributes])

    @cached_property
    def classes(self) -> Labels | None:
        """(n_rows,) the class of every row in the target column of the loss "classification"; None for other losses."""
        return classes_of(self.counts, self.target if self.loss == "classification" else None)

    def box_table(self, *, ties: bool) -> BoxTable:
        pricing = BoxCosts(self.loss, self.coded.least)
        return BoxTable(
            BoxSpace(self.splits), self.coded, self.classes, pricing, empty_blocks=self.empty_blocks, ties=ties
        )

    def mondrian(self) -> CutTree | None:
        """The cheaper of Mondrian's greedy and strict partitions; None if both have empty blocks, where forbidden."""
        modes = (Mondrian(mode, self.loss, self.target, self.cuts) for mode in ("greedy", "strict"))
        trees = [mode.cut(self.counts, self.schema, self.wanted) for mode in modes]
        kept = [tree for tree in trees if self.empty_blocks or measure(tree, self.counts).totals.all()]
        return min(kept, key=self.cost, default=None)

    def cost(self, tree: CutTree) -> float:
        """The cost of a tree, by counting the records of every block."""
        return total(LOSSES[self.loss], measure(tree, self.counts, self.target))

    def _shortest(self, name: str) -> float:
        lengths = [w.asked for w in self.wanted if w.reads == "extents" and w.column == name]
        return max(lengths, default=0.0)
