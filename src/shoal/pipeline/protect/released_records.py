"""Protected records as they are released.

Drops suppressed records and helper columns, renumbers households, shuffles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import GROUP, RECORD_ID, F
from shoal.kernels import Labels
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.group_index import GroupIndex
from shoal.release.anatomize import Anatomy
from shoal.release.assemble import HouseholdNumbers, Order, assemble
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT


@dataclass(frozen=True)
class ReleasedRecords(Generic[F]):
    """The tables of a release. ``records`` has one helper column, the record id: the position in the release."""

    records: F
    sensitive: pa.Table | None = None  # second table of an anatomy
    units: Labels | None = None  # (n_released,) unit of each record, -1: a unit of its own; not released
    holders: pa.Table | None = None  # of an anatomy: row of the second table, unit, records; not released


def told(
    original: FittedTable[F], protected: F, made: GroupIndex, tied: pa.Array[Any] | None = None
) -> ReleasedRecords[F]:
    """The tables to be released. ``tied``: the households that are released under a number; None: all."""
    engine, assembly = original.engine, Assembly.of(original, tied)
    assembled, units = engine.map_rows(protected, assembly), _units_in_order(original, protected, assembly)
    if not original.plan.representation.separates_sensitive:
        return ReleasedRecords(engine.map_rows(assembled, lambda piece: piece.drop_columns(GROUP)), None, units)
    anatomy = Anatomy.of(original.schema, made.groups, original.chance)

    def numbered(piece: pa.Table) -> pa.Table:
        return anatomy.tied(piece.drop_columns(GROUP), piece[GROUP].to_numpy())

    both = engine.map_rows(assembled, numbered)
    sensitive = anatomy.sensitive(CountTable.of(engine.group_counts(both, anatomy.counted)))
    holders = None if units is None else _holders(original, protected, anatomy, sensitive)
    return ReleasedRecords(engine.map_rows(both, anatomy.records), sensitive, units, holders)


def _holders(original: FittedTable[F], protected: F, anatomy: Anatomy, sensitive: pa.Table) -> pa.Table:
    """Which units have the values in each row of the second table."""
    engine, units = original.engine, original.units

    def told(piece: pa.Table) -> pa.Table:
        kept = piece.filter(pc.is_valid(piece[GROUP]))
        record_ids: Labels = kept[RECORD_ID].to_numpy()
        values = kept.select([*original.schema.sensitive, RECORD_ID])
        of_unit = pa.array(units[record_ids], pa.int64(), mask=units[record_ids] < 0)
        return anatomy.tied(values, kept[GROUP].to_numpy()).append_column(UNIT, of_unit)

    counts = engine.group_counts(engine.map_rows(protected, told), [*anatomy.counted, UNIT])
    return anatomy.holders(CountTable.of(counts), sensitive)


def _units_in_order(original: FittedTable[F], protected: F, assembly: Assembly) -> Labels | None:
    if original.schema.unit is None:
        return None
    found, units, engine = list[Labels](), original.units, original.engine

    def placed(piece: pa.Table) -> pa.Table:
        kept = piece.filter(pc.is_valid(piece[GROUP]))
        record_ids: Labels = np.asarray(kept[RECORD_ID])
        return pa.table({GROUP: units[record_ids], RECORD_ID: assembly.places(record_ids)})

    engine.fold(engine.map_rows(protected, placed), [GROUP], lambda piece: found.append(piece[GROUP].to_numpy()))
    return np.concatenate(found)


@dataclass(frozen=True)
class Assembly:
    """Converts protected records to released ones, piece by piece; the group column is kept."""

    schema: Schema  # of the release
    households: HouseholdNumbers | None
    order: Order | None

    @classmethod
    def of(cls, original: FittedTable[F], tied: pa.Array[Any] | None) -> Assembly:
        order = Order.of(original.chance) if original.plan.shuffles else None
        return cls(original.plan.release_schema(original.schema), _household_numbers(original, tied), order)

    def __call__(self, piece: pa.Table) -> pa.Table:
        kept = piece.filter(pc.is_valid(piece[GROUP]))
        record_ids: Labels = np.asarray(kept[RECORD_ID])
        released = assemble(kept, self.schema, self.households)
        places = pa.array(self.places(record_ids))
        return released.append_column(RECORD_ID, places).append_column(GROUP, kept[GROUP])

    def places(self, record_ids: Labels) -> Labels:
        """Positions of records in the release."""
        return self.order.places(record_ids) if self.order else record_ids


def _household_numbers(original: FittedTable[F], tied: pa.Array[Any] | None) -> HouseholdNumbers | None:
    for column in original.schema.with_role("household"):
        values = original.value_counts(column.name).combinations if tied is None else pa.table({column.name: tied})
        return HouseholdNumbers.of(column, values, original.chance)
    return None
