"""The road of microaggregation: the records of every block are grouped, and a group is told as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.chance import Chance
from shoal.encode.codes import to_codes
from shoal.encode.embedding import Embedding
from shoal.engines.protocol import BLOCK, GROUP, RECORD_ID, BlockFunction, F
from shoal.errors import PolicyError
from shoal.kernels import Labels
from shoal.methods.microaggregation.grouping_method import GroupingMethod
from shoal.methods.microaggregation.households import Households
from shoal.methods.microaggregation.repair import descend
from shoal.plan import Partition
from shoal.policy import Output
from shoal.policy.keys import KeySet
from shoal.release.aggregate import aggregate
from shoal.release.generalize import generalize
from shoal.release.permute import permute
from shoal.release.represent import represent
from shoal.requirements.judge import Domains, domains, judge, releasable
from shoal.run.original import Original
from shoal.run.strata import GROUPS_OF_A_BLOCK
from shoal.schema import Schema


def grouped(original: Original[F], method: GroupingMethod) -> F:
    """All records as they are released, with the group of each; none where it is suppressed."""
    engine, policy = original.engine, original.policy
    work = Grouping(
        method,
        policy.output,
        original.schema,
        original.keys,
        original.embedding,
        domains(original.schema, policy.requirements, original.value_counts),
        original.chance,
        policy.seed,
    )
    divided = engine.map_rows(original.frame, original.division.mark)
    if original.division.shifted:
        divided = engine.map_blocks(divided, _drafting(original, method))
    return engine.map_blocks(divided, work)


@dataclass(frozen=True)
class Grouping:
    """What is done to the records of one block, wherever they are carried."""

    method: GroupingMethod
    output: Output
    schema: Schema
    keys: tuple[KeySet, ...]
    embedding: Embedding
    whole: Domains
    chance: Chance
    seed: int

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        """The block as it is released, with the group of every record; none where it is suppressed.

        Where records come with a group already, that is a draft: groups exchange records.
        """
        draft = block[GROUP].to_numpy() if GROUP in block.column_names else None
        block = block if draft is None else block.drop_columns(GROUP)
        keys = [key for key in self.keys if key.k <= len(block)]
        if len(keys) < len(self.keys):
            return _suppressed(block)
        partitions = [self._partition(key, block_id, block, draft) for key in keys]
        judged = [(judge(block, key.requirements, self.whole), p) for key, p in zip(keys, partitions, strict=True)]
        kept = releasable(judged, len(block))
        released, chance = block, self.chance.of_block(block_id)
        for key, partition in zip(keys, partitions, strict=True):
            released = self._told(released, key.only(self.schema), partition, chance, kept)
        groups = _together(partitions)
        if self.output.permute:
            released = permute(released, self.schema, Partition(groups), chance)
        return released.append_column(GROUP, pa.array(block_id * GROUPS_OF_A_BLOCK + groups, mask=~kept))

    def _partition(self, key: KeySet, block_id: int, block: pa.Table, draft: Labels | None) -> Partition:
        holds = judge(block, key.requirements, self.whole)
        X = self.embedding.only(key.columns).points(block)
        if draft is None:
            return self.method.group(X, key.k, self._households(block), holds, self.seed)
        chance = np.random.SeedSequence(self.seed, spawn_key=(block_id,))
        return self.method.merged(X, descend(X, draft, key.k, int(chance.generate_state(1)[0])), holds)

    def _households(self, block: pa.Table) -> Households | None:
        for column in self.schema.with_role("household"):
            return Households.of(to_codes(column.name, block[column.name]).codes)
        return None

    def _told(
        self, block: pa.Table, schema: Schema, partition: Partition, chance: Chance, kept: NDArray[np.bool_]
    ) -> pa.Table:
        if self.output.representation == "anatomy":
            return block
        if self.output.representation != "extents":
            return aggregate(block, schema, partition, chance, kept)
        extents = represent(block, schema, partition)
        return generalize(block, schema, extents, partition.labels, ends=self.output.ends)


def _drafting(original: Original[F], method: GroupingMethod) -> BlockFunction:
    """The first of two rounds over blocks: who is grouped with whom, and the block of the group in the second."""
    if len(original.keys) > 1:
        raise PolicyError.repair_of_key_sets()
    key, seed = original.keys[0], original.policy.seed
    division, embedding = original.division, original.embedding.only(key.columns)

    def draft(block_id: int, block: pa.Table) -> pa.Table:
        alone = np.ones(len(block), dtype=np.int64)
        enough = len(block) >= key.k
        groups = method.plan(embedding.points(block), key.k, alone, seed) if enough else Partition(alone - 1)
        numbered = block.append_column(GROUP, pa.array(block_id * GROUPS_OF_A_BLOCK + groups.labels))
        return numbered.append_column(BLOCK, pa.array(division.shifted_blocks(block, groups)))

    return draft


def _suppressed(block: pa.Table) -> pa.Table:
    """Nothing of the records but their ids: a value that nobody will see must not decide the type of a column."""
    nothing = {name: block[name] if name == RECORD_ID else pa.nulls(len(block)) for name in block.column_names}
    return pa.table(nothing).append_column(GROUP, pa.nulls(len(block), pa.int64()))


def _together(partitions: list[Partition]) -> Labels:
    """(n_records,) one number for the groups of a record in all key sets."""
    together = partitions[0].labels
    for partition in partitions[1:]:
        together = np.unique(together * partition.n_groups + partition.labels, return_inverse=True)[1].astype(np.int64)
    return together
