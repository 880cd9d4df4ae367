"""Requirements counted by different units, and which households are released under a number.

After the method, every equivalence class is judged again by the number of different units in it. Where the release
links the members of a household by a number, an intruder sees the composition of the household: the class of a record
is then its own quasi-identifiers together with those of its whole household. Households for which the requirements fail
lose their number, and records that still fail are suppressed. The columns needed for this are held in memory on every
engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.encode.class_numbers import class_numbers
from shoal.encode.codes import to_codes
from shoal.encode.combination_counts import count_combinations
from shoal.encode.units import compositions
from shoal.engines.protocol import GROUP, RECORD_ID, F
from shoal.errors import TableError, listed
from shoal.kernels import Labels
from shoal.kernels.combinations import number_combinations
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.grouped_rows import released_rows
from shoal.pipeline.protect.member_numbers import blank_member_numbers, member_numbers, numbering_notes
from shoal.plan import Partition
from shoal.policy import ReleasePlan
from shoal.requirements import Requirement
from shoal.requirements.judge import RequirementChecker, requirement_checker, sensitive_domains
from shoal.requirements.requirement import on_column, reads_numbers
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT, amount_column, is_helper

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class UnitResult(Generic[F]):
    """``frame``: the records, with a missing group where a record is suppressed; ``linked``: the households that are
    released under a number, None: all."""

    frame: F
    linked: pa.Array[Any] | None = None
    notes: tuple[str, ...] = ()


def apply_to_units(original: FittedTable[F], protected: F) -> UnitResult[F]:
    """The protected records after the requirements were applied to units."""
    plan, unit = original.plan, original.schema.unit
    if unit is None or not plan.requirements:
        return UnitResult(protected)
    check_levels(original)
    check_shared_values(original)
    units = Units.of(original, protected, unit.name)
    kept, linked = units.released_and_linked()
    suppressed = np.zeros(original.n_records, dtype=bool)
    suppressed[units.record_ids[~kept]] = True
    engine = original.engine
    frame = engine.map_rows(protected, partial(_suppress, suppressed)) if suppressed.any() else protected
    shown = units.values.filter(pa.array(linked)) if plan.links_households else None
    lost = units.notes(unit.name, linked) if plan.links_households else ()
    numbering = member_numbers(original, frame, shown) if shown is None or len(shown) < len(units.values) else ()
    if numbering:
        frame = engine.map_rows(frame, partial(blank_member_numbers, numbering, unit.name, shown))
    notes = (*lost, *_incomplete_note(original, units.record_ids[kept]), *numbering_notes(numbering, unit.name))
    return UnitResult(frame, shown, notes)


def _suppress(suppressed: Flags, piece: pa.Table) -> pa.Table:
    gone = suppressed[piece[RECORD_ID].to_numpy()]
    groups = pc.if_else(pa.array(gone), pa.scalar(None, pa.int64()), piece[GROUP])
    return piece.set_column(piece.column_names.index(GROUP), GROUP, groups)


def _incomplete_note(original: FittedTable[F], released: Labels) -> tuple[str, ...]:
    """How many units are released without some of their records, where their values are protected as a whole.
    ``released``: (n_released,) record ids."""
    plan = original.plan
    if not plan.values_of_units:
        return ()
    unit_of = HouseholdGroups.of(original.units).unit_of
    missing = np.bincount(unit_of) - np.bincount(unit_of[released], minlength=int(unit_of.max()) + 1)
    if not missing.any():
        return ()
    return (
        f"{int((missing > 0).sum())} of {missing.size} units of {plan.unit} are released without some or all of their "
        f"records, {int(missing.sum())} in all: too few other units have as many. What all records of a unit have in "
        f"common would reveal {listed(plan.values_of_units)} more often than the requirements allow.",
    )


def check_levels(original: FittedTable[F]) -> None:
    """Raises TableError if members of a household differ in a column declared at household level."""
    unit = original.schema.unit
    for column in original.schema.columns if unit else ():
        if column.level == "household" and unit:
            n_differing, _ = _n_differing(original, unit.name, column.name)
            if n_differing:
                raise TableError.differs_in_household(column.name, n_differing)


def check_shared_values(original: FittedTable[F]) -> None:
    """Raises TableError if a requirement protects a value that all members of every household share, and the policy
    does not say so: the classes of the members together would reveal it."""
    plan, unit = original.plan, original.schema.unit
    if unit is None or not (plan.shows_units or plan.drops_households):
        return
    for name in (name for name in plan.values_in_requirements if not plan.columns[name].is_of_household):
        n_differing, n_several = _n_differing(original, unit.name, name)
        if n_several and not n_differing and len(original.value_counts(name)) > 1:
            raise TableError.shared_in_household(name, n_several)


def _n_differing(original: FittedTable[F], unit: str, column: str) -> tuple[int, int]:
    """Number of households with several different known values, and of those with several members whose value is
    known."""
    n_differing, n_several = original.engine.class_total(original.frame, [unit], [column], _n_of_several).tolist()
    return n_differing, n_several


def _n_of_several(counts: pa.Table) -> Labels:
    named = counts.rename_columns(["household", "value", "n"])
    known = named.filter(pc.and_(pc.is_valid(named["household"]), pc.is_valid(named["value"])))
    sizes = known.group_by("household").aggregate([([], "count_all"), ("n", "sum")])
    return np.array([np.count_nonzero(sizes[name].to_numpy() > 1) for name in ("count_all", "n_sum")], dtype=np.int64)


@dataclass(frozen=True)
class Units:
    """The released records, with their units, equivalence classes and requirements."""

    ties_households: bool
    schema: Schema
    requirements: tuple[
        tuple[Labels, tuple[Requirement, ...]], ...
    ]  # (n_records,) class of each record; its requirements
    table: pa.Table
    record_ids: Labels
    groups: Labels  # (n_records,) of the method
    unit_of: Labels  # (n_records,) -1: a unit of its own
    values: pa.Array[Any]  # (n_units,)
    values_of_units: tuple[str, ...]

    @classmethod
    def of(cls, original: FittedTable[F], protected: F, unit: str) -> Units:
        plan, schema = original.plan, original.schema
        requirements = _requirements_by_columns(plan)
        read = [
            str(r.column)
            for required in requirements.values()
            for r in required
            if r.column and not is_helper(r.column)
        ]
        names = list(
            dict.fromkeys([*(name for columns in requirements for name in columns), *read, unit, GROUP, RECORD_ID])
        )
        table = original.engine.by_record(protected, names, released_rows)
        codes = to_codes(unit, table[unit])
        by_class = tuple((class_numbers(table, columns), tuple(required)) for columns, required in requirements.items())
        record_ids, groups = (table[name].to_numpy() for name in (RECORD_ID, GROUP))
        for name in plan.amounts_before:
            amounts = pa.array(original.amounts(name)[record_ids], from_pandas=True)
            table = table.append_column(amount_column(name), amounts)
        return cls(
            plan.links_households,
            schema,
            by_class,
            table,
            record_ids,
            groups,
            codes.codes,
            codes.values,
            plan.values_of_units,
        )

    def released_and_linked(self) -> tuple[Flags, Flags]:
        """(n_records,) records that can be released, and (n_units,) units whose members are linked.

        Failing units are unlinked first, then those that share their group, then those that share their
        quasi-identifiers; records that still fail are suppressed.
        """
        kept, linked = np.ones(len(self.table), dtype=bool), self._linked_at_first()
        while len(self.table):
            revealing = self._failing_as_units(kept)
            if revealing.any():
                kept = kept & ~revealing
                continue
            failing, same_class = self._failing(kept, linked)
            if not failing.any():
                return kept, linked
            same_group = same_class & np.isin(self.groups, self.groups[failing])
            tied = (self._units_with(records) & linked for records in (failing, same_group, same_class))
            unlinked = next((units for units in tied if units.any()), None)
            if unlinked is None:
                kept = kept & ~failing
            else:
                linked = linked & ~unlinked
        return kept, linked

    def notes(self, name: str, linked: Flags) -> tuple[str, ...]:
        """How many households are released without a number, and how many records they have."""
        if linked.all():
            return ()
        n_records = int((self.unit_of >= 0).sum() - self._is_linked(linked).sum())
        return (
            f"{int((~linked).sum())} of {len(linked)} households lost their number in {name}: too few others have the "
            f"same size and composition. No number links their {n_records} records.",
        )

    def _linked_at_first(self) -> Flags:
        """(n_units,) Households that may be linked at first: not those that show a household-level value in one member
        and blank it in another, which would disclose it. Columns that no requirement names are never blanked."""
        linked = np.full(len(self.values), self.ties_households)
        if not self.ties_households:
            return linked
        known = self.unit_of >= 0
        for column in self.schema.with_role("quasi_identifier"):
            if column.level is None or column.name not in self.table.column_names:
                continue
            blank = self.table[column.name].is_null().to_numpy()
            linked &= ~(self._units_with(known & blank) & self._units_with(known & ~blank))
        return linked

    @cached_property
    def own_unit(self) -> Labels:
        """(n_records,) the unit of each record; a record without one gets a number of its own."""
        alone = self.unit_of < 0
        own: Labels = np.where(alone, len(self.values) + np.cumsum(alone) - 1, self.unit_of)
        return own

    def _units_with(self, records: Flags) -> Flags:
        """(n_units,) Units with at least one of these records."""
        found = np.zeros(len(self.values), dtype=bool)
        found[self.unit_of[records & (self.unit_of >= 0)]] = True
        return found

    def _failing(self, kept: Flags, linked: Flags) -> tuple[Flags, Flags]:
        """(n_records,) Records whose class fails, and all records with the same quasi-identifiers as one of these."""
        failing, same_class = np.zeros(len(self.table), dtype=bool), np.zeros(len(self.table), dtype=bool)
        shown = np.where(self._is_linked(linked), self.unit_of, -1)
        for class_of, required in self.requirements:
            labels = Partition(_classes_with_units(class_of, self._is_linked(linked) & kept, self.unit_of))
            for units in (self.unit_of, *((shown,) if self.ties_households else ())):
                fails = kept & ~self._checker(required, units).satisfying_records(labels, kept)
                failing |= fails
                same_class |= np.isin(class_of, class_of[fails])
        return failing, same_class

    def _failing_as_units(self, kept: Flags) -> Flags:
        """(n_records,) Records of units whose classes together fail a requirement on values of units: an intruder who
        knows all records of a unit compares its classes, whether or not they are linked."""
        failing = np.zeros(len(self.table), dtype=bool)
        for class_of, required in self.requirements:
            of_units = [r for r in required if r.column in self.values_of_units and not reads_numbers(r.reads)]
            if of_units:
                labels = Partition(_classes_with_units(class_of, kept, self.own_unit))
                failing |= kept & ~self._checker(of_units, self.unit_of).satisfying_records(labels, kept)
        return failing

    def _is_linked(self, linked: Flags) -> Flags:
        return np.append(linked, False)[self.unit_of]

    def _checker(self, required: Sequence[Requirement], units: Labels) -> RequirementChecker:
        with_units = self.table.append_column(UNIT, pa.array(units, mask=units < 0))
        whole = sensitive_domains(self.schema, required, lambda name: count_combinations(with_units, [name, UNIT]))
        return requirement_checker(self.table, required, whole, units=units)


def _classes_with_units(class_of: Labels, linked: Flags, unit_of: Labels) -> Labels:
    """(n_records,) The class of each record, combined with those of all ``linked`` records of its unit."""
    composition = np.full(len(class_of), -1, dtype=np.int64)
    if linked.any():
        units = unit_of[linked]
        composition[linked] = compositions(units, class_of[linked])[units]
    return number_combinations([class_of, composition], len(class_of))


def _requirements_by_columns(plan: ReleasePlan) -> dict[tuple[str, ...], list[Requirement]]:
    """Requirements on records or units, by the written columns that define their classes; for an anatomy, by groups."""
    found = dict[tuple[str, ...], list[Requirement]]()
    for requirement in plan.requirements:
        columns = plan.with_ends(requirement.columns or plan.quasi_identifiers)
        if requirement.reads != "extents":
            if requirement.column in plan.amounts_before and reads_numbers(requirement.reads):
                requirement = on_column(requirement, amount_column(requirement.column))
            found.setdefault((GROUP,) if plan.representation.separates_sensitive else columns, []).append(requirement)
    return found
