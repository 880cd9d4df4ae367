"""Microaggregation: the records of every block are grouped, and each group is released with common values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.encode.embedding import Embedding
from shoal.encode.member_order import member_order
from shoal.engines.protocol import BLOCK, GAMMA, GROUP, PART, RECORD_ID, TERRITORY, F
from shoal.errors import PolicyError
from shoal.kernels import Labels, Matrix
from shoal.kernels.combinations import number_combinations
from shoal.methods.microaggregation.cohorts import Cohorts, cohort_groups, taken_apart
from shoal.methods.microaggregation.gamma_search import VmdavPartition
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.methods.microaggregation.joiners import joined_cohorts
from shoal.methods.microaggregation.merge import Holds, merge_failing
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.methods.microaggregation.pairs import merge_pairs
from shoal.methods.microaggregation.repair import descend
from shoal.methods.microaggregation.unit_layout import UnitLayout
from shoal.methods.microaggregation.unit_vectors import UnitGroups, UnitVectors
from shoal.pipeline.protect.block_assignment import BlockAssignment
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.level_points import LevelPoints
from shoal.pipeline.protect.strata import GROUPS_OF_A_BLOCK
from shoal.pipeline.protect.weighted_amounts import WeightedAmounts
from shoal.plan import Partition
from shoal.policy import ReleasePlan
from shoal.policy.keys import KeySet, depends_on_sensitive
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
from shoal.rng import Rng
from shoal.schema import Schema


def microaggregate_table(original: FittedTable[F], method: MicroaggregationMethod) -> F:
    """All records as they are released, with the group of each; missing where a record is suppressed."""
    engine, plan = original.engine, original.plan
    microaggregation = BlockMicroaggregation(
        method,
        plan,
        original.schema,
        original.weighted_embedding,
        sensitive_domains(original.schema, plan.requirements, original.unit_counts),
        original.rng,
        original.plan.seed,
        original.cohorts,
    )
    division, seed = original.division, original.plan.seed
    divided = engine.map_rows(original.frame, division.mark)
    if division.shifted and len(original.keys) > 1:
        raise PolicyError.repair_of_key_sets()
    key, embedding = original.keys[0], original.weighted_embedding.only(original.keys[0].columns)
    if division.shifted:
        divided = engine.map_blocks(divided, DraftGroups(method, key, embedding, division, seed))
    for number in range(1, len(division.shifted)):
        divided = engine.map_blocks(divided, RepairPass(number, key, embedding, division, seed))
    return engine.map_blocks(divided, microaggregation)


@dataclass(frozen=True)
class KeyedBlock:
    """Records of a block, with the coordinates and requirements of one key set."""

    key_set: KeySet
    block: pa.Table
    points: LevelPoints
    units: Labels | None  # (n_records,) unit of each record; None: each record is one
    whole: Domains

    def checker(self) -> RequirementChecker:
        return requirement_checker(self.block, self.key_set.requirements, self.whole, units=self.units)

    def holds(self, vectors: UnitVectors) -> Holds:
        """A function that says which groups of units satisfy the requirements at every position."""
        rows = vectors.records
        units = None if self.units is None else self.units[rows]
        checker = requirement_checker(self.block.take(rows), self.key_set.requirements, self.whole, units=units)

        def hold(groups: Partition) -> NDArray[np.bool_]:
            of_positions = checker(vectors.positions(groups)).reshape(-1, vectors.size)
            return np.asarray(of_positions.all(axis=1))

        return hold

    def can_hold(self, vectors: UnitVectors) -> bool:
        """Whether these units satisfy the requirements as one group."""
        if vectors.n_units < self.key_set.k or self._n_units(vectors) < self.key_set.k:
            return False
        return bool(self.holds(vectors)(Partition(np.zeros(vectors.n_units, dtype=np.int64))).all())

    def _n_units(self, vectors: UnitVectors) -> int:
        return vectors.n_units if self.units is None else np.unique(self.units[vectors.rows[:, 0]]).size


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
    cohorts: Cohorts | None = None  # of all records, where groups of earlier releases are kept

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        """The block as it is released, with the group of every record; missing where a record is suppressed."""
        surplus = self._surplus(block)
        if not surplus.any():
            return self._grouped(block_id, block)
        parts = self._grouped(block_id, block.filter(~surplus)), self._suppressed(block.filter(surplus))
        order = np.concatenate([np.flatnonzero(~surplus), np.flatnonzero(surplus)])
        return pa.concat_tables(parts, promote_options="permissive").take(np.argsort(order, kind="stable"))

    def _surplus(self, block: pa.Table) -> NDArray[np.bool_]:
        """(n_records,) Records that no vectors of units can hold, where nothing may be grouped one by one."""
        surplus, households = np.zeros(len(block), dtype=bool), self._households(block)
        if households is None or not self.plan.values_of_units:
            return surplus
        keyed_blocks = [self._keyed_block(key, block, households) for key in self.plan.key_sets]
        layout = self._layout(block, households, keyed_blocks)
        surplus[layout.surplus(self._without_number(block), shortens=self.plan.hides_units)] = True
        return surplus

    def _grouped(self, block_id: int, block: pa.Table) -> pa.Table:
        """The block as it is released.

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
        vectors = self._vectors(block, households, keyed_blocks)
        cohorts = self.cohorts.take(block[RECORD_ID].to_numpy()) if self.cohorts else None
        drafts = [self._partition(keyed, vectors, block_id, draft, cohorts) for keyed in keyed_blocks]
        found = [self._merge(keyed, block_id, parts) for keyed, parts in zip(keyed_blocks, drafts, strict=True)]
        if cohorts:
            found = [_kept_cohorts(cohorts, keys[0].k, drafts[0], found[0])]
        checked = [(keyed.checker(), groups.of_records) for keyed, groups in zip(keyed_blocks, found, strict=True)]
        kept = keep_until_stable(checked, len(block))
        if cohorts:
            kept &= cohorts.holds(keys[0].k)(found[0].of_records)[found[0].of_records.labels]
        released, rng = block, self.rng.of_block(block_id)
        for key, unit_groups in zip(keys, found, strict=True):
            for schema, partition in _by_level(key.only(self.schema), unit_groups):
                released = self._with_group_values(released, schema, partition, rng, kept)
        if cohorts and cohorts.invariant:
            kept &= self._invariant_as_written(released, cohorts, keys[0], kept)
        groups = _combined_groups([unit_groups.of_records for unit_groups in found])
        if self.plan.permutes:
            released = permute(released, self.schema, Partition(groups), rng)
        if depends_on_sensitive(self.plan.key_sets):
            parts, kinds = drafts[0].of_records.labels, drafts[0].kinds
            released = released.append_column(PART, pa.array(block_id * GROUPS_OF_A_BLOCK + parts))
            released = released.append_column(TERRITORY, pa.array(block_id * GROUPS_OF_A_BLOCK + kinds))
        if self.method.chooses_gamma and draft is None:
            released = released.append_column(GAMMA, chosen_gammas(drafts[0]))
        return released.append_column(GROUP, pa.array(block_id * GROUPS_OF_A_BLOCK + groups, mask=~kept))

    def _keyed_block(self, key: KeySet, block: pa.Table, households: HouseholdGroups | None) -> KeyedBlock:
        """The block as one key set sees it."""
        points = LevelPoints.of(self.embedding, self.schema, key.columns, block)
        units, weighted = None if households is None else households.unit_of, WeightedAmounts.of(self.plan, self.schema)
        return KeyedBlock(weighted.read_by(key), weighted.added_to(block), points, units, self.whole)

    def _vectors(
        self, block: pa.Table, households: HouseholdGroups | None, keyed_blocks: Sequence[KeyedBlock]
    ) -> tuple[UnitVectors, ...]:
        """The records of the block, as vectors of units or one by one; the same for all key sets."""
        if households is None or not self.plan.groups_units:
            return (UnitVectors.of_records(np.arange(len(block), dtype=np.int64)),)
        return self._layout(block, households, keyed_blocks).vectors(self._without_number(block))

    def _layout(self, block: pa.Table, households: HouseholdGroups, keyed_blocks: Sequence[KeyedBlock]) -> UnitLayout:
        return UnitLayout(
            households.unit_of,
            member_order(block, self.schema, households.unit_of),
            np.hstack([keyed.points.own for keyed in keyed_blocks]),
            max(keyed.key_set.k for keyed in keyed_blocks),
            lambda units: all(keyed.can_hold(units) for keyed in keyed_blocks),
        )

    def _without_number(self, block: pa.Table) -> NDArray[np.bool_]:
        """(n_records,) Records that have no household, where all others are released with the number of theirs."""
        if self.plan.unit is None or not self.plan.links_households:
            return np.zeros(len(block), dtype=bool)
        return block[self.plan.unit].is_null().to_numpy()

    def _partition(
        self,
        keyed: KeyedBlock,
        vectors: tuple[UnitVectors, ...],
        block_id: int,
        draft: Labels | None,
        cohorts: Cohorts | None,
    ) -> UnitGroups:
        """The groups by quasi-identifiers alone, or within cohorts, before groups are merged."""
        points, k = [keyed.points.of_units(each) for each in vectors], keyed.key_set.k
        if cohorts:
            return UnitGroups(vectors, (self._cohort_groups(points[0], cohorts, k),))
        if draft is not None:
            seeds = np.random.SeedSequence(self.seed, spawn_key=(block_id,))
            return UnitGroups(vectors, (descend(points[0], draft, k, int(seeds.generate_state(1)[0])),))
        return UnitGroups(vectors, tuple(self.method.plan(each, k, self.seed) for each in points))

    def _cohort_groups(self, points: Matrix, cohorts: Cohorts, k: int) -> Partition:
        """The groups that keep those of earlier releases."""
        labels = joined_cohorts(points, cohorts, k) if self.method.merge else cohorts.together
        method = self.method.plan
        return cohort_groups(points, cohorts, labels, k, lambda X, k: method(X, k, self.seed), joins=self.method.merge)

    def _invariant_as_written(
        self, released: pa.Table, cohorts: Cohorts, key: KeySet, kept: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """(n_records,) Records whose class as written shows the values of former classes. Groups that are written alike
        are one class, which may show more values than each of them. Repeated until nothing changes: whoever is
        suppressed has left the classes of others."""
        held = kept.copy()
        while held.any():
            rows = np.flatnonzero(held)
            columns = [to_codes(name, released[name].take(rows)).codes for name in key.columns]
            classes = Partition(number_combinations(columns, rows.size))
            holds = cohorts.take(rows).holds(key.k)(classes)[classes.labels]
            if holds.all():
                break
            held[rows[~holds]] = False
        return held

    def _merge(self, keyed: KeyedBlock, block_id: int, parts: UnitGroups) -> UnitGroups:
        """The groups after merging those that fail the requirements, if the method merges."""
        if not self.method.merge:
            return parts

        def merged(kind: int, vectors: UnitVectors, own: Partition) -> Partition:
            if self.method.decoys is None:
                return merge_failing(keyed.points.of_units(vectors), own, keyed.holds(vectors))
            return merge_pairs(
                keyed.points.of_units(vectors), own, keyed.holds(vectors), lambda n: self._decoys(block_id, kind, n)
            )

        by_kind = zip(range(len(parts.vectors)), parts.vectors, parts.groups, strict=True)
        return UnitGroups(parts.vectors, tuple(merged(*each) for each in by_kind))

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
        gammas = {GAMMA: pa.nulls(len(block), pa.string())} if self.method.chooses_gamma else {}
        return pa.table({**nothing, **ends, **gammas, **{name: pa.nulls(len(block), pa.int64()) for name in numbers}})

    @property
    def _ends(self) -> list[str]:
        """The columns of interval ends that ``_with_group_values`` appends, in their order."""
        if not self.plan.representation.releases_extents or not self.plan.releases_ends:
            return []
        schemas = (schema for key in self.plan.key_sets for schema in _levels(key.only(self.schema)))
        columns = [schema[name] for schema in schemas for name in schema.quasi_identifiers]
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
            return aggregate(block, schema, partition, rng, kept, controlled=self.plan.controls_categories)
        extents = represent(block, schema, partition)
        return generalize(block, schema, extents, partition.labels, ends=self.plan.releases_ends)


@dataclass(frozen=True)
class DraftGroups:
    """The first of two rounds over blocks: draft groups, and the shifted block of each group for the second round."""

    method: MicroaggregationMethod
    key: KeySet
    embedding: Embedding
    division: BlockAssignment
    seed: int

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        enough = len(block) >= self.key.k
        together = Partition(np.zeros(len(block), dtype=np.int64))
        groups = self.method.plan(self.embedding.points(block), self.key.k, self.seed) if enough else together
        numbered = block.append_column(GROUP, pa.array(block_id * GROUPS_OF_A_BLOCK + groups.labels))
        if self.method.chooses_gamma:
            records = UnitVectors.of_records(np.arange(len(block), dtype=np.int64))
            numbered = numbered.append_column(GAMMA, chosen_gammas(UnitGroups((records,), (groups,))))
        return numbered.append_column(BLOCK, pa.array(self.division.shifted_blocks(block, groups, 0)))


@dataclass(frozen=True)
class RepairPass:
    """A further pass of the repair: groups exchange records, and move to the block of the pass after the last one."""

    number: int
    key: KeySet
    embedding: Embedding
    division: BlockAssignment
    seed: int

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        seeds = np.random.SeedSequence(self.seed, spawn_key=(block_id, self.number))
        draft = block[GROUP].to_numpy()
        groups = descend(self.embedding.points(block), draft, self.key.k, int(seeds.generate_state(1)[0]))
        plain = block.drop_columns(GROUP)
        numbered = plain.append_column(GROUP, pa.array(block_id * GROUPS_OF_A_BLOCK + groups.labels))
        return numbered.append_column(BLOCK, pa.array(self.division.shifted_blocks(plain, groups, self.number)))


def chosen_gammas(parts: UnitGroups) -> pa.Array[Any]:
    """(n_records,) The gamma with which the group of every record was formed; missing where none was chosen."""
    gammas = np.full(parts.of_records.n_records, None, dtype=object)
    for vectors, groups in zip(parts.vectors, parts.groups, strict=True):
        if isinstance(groups, VmdavPartition):
            gammas[vectors.records] = groups.rule
    return pa.array(gammas, pa.string())


def _by_level(schema: Schema, groups: UnitGroups) -> list[tuple[Schema, Partition]]:
    """The quasi-identifiers of persons with the group and position of each record, and those of households with the
    group of its unit: all members of a household are released with the same value."""
    return list(zip(_levels(schema), (groups.of_records, groups.of_units), strict=False))


def _levels(schema: Schema) -> list[Schema]:
    """The schema with the quasi-identifiers of persons only, and that of households if there are any."""
    shared = {column.name for column in schema.with_role("quasi_identifier") if column.level}
    own = Schema(column for column in schema.columns if column.name not in shared)
    others = Schema(c for c in schema.columns if c.role != "quasi_identifier" or c.name in shared)
    return [own, others] if shared else [own]


def _kept_cohorts(cohorts: Cohorts, k: int, before: UnitGroups, merged: UnitGroups) -> UnitGroups:
    """The merged groups, without mergers by which earlier releases leave too little: these are as they were before."""
    fails = ~cohorts.holds(k)(merged.of_records)
    return replace(merged, groups=(taken_apart(before.of_records, merged.of_records, fails),))


def _combined_groups(partitions: list[Partition]) -> Labels:
    """(n_records,) One number for the combination of a record's groups in all key sets."""
    return number_combinations([partition.labels for partition in partitions], partitions[0].n_records)
