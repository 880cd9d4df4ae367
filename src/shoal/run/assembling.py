"""Protected records as they are released: who is suppressed is gone, and so is all that only the road needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.protocol import GROUP, RECORD_ID, F
from shoal.kernels import Labels
from shoal.release.anatomize import Anatomy
from shoal.release.assemble import HouseholdNumbers, Order, assemble
from shoal.run.groups_made import GroupsMade
from shoal.run.original import Original
from shoal.schema import Schema


@dataclass(frozen=True)
class Told(Generic[F]):
    """What is released. Only the record id is left besides the columns of the release: the place of the record."""

    records: F
    sensitive: pa.Table | None = None  # of an anatomy: the second table


def told(original: Original[F], protected: F, made: GroupsMade) -> Told[F]:
    engine = original.engine
    assembled = engine.map_rows(protected, Assembly.of(original))
    if original.policy.representation != "anatomy":
        return Told(engine.map_rows(assembled, lambda piece: piece.drop_columns(GROUP)))
    anatomy = Anatomy.of(original.schema, made.groups, original.chance)

    def tied(piece: pa.Table) -> pa.Table:
        return anatomy.tied(piece.drop_columns(GROUP), piece[GROUP].to_numpy())

    both = engine.map_rows(assembled, tied)
    counts = engine.group_counts(both, anatomy.counted)
    return Told(engine.map_rows(both, anatomy.records), anatomy.sensitive(counts))


@dataclass(frozen=True)
class Assembly:
    """From protected records to those that are released, piece by piece; their groups stay."""

    schema: Schema  # of the release
    households: HouseholdNumbers | None
    order: Order | None

    @classmethod
    def of(cls, original: Original[F]) -> Assembly:
        order = Order.of(original.chance) if original.policy.output.shuffle else None
        return cls(original.policy.written(original.schema), _household_numbers(original), order)

    def __call__(self, piece: pa.Table) -> pa.Table:
        kept = piece.filter(pc.is_valid(piece[GROUP]))
        record_ids: Labels = np.asarray(kept[RECORD_ID])
        places = self.order.places(record_ids) if self.order else record_ids
        released = assemble(kept, self.schema, self.households)
        return released.append_column(RECORD_ID, pa.array(places)).append_column(GROUP, kept[GROUP])


def _household_numbers(original: Original[F]) -> HouseholdNumbers | None:
    for column in original.schema.with_role("household"):
        return HouseholdNumbers.of(column, original.value_counts(column.name), original.chance)
    return None
