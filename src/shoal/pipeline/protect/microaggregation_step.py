"""Microaggregation: the records of every block are grouped, and each group is released with common values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.encode.embedding import Embedding
from shoal.engines.protocol import BLOCK, GROUP, PART, RECORD_ID, TERRITORY, BlockFunction, F
from shoal.errors import PolicyError
from shoal.kernels import Labels, Matrix
from shoal.kernels.combinations import number_combinations
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.methods.microaggregation.merge import merge_failing
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.methods.microaggregation.pairs import merge_pairs
from shoal.methods.microaggregation.repair import descend
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.strata import GROUPS_OF_A_BLOCK
from shoal.plan import Partition
from shoal.policy import ReleasePlan
from shoal.policy.keys import KeySet
from shoal.release.aggregate import aggregate
from shoal.release.generalize import end_names, generalize, has_ends
from shoal.release.permute import permute
from shoal.release.represent import represent
from shoal.requirements.judge import (
    Domains,
    RequirementChecker,
    keep_until_stable,
    requirement_checker,
    sensitive_domains,
)
from shoal.requirements.requirement import reads_numbers
from shoal.rng import Rng
from shoal.schema import Schema


def microaggregate_table(original: FittedTable[F], method: MicroaggregationMethod) -> F:
    """All records as they are released, with the group of each; missing where a record is suppressed."""
    engine, plan = original.engine, original.plan
    microaggregation = BlockMicroaggregation(
        method,
        plan,
        original.schema,
        original.embedding,
        sensitive_domains(original.schema, plan.requirements, original.unit_counts),
        original.rng,
        original.plan.seed,
    )
    divided = engine.map_rows(original.frame, original.division.mark)
    if original.division.shifted:
        divided = engine.map_blocks(divided, _draft_function(original, method))
    return engine.map_blocks(divided, microaggregation)


@dataclass(frozen=True)
class KeyedBlock:
    """Records of a block, with the coordinates and requirements of one key set."""

    key_set: KeySet
    block: pa.Table
    points: Matrix  # (n_records, d)
    households: HouseholdGroups | None
    whole: Domains
    kinds: Labels  # (n_records,) records of different kinds share no group

    def checker(self) -> RequirementChecker:
        units = None if self.households is None else self.households.unit_of
        return requirement_checker(self.block, self.key_set.requirements, self.whole, units=units)

    def only(self, rows: Labels) -> KeyedBlock:
        households = None if self.households is None else self.households.only(rows)
        block, points, kinds = self.block.take(rows), self.points[rows], self.kinds[rows]
        return replace(self, block=block, points=points, households=households, kinds=kinds)

    def can_hold(self, rows: Labels) -> bool:
        """Whether these records, which form whole households, satisfy the requirements as one group."""
        some = self.only(rows)
        n_units = len(some.households.members) if some.households else len(rows)
        return n_units >= self.key_set.k and bool(some.checker()(Partition(np.zeros(len(rows), dtype=np.int64))).all())

    def partition_by_kind(self, partition: Callable[[KeyedBlock, Labels], Partition]) -> Partition:
        """A partition of all records, composed of a partition for each kind."""
        labels, n_groups = np.empty(len(self.kinds), dtype=np.int64), 0
        for kind in np.unique(self.kinds):
            rows = np.flatnonzero(self.kinds == kind)
            found = partition(self.only(rows), rows)
            labels[rows] = n_groups + found.labels
            n_groups += found.n_groups
        return Partition(labels)


@dataclass(frozen=True)
class BlockMicroaggregation:
    """Grouping and aggregation of the records of one block, independent of the engine."""

    method: MicroaggregationMethod
    plan: ReleasePlan
    schema: Schema
    embedding: Embedding
    whole: Domains
    rng: Rng
    seed: int

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        """The block as it is released, with the group of every record; missing where a record is suppressed.

        If records already have a group, it is a draft from the first round, which is improved by exchanging records.
        """
        draft = block[GROUP].to_numpy() if GROUP in block.column_names else None
        block = block if draft is None else block.drop_columns(GROUP)
        households = self._households(block)
        n_units = len(block) if households is None else len(households.members)
        keys = [key for key in self.plan.key_sets if key.k <= n_units]
        if len(keys) < len(self.plan.key_sets):
            return self._suppressed(block)
        keyed_blocks = [self._keyed_block(key, block, households) for key in keys]
        drafts = [self._partition(keyed, block_id, draft) for keyed in keyed_blocks]
        partitions = [self._merge(keyed, block_id, parts) for keyed, parts in zip(keyed_blocks, drafts, strict=True)]
        checked = [(keyed.checker(), partition) for keyed, partition in zip(keyed_blocks, partitions, strict=True)]
        kept = keep_until_stable(checked, len(block))
        released, rng = block, self.rng.of_block(block_id)
        for key, partition in zip(keys, partitions, strict=True):
            released = self._with_group_values(released, key.only(self.schema), partition, rng, kept)
        groups = _combined_groups(partitions)
        if self.plan.permutes:
            released = permute(released, self.schema, Partition(groups), rng)
        if depends_on_sensitive(self.plan.key_sets):
            released = released.append_column(PART, pa.array(block_id * GROUPS_OF_A_BLOCK + drafts[0].labels))
            released = released.append_column(TERRITORY, pa.array(block_id * GROUPS_OF_A_BLOCK + keyed_blocks[0].kinds))
        return released.append_column(GROUP, pa.array(block_id * GROUPS_OF_A_BLOCK + groups, mask=~kept))

    def _keyed_block(self, key: KeySet, block: pa.Table, households: HouseholdGroups | None) -> KeyedBlock:
        """The block as one key set sees it. Where households are released under a number, only those of the same size
        share a group, if possible: an intruder could otherwise distinguish them by their size."""
        points = self.embedding.only(key.columns).points(block)
        keyed = KeyedBlock(key, block, points, households, self.whole, np.zeros(len(block), dtype=np.int64))
        if households is None or not self.plan.links_households or self.method.split_households:
            return keyed
        return replace(keyed, kinds=households.size_classes(keyed.can_hold))

    def _partition(self, keyed: KeyedBlock, block_id: int, draft: Labels | None) -> Partition:
        """The partition by quasi-identifiers alone, before groups are merged."""
        if draft is not None:
            seeds = np.random.SeedSequence(self.seed, spawn_key=(block_id,))
            return descend(keyed.points, draft, keyed.key_set.k, int(seeds.generate_state(1)[0]))
        return keyed.partition_by_kind(
            lambda some, _: self.method.group(some.points, some.key_set.k, some.households, self.seed)
        )

    def _merge(self, keyed: KeyedBlock, block_id: int, parts: Partition) -> Partition:
        """The partition after merging groups that fail the requirements, if the method merges."""
        if not self.method.merge:
            return parts

        def merge_kind(some: KeyedBlock, rows: Labels) -> Partition:
            own = Partition(np.unique(parts.labels[rows], return_inverse=True)[1])
            if self.method.decoys is None:
                return merge_failing(some.points, own, some.checker())
            return merge_pairs(
                some.points, own, some.checker(), lambda n: self._decoys(block_id, int(some.kinds[0]), n)
            )

        return keyed.partition_by_kind(merge_kind)

    def _decoys(self, block_id: int, kind: int, n_pairs: int) -> NDArray[np.bool_]:
        """(n_pairs,) Pairs that are merged as decoys. No random numbers are drawn if the decoy rate is 0."""
        if not self.method.decoy_rate:
            return np.zeros(n_pairs, dtype=bool)
        drawn = self.rng.of_block(block_id).for_purpose(f"decoys of {kind}").random(n_pairs)
        return drawn < self.method.decoy_rate

    def _suppressed(self, block: pa.Table) -> pa.Table:
        """Suppressed records with their ids and no other value: unreleased values must not affect column types."""
        nothing = {name: block[name] if name == RECORD_ID else pa.nulls(len(block)) for name in block.column_names}
        ends = {end: pa.nulls(len(block)) for end in self._ends}
        numbers = [*((PART, TERRITORY) if depends_on_sensitive(self.plan.key_sets) else ()), GROUP]
        return pa.table({**nothing, **ends, **{name: pa.nulls(len(block), pa.int64()) for name in numbers}})

    @property
    def _ends(self) -> list[str]:
        """The columns of interval ends that ``_with_group_values`` appends, in their order."""
        if not self.plan.representation.releases_extents or not self.plan.releases_ends:
            return []
        columns = [self.schema[name] for key in self.plan.key_sets for name in key.columns]
        return [end for column in columns if has_ends(column) for end in end_names(column.name)]

    def _households(self, block: pa.Table) -> HouseholdGroups | None:
        """The units of the records of the block; None if the schema has no unit."""
        unit = self.schema.unit
        return None if unit is None else HouseholdGroups.of(to_codes(unit.name, block[unit.name]).codes)

    def _with_group_values(
        self, block: pa.Table, schema: Schema, partition: Partition, rng: Rng, kept: NDArray[np.bool_]
    ) -> pa.Table:
        if self.plan.representation.separates_sensitive:
            return block
        if self.plan.representation.releases_means:
            return aggregate(block, schema, partition, rng, kept)
        extents = represent(block, schema, partition)
        return generalize(block, schema, extents, partition.labels, ends=self.plan.releases_ends)


def _draft_function(original: FittedTable[F], method: MicroaggregationMethod) -> BlockFunction:
    """The first of two rounds over blocks: draft groups, and the shifted block of each group for the second round."""
    if len(original.keys) > 1:
        raise PolicyError.repair_of_key_sets()
    key, seed = original.keys[0], original.plan.seed
    division, embedding = original.division, original.embedding.only(key.columns)

    def draft(block_id: int, block: pa.Table) -> pa.Table:
        enough = len(block) >= key.k
        together = Partition(np.zeros(len(block), dtype=np.int64))
        groups = method.plan(embedding.points(block), key.k, seed) if enough else together
        numbered = block.append_column(GROUP, pa.array(block_id * GROUPS_OF_A_BLOCK + groups.labels))
        return numbered.append_column(BLOCK, pa.array(division.shifted_blocks(block, groups)))

    return draft


def depends_on_sensitive(keys: Sequence[KeySet]) -> bool:
    """Whether sensitive values affect which groups are merged or suppressed; only considered for a single key set, and
    not where amounts do, too."""
    return len(keys) == 1 and not adds_amounts(keys) and any(each.column for each in keys[0].requirements)


def adds_amounts(keys: Sequence[KeySet]) -> bool:
    """Whether amounts or weights affect which groups are merged or suppressed."""
    return any(reads_numbers(requirement.reads) for key in keys for requirement in key.requirements)


def _combined_groups(partitions: list[Partition]) -> Labels:
    """(n_records,) One number for the combination of a record's groups in all key sets."""
    return number_combinations([partition.labels for partition in partitions], partitions[0].n_records)
