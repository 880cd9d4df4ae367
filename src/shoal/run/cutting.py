"""The road of generalization: the space of quasi-identifiers is cut by counts, and every record told by its block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.engines.protocol import GROUP, F
from shoal.kernels import Labels
from shoal.methods.generalization.cutting_method import CuttingMethod
from shoal.plan import CutTree, Partition
from shoal.policy import Output
from shoal.policy.keys import KeySet
from shoal.release.aggregate import aggregate
from shoal.release.chance import Chance
from shoal.release.generalize import generalize
from shoal.release.permute import permute
from shoal.requirements.judge import Domains, domains, judge, releasable
from shoal.run.original import Original
from shoal.run.strata import GROUPS_OF_A_BLOCK, Strata
from shoal.schema import Schema


def cut(original: Original[F], method: CuttingMethod) -> F:
    """All records as they are released, with the group of each; none where it is suppressed."""
    engine, policy = original.engine, original.policy
    strata = Strata.of(policy.within, lambda names: engine.group_counts(original.frame, names))
    strata.check(original.keys, policy.suppression.limit)
    whole = domains(original.schema, policy.requirements, original.value_counts)
    protected = engine.map_rows(original.frame, _in_a_group)
    for key in original.keys:
        schema = _to_cut(key.only(original.schema), policy.within)
        counts = engine.group_counts(original.frame, [*policy.within, *schema.quasi_identifiers, *_read(key)])
        plans = _plans(counts, strata, schema, key, method, whole)
        work = Cutting(strata, tuple(plans), schema, policy.output, policy.representation, original.chance)
        if policy.representation == "extents" and not policy.output.permute:
            protected = engine.map_rows(protected, work.of_rows)
        else:
            protected = engine.map_blocks(engine.map_rows(protected, strata.mark), work.of_stratum)
    return protected


def _in_a_group(piece: pa.Table) -> pa.Table:
    """Nobody is suppressed yet."""
    return piece.append_column(GROUP, pa.array(np.zeros(len(piece), dtype=np.int64)))


def _read(key: KeySet) -> list[str]:
    """The sensitive columns that requirements read."""
    return sorted({str(r.column) for r in key.requirements if r.column and r.reads != "extents"})


def _to_cut(schema: Schema, within: Sequence[str]) -> Schema:
    """Columns that a stratum shares are told as they are."""
    return Schema(column for column in schema.columns if column.name not in within)


@dataclass(frozen=True)
class Plan:
    """A stratum: its tree, and which of the blocks can be released."""

    tree: CutTree
    released: NDArray[np.bool_]  # (n_blocks,)


def _plans(
    counts: pa.Table, strata: Strata, schema: Schema, key: KeySet, method: CuttingMethod, whole: Domains
) -> list[Plan | None]:
    """Of every stratum; None where it is too small for a group."""
    stratum_of = strata.stratum_of(counts)
    plans: list[Plan | None] = []
    for stratum, n_records in enumerate(strata.sizes.tolist()):
        inside = counts.filter(pa.array(stratum_of == stratum)).drop_columns(list(strata.names))
        small = n_records < key.k
        plans.append(None if small else _plan(inside, method.cut(inside, schema, key.requirements, whole), key, whole))
    return plans


def _plan(counts: pa.Table, tree: CutTree, key: KeySet, whole: Domains) -> Plan:
    blocks = tree.block_of(counts)
    n: Labels = counts.column(counts.num_columns - 1).to_numpy().astype(np.int64)
    about_records = [requirement for requirement in key.requirements if requirement.reads != "extents"]
    judged = judge(counts, about_records, whole, n), Partition(np.unique(blocks, return_inverse=True)[1])
    released = np.zeros(tree.n_blocks, dtype=bool)
    released[blocks[releasable([judged], len(counts))]] = True
    return Plan(tree, released)


@dataclass(frozen=True)
class Cutting:
    """What is done to records, wherever they are carried."""

    strata: Strata
    plans: tuple[Plan | None, ...]
    schema: Schema
    output: Output
    representation: str
    chance: Chance

    def of_rows(self, piece: pa.Table) -> pa.Table:
        """Extents: a record is told without a look at any other."""
        if len(self.plans) == 1:
            return self._of_one(piece, 0)
        stratum_of = self.strata.stratum_of(piece)
        order = np.argsort(stratum_of, kind="stable")
        found, starts = np.unique(stratum_of[order], return_index=True)
        members = np.split(order, starts[1:])
        told = [self._of_one(piece.take(of), int(stratum)) for stratum, of in zip(found, members, strict=True)]
        return pa.concat_tables(told).take(np.argsort(order, kind="stable"))

    def _of_one(self, piece: pa.Table, stratum: int) -> pa.Table:
        plan = self.plans[stratum]
        if plan is None:
            return self._suppressed(piece)
        blocks = plan.tree.block_of(piece)
        told = generalize(piece, self.schema, plan.tree.extents, blocks, ends=self.output.ends)
        return _grouped(told, stratum * GROUPS_OF_A_BLOCK + blocks, plan.released[blocks])

    def of_stratum(self, stratum: int, table: pa.Table) -> pa.Table:
        """Centroids and permutation: the records of a group are seen together."""
        plan = self.plans[stratum]
        if plan is None:
            return self._suppressed(table)
        blocks = plan.tree.block_of(table)
        partition = Partition(np.unique(blocks, return_inverse=True)[1])
        if self.output.permute:
            table = permute(table, self.schema, partition, self.chance.of_block(stratum))
        if self.representation == "extents":
            table = generalize(table, self.schema, plan.tree.extents, blocks, ends=self.output.ends)
        elif self.representation == "centroids":
            table = aggregate(table, self.schema, partition)
        return _grouped(table, stratum * GROUPS_OF_A_BLOCK + blocks, plan.released[blocks])

    def _suppressed(self, piece: pa.Table) -> pa.Table:
        """As wide as the others, so that all can be put together."""
        plan = next(plan for plan in self.plans if plan is not None)
        nobody = np.zeros(len(piece), dtype=np.int64)
        if self.representation == "extents":
            piece = generalize(piece, self.schema, plan.tree.extents, nobody, ends=self.output.ends)
        return _grouped(piece, nobody, np.zeros(len(piece), dtype=bool))


def _grouped(table: pa.Table, groups: Labels, released: NDArray[np.bool_]) -> pa.Table:
    """Who is suppressed stays so; of several key sets the last one gives the group."""
    known = table[GROUP].is_valid().to_numpy() & released
    return table.set_column(table.column_names.index(GROUP), GROUP, pa.array(groups, mask=~known))
