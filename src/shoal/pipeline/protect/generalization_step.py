"""Generalization by cut trees: the space of the quasi-identifiers is cut, and a record is released by its block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import GROUP, PART, F
from shoal.errors import PolicyError
from shoal.kernels import Labels
from shoal.methods.generalization.generalization_method import GeneralizationMethod
from shoal.methods.generalization.gensearch_result import GensearchResult
from shoal.pipeline.protect.certified_plans import CertifiedPlans
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.grouped_rows import in_one_group
from shoal.pipeline.protect.joint_plans import Planned, beside_each_other, in_turn, released
from shoal.pipeline.protect.key_set_counts import KeySetCounts, counts_by_key_set, strata_of
from shoal.pipeline.protect.plan_report import Plan, PlanReport, ReleasedBlocks, report_plans
from shoal.pipeline.protect.strata import GROUPS_OF_A_BLOCK, Strata
from shoal.pipeline.protect.unattainable import raise_if_unattainable
from shoal.plan import CutTree, Partition
from shoal.policy import ReleasePlan
from shoal.policy.keys import depends_on_sensitive
from shoal.release.aggregate import aggregate
from shoal.release.generalize import generalize
from shoal.release.permute import permute
from shoal.rng import Rng
from shoal.schema import Schema

Searches = Literal["apart", "in part", "in turn", "by records", "none"]


@dataclass(frozen=True)
class Caution:
    """How plans are searched where those that the policy asks for cannot be released together. A plan holds by itself,
    but what it suppresses can make other classes fail: those of other strata and key sets, or counted by all records of
    units.

    apart       each key set and stratum by itself, for what it may suppress
    in part     the same, and a part of a stratum may be released; a method without certificates always does that
    in turn     one after the other, each for the records that the others keep, and compared with these
    by records  by all records of units, not by the first of each; what holds is decided by units afterwards
    none        every stratum is one class, without a search
    """

    share: float | None = None  # of records that a search may suppress; None: the method's own
    searches: Searches = "apart"

    @classmethod
    def from_least(cls, original: FittedTable[F], method: GeneralizationMethod) -> Iterator[Caution]:
        """What to try in turn. Of a single search nothing but the first, since it judges what is released."""
        yield AS_ASKED
        share, is_joint = method.suppression, len(original.keys) > 1 or bool(original.plan.within)
        if share and (is_joint or original.schema.unit is not None):
            yield from (cls(share / part) for part in (2, 4))
            yield cls(0.0)
            if method.issues_certificates and original.plan.within:
                yield cls(searches="in part")
            if is_joint:
                yield cls(searches="in turn")
        if original.schema.unit is not None:  # its first record alone was counted
            yield cls(searches="by records")
            yield cls(0.0, "none")


AS_ASKED = Caution()


@dataclass(frozen=True)
class GroupedTable(Generic[F]):
    """The records after a method was applied, and the figures of its plans."""

    frame: F  # all records, with a group for each released record
    report: PlanReport = field(default_factory=PlanReport)

    def with_key_set(self, frame: F, further: PlanReport) -> GroupedTable[F]:
        """The state after the next key set."""
        return GroupedTable(frame, self.report + further)


def generalize_table(
    original: FittedTable[F],
    method: GeneralizationMethod,
    certified: CertifiedPlans | None = None,
    caution: Caution = AS_ASKED,
) -> GroupedTable[F]:
    """All records as they are released, with the group of each (missing where suppressed), and the plans.

    ``certified``: the plans of an earlier search by the same method, which are applied instead of searching again."""
    engine, plan = original.engine, original.plan
    strata = strata_of(original)
    found: Planned = []
    for key_counts, plans in _searched(original, method, strata, certified, caution):
        if not plans:
            raise_if_unattainable(original)
        strata.check_requirements(plans, original.plan.suppression_limit, key_counts.key_set.requirements)
        found.append((key_counts, plans))
    protected = GroupedTable(engine.map_rows(original.frame, in_one_group))
    for key_counts, plans in beside_each_other(original, method, strata, found):
        has_part = _large_blocks(key_counts, plans) if depends_on_sensitive(plan.key_sets) else None
        applied = {stratum: ReleasedBlocks(each.tree, each.totals) for stratum, each in plans.items()}
        generalization = StratumGeneralization(strata, applied, key_counts.schema, plan, original.rng, has_part)
        if plan.representation.releases_extents and not plan.permutes:
            frame = engine.map_rows(protected.frame, generalization.generalize_rows)
        else:
            frame = engine.map_blocks(engine.map_rows(protected.frame, strata.mark), generalization.generalize_stratum)
        protected = protected.with_key_set(frame, report_plans(key_counts, plans, method, plan, original.plan.seed))
    if certified:
        certified.check_number(len(protected.report.certificates))
    return protected


def _searched(
    original: FittedTable[F],
    method: GeneralizationMethod,
    strata: Strata,
    certified: CertifiedPlans | None,
    caution: Caution,
) -> Iterator[tuple[KeySetCounts, dict[int, Plan]]]:
    """The plans of every key set: of a search by itself, as they are asked for, or of all in turn."""
    always = method.suppression > 0 and caution.share != 0 and not method.issues_certificates
    in_part = certified.are_in_part if certified else caution.searches in ("in part", "in turn") or always
    columns = {name for key in original.keys for name in key.columns}
    by_unit = caution.searches != "by records"
    keys = list(counts_by_key_set(original, method, strata, in_part=in_part, by_unit=by_unit))
    methods = [method.without(columns - set(key.key_set.columns)) for key in keys]
    if caution.searches == "in turn":
        yield from in_turn(original, methods, keys, strata)
        return
    for key_counts, own in zip(keys, methods, strict=True):
        yield key_counts, dict(_plans(key_counts, own, certified, caution))


def _plans(
    key_counts: KeySetCounts, method: GeneralizationMethod, certified: CertifiedPlans | None, caution: Caution
) -> Iterator[tuple[int, Plan]]:
    """The plan of each stratum; strata that cannot satisfy the requirements have none."""
    if caution.searches == "none":
        for stratum, counts in key_counts.large_strata():
            tree = key_counts.coded(counts).one_block
            yield stratum, Plan(tree, np.array([counts.n_records]), counts)
        return
    for stratum, counts in key_counts.by_stratum():
        if certified and not (certified.has(key_counts, stratum) or key_counts.holds(stratum, counts)):
            continue  # no part of it was released
        try:
            tree, found = _search(key_counts, stratum, counts, method, certified, caution)
        except PolicyError:
            key_counts.check_first_records(counts)
            if key_counts.holds(stratum, counts):
                raise
            continue  # no part of it satisfies them, either
        (kept,) = released(counts, [(key_counts, {stratum: tree})], np.full(len(counts), stratum))
        is_certified = caution.searches != "by records"  # a certificate counts first records
        yield stratum, Plan(tree, kept[stratum], counts.of_records, found if is_certified else None)


def _search(
    key_counts: KeySetCounts,
    stratum: int,
    counts: CountTable,
    method: GeneralizationMethod,
    certified: CertifiedPlans | None,
    caution: Caution,
) -> tuple[CutTree, GensearchResult | None]:
    """The cut tree of a stratum: the certified one, else that of the method."""
    if certified and method.certified_search:
        found = certified.find(key_counts, stratum, counts, method.certified_search)
        return found.tree, found
    return method.search(counts, key_counts.schema, key_counts.key_set.requirements, key_counts.whole, caution.share)


def _large_blocks(key_counts: KeySetCounts, plans: Mapping[int, Plan]) -> dict[int, NDArray[np.bool_]] | None:
    """stratum -> (n_blocks,) whether k records of a block are counted; a stratum without a plan is one block. None
    where nothing is suppressed."""
    strata, k = key_counts.strata, key_counts.key_set.k
    if len(plans) == strata.sizes.size and all((each.totals == each.counted).all() for each in plans.values()):
        return None
    stratum_of = strata.stratum_of(key_counts.counts.combinations)
    counted = np.bincount(stratum_of, weights=key_counts.counts.n, minlength=strata.sizes.size)
    whole = {stratum: np.array([n >= k]) for stratum, n in enumerate(counted.tolist())}
    return whole | {stratum: each.counted >= k for stratum, each in plans.items()}


@dataclass(frozen=True)
class StratumGeneralization:
    """The transformation of records by their cut trees, independent of the engine."""

    strata: Strata
    plans: Mapping[int, ReleasedBlocks]  # by stratum
    schema: Schema
    plan: ReleasePlan
    rng: Rng
    has_part: Mapping[int, NDArray[np.bool_]] | None  # by stratum: (n_blocks,) not too small; None: no parts are needed

    def generalize_rows(self, piece: pa.Table) -> pa.Table:
        """Releases extents. Each record is generalized without reference to the others."""
        if self.strata.sizes.size == 1:
            return self._generalize_in_stratum(piece, 0)
        if not len(piece):
            return self._suppressed(piece, 0)
        stratum_of = self.strata.stratum_of(piece)
        order = np.argsort(stratum_of, kind="stable")
        found, starts = np.unique(stratum_of[order], return_index=True)
        members = np.split(order, starts[1:])
        generalized = [
            self._generalize_in_stratum(piece.take(of), int(stratum))
            for stratum, of in zip(found, members, strict=True)
        ]
        return pa.concat_tables(generalized).take(np.argsort(order, kind="stable"))

    def _generalize_in_stratum(self, piece: pa.Table, stratum: int) -> pa.Table:
        plan = self.plans.get(stratum)
        if plan is None:
            return self._suppressed(piece, stratum)
        blocks = plan.tree.block_of(piece)
        generalized = generalize(piece, self.schema, plan.tree.extents, blocks, ends=self.plan.releases_ends)
        return self._with_groups(generalized, stratum, blocks, plan.totals[blocks] > 0)

    def generalize_stratum(self, stratum: int, table: pa.Table) -> pa.Table:
        """Releases centroids or permuted values, which need all records of a group at once."""
        plan = self.plans.get(stratum)
        if plan is None:
            return self._suppressed(table, stratum)
        blocks = plan.tree.block_of(table)
        partition = Partition(np.unique(blocks, return_inverse=True)[1])
        rng, released = self.rng.of_block(stratum), plan.totals[blocks] > 0
        if self.plan.permutes:
            table = permute(table, self.schema, partition, rng)
        if self.plan.representation.releases_extents:
            table = generalize(table, self.schema, plan.tree.extents, blocks, ends=self.plan.releases_ends)
        elif self.plan.representation.releases_means:
            kept = released & table[GROUP].is_valid().to_numpy()
            controlled = self.plan.controls_categories
            table = aggregate(table, self.schema, partition, rng, kept, controlled=controlled)
        return self._with_groups(table, stratum, blocks, released)

    def _suppressed(self, piece: pa.Table, stratum: int) -> pa.Table:
        """Suppressed records, with the same columns as released ones so that the pieces can be concatenated."""
        plan = next(iter(self.plans.values()))
        zeros = np.zeros(len(piece), dtype=np.int64)
        if self.plan.representation.releases_extents:
            piece = generalize(piece, self.schema, plan.tree.extents, zeros, ends=self.plan.releases_ends)
        return self._with_groups(piece, stratum, zeros, np.zeros(len(piece), dtype=bool))

    def _with_groups(self, table: pa.Table, stratum: int, blocks: Labels, released: NDArray[np.bool_]) -> pa.Table:
        """Sets the group of every record, and its part where parts are needed. Suppressed records stay suppressed;
        with several key sets the last one counts."""
        known, numbers = table[GROUP].is_valid().to_numpy() & released, stratum * GROUPS_OF_A_BLOCK + blocks
        table = table.set_column(table.column_names.index(GROUP), GROUP, pa.array(numbers, mask=~known))
        if self.has_part is None:
            return table
        return table.append_column(PART, pa.array(numbers, mask=~self.has_part[stratum][blocks]))
