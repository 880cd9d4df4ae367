"""Division of large strata into blocks, each stratum by its own 2^d-tree, intervals of a column or map.

The tree is built from counts of all records, the map from a sample of them, and a pilot groups some of the blocks: all
depend on policy and data and never on the engine or its memory. Intervals are computed from the coordinates of all
records of a stratum, one number for every quasi-identifier, in memory. For the repair at block borders, further trees
have their borders elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.blocking.block_choice import choose_blocks
from shoal.blocking.block_limit import even_limit, smallest_limit
from shoal.blocking.blocks import BlockPlan, BlockRule, FixedBlocks
from shoal.blocking.dimensions import CovarianceSums, rank_dimensions
from shoal.blocking.map_plan import plan_map
from shoal.blocking.predicted_time import is_repair_cheap, stays_whole
from shoal.blocking.tree_plan import TreeOptions, plan_tree
from shoal.blocking.tree_space import Ranges
from shoal.blocking.univariate_blocks import univariate_blocks
from shoal.encode.embedding import Embedding
from shoal.engines.protocol import BLOCK
from shoal.errors import PolicyError
from shoal.kernels import Labels, Matrix
from shoal.pipeline.protect.strata import Strata
from shoal.pipeline.protect.stratum_records import ShiftedStratum, StratumRecords
from shoal.plan import Partition
from shoal.policy import ReleasePlan
from shoal.schema import Schema
from shoal.total import Total

FEW_RECORDS = 200_000  # that an engine holds at once in its least memory, however many columns they have
MOST_CELLS = 2_000_000  # of more records that it holds at once
REPAIR_LIMIT = 4000  # records of a block for the repair, in which groups exchange records
REPAIR = (
    "Across the borders of the blocks groups have exchanged records with their neighbors, as long as the loss fell."
)


@dataclass(frozen=True)
class StratumBlocks:
    """The blocks of all strata, numbered stratum by stratum; an undivided stratum is one block."""

    n_strata: int
    rules: Mapping[int, BlockRule]  # of the divided strata

    @cached_property
    def first(self) -> Labels:
        """(n_strata,) The number of the first block of every stratum."""
        n_blocks = [self.rules[at].n_blocks if at in self.rules else 1 for at in range(self.n_strata)]
        return np.cumsum([0, *n_blocks[:-1]])

    @property
    def n_blocks(self) -> int:
        return self.n_strata + sum(rule.n_blocks - 1 for rule in self.rules.values())

    def block_of(self, strata: Labels, points: Callable[[], Matrix]) -> Labels:
        """(n_points,) The block of each point, given its stratum; ``points`` is called only if a stratum is divided."""
        blocks = self.first[strata]
        points_of_records = points() if self.rules else None
        for stratum, rule in self.rules.items():
            members = np.flatnonzero(strata == stratum)
            if points_of_records is not None and members.size:
                blocks[members] += rule.block_of(points_of_records[members])
        return blocks


@dataclass(frozen=True)
class BlockAssignment:
    """The rule that assigns a block to every record."""

    strata: Strata
    blocks: StratumBlocks
    embedding: Embedding
    notes: tuple[str, ...] = ()
    shifted: tuple[StratumBlocks, ...] = ()  # blocks with other borders, one for every pass of the repair
    limit: int | None = None  # records up to which a block goes; None: no stratum is divided

    @classmethod
    def of(
        cls,
        plan: ReleasePlan,
        schema: Schema,
        strata: Strata,
        embedding: Embedding,
        total: Total,
        most_undivided: int | None = None,
        times: float = 1.0,
    ) -> Self:
        """``most_undivided``: records up to which a stratum stays undivided, if the policy leaves it open (auto); by
        default as many as the method says. ``times``: so many times these records are in the table, of which only the
        beginning is known."""
        k, most = plan.k or 1, plan.method.most_undivided if most_undivided is None else most_undivided
        sizes = (times * strata.sizes).tolist()
        is_large = partial(_is_large, plan, len(schema.columns), embedding.width, k, most)
        large = [at for at, size in enumerate(sizes) if is_large(size)]
        whole = StratumBlocks(len(strata.sizes), {})
        if plan.blocking.method == "none" or not large or plan.earlier:
            return cls(strata, whole, embedding)
        if plan.groups_units:
            return cls(strata, whole, embedding, _undivided_note(plan))
        n_repaired = sum(sizes[at] for at in large)
        n_passes = plan.blocking.passes if _is_repaired(plan, n_repaired, embedding.width) else 0
        with progress.stage("dividing records into blocks", 0):
            counting = {stratum: StratumRecords(stratum, strata, embedding, total) for stratum in large}
            plans = {stratum: _block_plan(records, plan, k) for stratum, records in counting.items()}
            repair_options = TreeOptions(REPAIR_LIMIT, k, whole=False, names=embedding.names)
            shifted = tuple(
                {
                    stratum: plan_tree(ShiftedStratum(**vars(counted), number=number), repair_options).rule
                    for stratum, counted in counting.items()
                }
                for number in range(n_passes)
            )
        notes = _notes(strata, plans, is_repaired=n_passes > 0)
        rules = {stratum: plan.rule for stratum, plan in plans.items()}
        further = tuple(replace(whole, rules=dict(trees)) for trees in shifted)
        limit = max(plan.limit for plan in plans.values())
        return cls(strata, replace(whole, rules=rules), embedding, notes, further, limit)

    def mark(self, table: pa.Table) -> pa.Table:
        """The table with a column for the block of every record."""
        blocks = self.blocks.block_of(self.strata.stratum_of(table), lambda: self.embedding.coordinates(table))
        return table.append_column(BLOCK, pa.array(blocks))

    def shifted_blocks(self, block: pa.Table, groups: Partition, number: int) -> Labels:
        """(n_records,) The block of each record in a pass of the repair, which is that of the centroid of its group."""
        strata = np.full(groups.n_groups, self.strata.stratum_of(block.slice(0, 1))[0])
        blocks = self.shifted[number].block_of(strata, lambda: groups.centroids(self.embedding.coordinates(block)))
        return blocks[groups.labels]


def _block_plan(records: StratumRecords, plan: ReleasePlan, k: int) -> BlockPlan:
    """The blocks of one stratum, by the blocking method of the policy."""
    rules, names = plan.blocking, records.embedding.names
    dimensions = None if rules.dimensions is None else tuple(map(names.index, rules.dimensions))
    if rules.method == "som":
        limit = even_limit(len(names), k) if rules.limit == "auto" else rules.limit
        return plan_map(records, records.ranges(), k, limit, rules.map, plan.seed)
    if rules.method == "univariate":
        points = records.points()
        limit = smallest_limit(k) if rules.limit == "auto" else rules.limit
        column = dimensions[0] if dimensions else _widest(points)
        return FixedBlocks.of(univariate_blocks(points, k, column=column, limit=limit))
    options = TreeOptions(rules.limit, k, dimensions, rules.fuse, rules.whole, names)
    return plan_tree(records, options) if rules.method == "twod_tree" else choose_blocks(records, options, plan.seed)


def _widest(points: Matrix) -> int:
    """The column that explains most of the variance of all columns."""
    ranges = Ranges.of(points)
    return int(rank_dimensions(CovarianceSums.of(points, ranges), ranges).dimensions[0])


def _is_large(plan: ReleasePlan, n_columns: int, width: int, k: int, most_undivided: int, n_records: float) -> bool:
    """Whether a stratum is divided: by memory and predicted time, or where the policy names a method, above its
    limit. ``n_columns``: of the table; ``width``: coordinates of a record."""
    if plan.blocking.method == "auto":
        fits = n_records <= FEW_RECORDS or n_records * n_columns <= MOST_CELLS
        return n_records > most_undivided or not fits or not stays_whole(n_records, width, k)
    return n_records > (smallest_limit(k) if plan.blocking.limit == "auto" else plan.blocking.limit)


def _is_repaired(plan: ReleasePlan, n_records: float, width: int) -> bool:
    """Whether groups exchange records across borders; if the policy leaves it open, where it can be done and is
    cheap: a record with several groups, or a block of fewer than k records, cannot be repaired."""
    rules = plan.blocking
    if rules.repair != "auto":
        return rules.repair
    is_possible = plan.method.repairs_borders and len(plan.key_sets) == 1 and rules.fuse != "none"
    return is_possible and is_repair_cheap(n_records, width, rules.passes)


def _undivided_note(plan: ReleasePlan) -> tuple[str, ...]:
    """A note that the table stays undivided, since borders would separate members of a household; an error if the
    policy requires blocks."""
    if plan.blocking.method != "auto":
        raise PolicyError.blocks_part_households()
    return ("The table is large but not divided into blocks: their borders would separate members of a household.",)


def _notes(strata: Strata, plans: dict[int, BlockPlan], *, is_repaired: bool) -> tuple[str, ...]:
    n_records = sum(int(strata.sizes[stratum]) for stratum in plans)
    n_blocks = sum(plan.rule.n_blocks for plan in plans.values())
    form = " or ".join(dict.fromkeys(plan.rule.form for plan in plans.values()))
    where = f", each of {len(plans)} strata by itself" if len(strata.sizes) > 1 else ""
    reasons = dict.fromkeys(reason for plan in plans.values() for reason in plan.reasons)
    explanation = f" {' '.join(reasons)}" if len(plans) == 1 else ""
    note = f"{n_records:,} records were grouped within {n_blocks:,} blocks {form}{where}.{explanation}"
    return (note, REPAIR) if is_repaired else (note,)
