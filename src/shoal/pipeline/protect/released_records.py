"""Protected records, and labels of their columns, as they are released.

Drops suppressed records and helper columns, renumbers households, shuffles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import GROUP, RECORD_ID, F
from shoal.kernels import Labels, Vector
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.group_index import GroupIndex
from shoal.pipeline.protect.grouped_rows import released_rows
from shoal.pipeline.protect.original_types import Types, original_types, with_types
from shoal.pipeline.verify.earlier_proof import ReleasePersons
from shoal.policy import ReleasePlan
from shoal.release.anatomize import Anatomy
from shoal.release.assemble import HouseholdNumbers, Order, assemble
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT
from shoal.sources import origin

T = TypeVar("T")
Values = TypeVar("Values", Labels, Vector)


@dataclass(frozen=True)
class ReleasedRecords(Generic[F]):
    """The tables of a release. ``records`` has one helper column, the record id: the position in the release."""

    records: F
    sensitive: pa.Table | None = None  # second table of an anatomy
    units: Labels | None = None  # (n_released,) unit of each record, -1: a unit of its own; not released
    holders: pa.Table | None = None  # of an anatomy: row of the second table, unit, records; not released
    amounts: pa.Table | None = None  # (n_released,) of quasi-identifiers before the method replaced them; not released
    persons: ReleasePersons | None = None  # whose each record is, with earlier releases; not released


def released_records(
    original: FittedTable[F],
    changed: FittedTable[F],
    protected: F,
    index: GroupIndex,
    linked: pa.Array[Any] | None = None,
) -> ReleasedRecords[F]:
    """The tables to be released. ``changed``: the original after perturbation; ``linked``: the households that are
    released under a number, None: all."""
    engine, assembly = original.engine, Assembly.of(original, protected, linked)
    assembled, units = engine.map_rows(protected, assembly), _units_in_order(original, protected, assembly)
    if not original.plan.representation.separates_sensitive:
        records = engine.map_rows(assembled, _without_group)
        amounts, persons = (
            _amounts_in_order(changed, protected, assembly),
            _persons_in_order(original, protected, assembly),
        )
        return ReleasedRecords(records, None, units, amounts=amounts, persons=persons)
    anatomy = Anatomy.of(original.schema, index.groups, original.rng)
    both = engine.map_rows(assembled, partial(_numbered, anatomy))
    sensitive = anatomy.sensitive(CountTable.of(engine.group_counts(both, anatomy.counted_columns)))
    holders = None if units is None else _holders(original, protected, anatomy, sensitive)
    return ReleasedRecords(engine.map_rows(both, anatomy.records), sensitive, units, holders)


def _holders(original: FittedTable[F], protected: F, anatomy: Anatomy, sensitive: pa.Table) -> pa.Table:
    """Which units have the values in each row of the second table."""
    engine, units = original.engine, original.units
    with_units = engine.map_rows(protected, partial(_with_units, anatomy, units))
    counts = engine.group_counts(with_units, [*anatomy.counted_columns, UNIT])
    return anatomy.holders(CountTable.of(counts), sensitive)


def _without_group(piece: pa.Table) -> pa.Table:
    return piece.drop_columns(GROUP)


def _numbered(anatomy: Anatomy, piece: pa.Table) -> pa.Table:
    return anatomy.with_group_numbers(_without_group(piece), piece[GROUP].to_numpy())


def _with_units(anatomy: Anatomy, units: Labels, piece: pa.Table) -> pa.Table:
    released = released_rows(piece)
    record_ids: Labels = released[RECORD_ID].to_numpy()
    values = released.select([*anatomy.schema.sensitive, RECORD_ID])
    of_unit = pa.array(units[record_ids], pa.int64(), mask=units[record_ids] < 0)
    return anatomy.with_group_numbers(values, released[GROUP].to_numpy()).append_column(UNIT, of_unit)


def _units_in_order(original: FittedTable[F], protected: F, assembly: Assembly) -> Labels | None:
    return None if original.schema.unit is None else _in_order(original, protected, assembly, original.units)


def _amounts_in_order(changed: FittedTable[F], protected: F, assembly: Assembly) -> pa.Table | None:
    """The amounts that requirements read of quasi-identifiers, for every released record."""
    names = changed.plan.amounts_before
    amounts = {name: _in_order(changed, protected, assembly, changed.amounts(name)) for name in names}
    return pa.table({name: pa.array(values, from_pandas=True) for name, values in amounts.items()}) if names else None


def _persons_in_order(original: FittedTable[F], protected: F, assembly: Assembly) -> ReleasePersons | None:
    """The person of every released record and those of suppressed ones, where there are earlier releases."""
    if not original.plan.earlier:
        return None
    records = _in_order(original, protected, assembly, np.arange(original.n_records, dtype=np.int64))
    suppressed = np.setdiff1d(np.arange(original.n_records), records)
    return ReleasePersons(original.persons.take(records), original.persons.take(suppressed))


def _in_order(original: FittedTable[F], protected: F, assembly: Assembly, values: Values) -> Values:
    """(n_released,) the ``values`` of all records for those that are released, in the order of the release."""
    engine = original.engine
    kept = engine.by_record(protected, [GROUP, RECORD_ID], released_rows)
    record_ids: Labels = kept[RECORD_ID].to_numpy()
    return values[record_ids[np.argsort(assembly.positions(record_ids))]]


@dataclass(frozen=True)
class Assembly:
    """Converts protected records to released ones, piece by piece; the group column is kept."""

    schema: Schema  # of the release
    types: Types  # of the original, for columns whose values fit them
    households: HouseholdNumbers | None
    order: Order | None

    @classmethod
    def of(cls, original: FittedTable[F], protected: F, linked: pa.Array[Any] | None) -> Assembly:
        return cls(
            original.plan.release_schema(original.schema),
            original_types(original, protected),
            _household_numbers(original, linked),
            Order.of(original.rng) if original.plan.shuffles else None,
        )

    def __call__(self, piece: pa.Table) -> pa.Table:
        kept = released_rows(piece)
        record_ids: Labels = np.asarray(kept[RECORD_ID])
        released = assemble(with_types(kept, self.types), self.schema, self.households)
        positions = pa.array(self.positions(record_ids))
        return released.append_column(RECORD_ID, positions).append_column(GROUP, kept[GROUP])

    def positions(self, record_ids: Labels) -> Labels:
        """Positions of records in the release."""
        return self.order.places(record_ids) if self.order else record_ids


def _household_numbers(original: FittedTable[F], linked: pa.Array[Any] | None) -> HouseholdNumbers | None:
    for column in original.schema.with_role("household"):
        values = original.value_counts(column.name).combinations if linked is None else pa.table({column.name: linked})
        return HouseholdNumbers.of(column, values, original.rng)
    return None


def released_labels(labels: origin.Labels, plan: ReleasePlan) -> origin.Labels:
    """Labels of the columns in the policy, without value labels of columns whose values are replaced.

    Households, identifiers and recoded columns get new values, and extents are texts: their old value labels would be
    wrong. Formats and measures of recoded columns described the values before.
    """
    columns, unrecoded = list(plan.columns), [name for name in plan.columns if name not in plan.recoded]
    replaced = {name for name, column in plan.columns.items() if column.role in ("household", "identifier")}
    replaced |= {*plan.extents, *plan.recoded}
    kept = [name for name in columns if name not in replaced]
    return origin.Labels(
        columns=_kept(labels.columns, columns),
        values=_kept(labels.values, kept),
        formats=_kept(labels.formats, unrecoded),
        measures=_kept(labels.measures, unrecoded),
    )


def _kept(labels_by_column: Mapping[str, T], names: list[str]) -> dict[str, T]:
    kept = set(names)
    return {name: label for name, label in labels_by_column.items() if name in kept}
