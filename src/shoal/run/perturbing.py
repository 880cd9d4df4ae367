"""The road of perturbation: values are changed one by one, before records are made alike, or instead of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.chance import Chance
from shoal.engines.protocol import GROUP, F
from shoal.methods.perturbation import PerturbingMethod
from shoal.run.original import Original
from shoal.run.strata import Strata
from shoal.schema import Schema
from shoal.sources import sha256_of_table


def perturbed(original: Original[F]) -> Original[F]:
    """The original as perturbations leave it."""
    policy, engine = original.policy, original.engine
    if not policy.perturbations:
        return original
    strata = Strata.of(policy.within, lambda names: engine.group_counts(original.frame, names))
    work = Perturbing(policy.perturbations, original.schema, original.chance)
    with progress.stage("perturbing values", 0):
        frame = engine.map_blocks(engine.map_rows(original.frame, strata.mark), work)
    return replace(original, frame=frame, before=original)


def left_alone(original: Original[F]) -> F:
    """Every record in one group, since none was made."""

    def together(piece: pa.Table) -> pa.Table:
        return piece.append_column(GROUP, pa.array(np.zeros(len(piece), dtype=np.int64)))

    return original.engine.map_rows(original.frame, together)


@dataclass(frozen=True)
class Perturbing:
    """One method after the other, each on what the last one left."""

    methods: tuple[PerturbingMethod, ...]
    schema: Schema
    chance: Chance

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        """Chance hangs on all values of the block, those of columns that nobody knows included."""
        chance = self.chance.of_block(block_id).of_values(sha256_of_table(block))
        for step, method in enumerate(self.methods):
            block = method.perturb(block, self.schema, chance.of_step(step))
        return block


def n_imputed(original: Original[F]) -> dict[str, int]:
    """Cells that were missing and are no longer, by column."""
    if original.before is None:
        return {}
    before, after = _n_missing(original.before), _n_missing(original)
    return {name: before[name] - after[name] for name in before if before[name] > after[name]}


def _n_missing(original: Original[F]) -> dict[str, int]:
    n_missing = dict.fromkeys(original.schema.names, 0)

    def add(piece: pa.Table) -> None:
        for name in n_missing:
            n_missing[name] += piece[name].null_count

    original.engine.fold(original.frame, original.schema.names, add)
    return n_missing
