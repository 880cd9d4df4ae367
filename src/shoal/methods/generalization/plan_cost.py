"""The cost of a cut tree on a table of counts: of its blocks, and of the records of blocks that fail.

A block that fails a requirement on its records is suppressed when the release is made, and the others are compared with
what is left, so that further ones may fail. A minimum length is required of every block, suppressed or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from shoal.encode.count_table import CountTable
from shoal.kernels import Vector
from shoal.losses import Loss, measure
from shoal.methods.generalization.attribute import SplitRule
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.plan import CutTree


@dataclass(frozen=True)
class PlanCost:
    cost: float
    n_suppressed: int  # records in blocks that fail, compared with what remains
    is_long_enough: bool  # whether all blocks have their minimum lengths
    cascades: bool = False  # whether further blocks fail because others are suppressed

    def is_within(self, most_suppressed: int) -> bool:
        """Whether the plan can be released when so many records may be suppressed."""
        return self.is_long_enough and self.n_suppressed <= most_suppressed

    def at_price(self, price: float) -> float:
        """The cost where every suppressed record costs so much more."""
        return self.cost + price * self.n_suppressed


def plan_cost(coded: CodedCounts, counts: CountTable, tree: CutTree, loss: Loss, target: str | None) -> PlanCost:
    """``counts``: the rows of ``coded``, with those that only declare values. ``target``: the column of the classes."""
    return plan_costs(coded, counts, tree, [loss], target)[0]


def plan_costs(
    coded: CodedCounts, counts: CountTable, tree: CutTree, losses: Sequence[Loss], target: str | None
) -> list[PlanCost]:
    """The same by several losses: the blocks are measured and checked once."""
    blocks = measure(tree, counts, target, coded.weights)
    failing = failing_blocks(coded, tree)
    n_suppressed = int(blocks.totals[failing].sum())
    lengths = tuple(wanted for wanted in coded.requirements if wanted.reads == "extents")
    is_long_enough = not lengths or bool(_holding(replace(coded, requirements=lengths), tree).all())

    def cost(loss: Loss) -> float:
        released = float(loss.of_blocks(blocks)[~failing].sum())
        return released + n_suppressed * loss.of_suppressed(blocks) if n_suppressed else released

    alone = failing & _holding(coded.on_records, tree, once=True) if n_suppressed else failing
    return [PlanCost(cost(loss), n_suppressed, is_long_enough, bool(alone[failing].any())) for loss in losses]


def failing_blocks(coded: CodedCounts, tree: CutTree) -> NDArray[np.bool_]:
    """(n_blocks,) whether a block is suppressed, as it fails a requirement on its records."""
    return ~_holding(coded.on_records, tree)


def _holding(coded: CodedCounts, tree: CutTree, *, once: bool = False) -> NDArray[np.bool_]:
    """(n_blocks,) whether a block satisfies all requirements beside the others that do, or ``once`` beside all; one
    without records does."""
    filled, labels = np.unique(tree.block_of(coded.counts.combinations), return_inverse=True)
    totals = np.bincount(labels, weights=coded.n).astype(np.int64)

    def lengths(column: int) -> Vector:
        attribute = coded.attributes[column]
        line = next((at for at, node in enumerate(attribute.nodes) if node.rule == SplitRule.LINE), 0)
        at = {(node.start, node.stop, node.level): number for number, node in enumerate(attribute.nodes)}
        spans = [(part.ranges[0][0], part.ranges[-1][1], part.level) for part in tree.parts[column]]
        rows = np.array([(start, stop, at.get((start, stop, level), line)) for start, stop, level in spans])
        return attribute.lengths(*rows[tree.block_parts[filled, column]].T)

    holding = np.ones(tree.n_blocks, dtype=bool)
    judge = partial(coded.holds, np.arange(coded.n.size)) if once else coded.released
    holding[filled] = judge(labels.astype(np.int64), totals, lengths)
    return holding
